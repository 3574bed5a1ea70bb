import type { Doing, Program } from '../program.ts';
import { outputOption } from './outputOptions.ts';

/** What takes away the files and folders that it names. */
export const deleting: Doing = {
  effect: 'files',
  care: 'ck',
  says: 'deletes {rest}',
  paths: true,
  rules: [
    ['sh', '--help|--version', 'only prints its help'],
    ['d', '--no-preserve-root', 'asks to delete the root of the file system'],
    ['d', '%core', 'asks to delete {rest}, a directory of the system'],
    ['d', '%root', 'asks to delete {rest}, a folder at the top of the file system'],
    ['d', '%home', 'asks to delete {rest}, the home directory'],
    ['d', '%device', 'asks to delete {rest}, a device'],
    ['ca', '-i|-I|--interactive !--interactive=never', 'asks before it deletes {rest}'],
    ['dv', '%repository', 'deletes {rest}, of git’s own records', 'git'],
    ['dv', '%everything', 'deletes everything at {rest}'],
    ['dv', '%secret|startup|guard', 'deletes {rest}, which holds keys or settings'],
    ['dv', '%system', 'deletes {rest}, which belongs to the system'],
    ['dv', '-r|-R|--recursive|/s %unknown', 'deletes {rest}, whose value is not known'],
    ['ck', '-r|-R|--recursive|/s %outside', 'deletes {rest} with everything in it, outside the workspace'],
    ['ck', '-r|-R|--recursive|/s|/S', 'deletes {rest} with everything in it'],
    ['ck', '%glob|unknown', 'deletes whatever {rest} names'],
  ],
};

const shredding: Doing = {
  effect: 'files',
  care: 'dv',
  says: 'overwrites {rest}, so that it cannot be brought back from the disk',
  paths: true,
  rules: [
    ['sh', '--help|--version', 'only prints its help'],
    ['d', '%device', 'overwrites {rest}, a device', 'device'],
  ],
};

/** A pattern, or a text and another one, stands before the files. */
const renaming: Doing = {
  effect: 'files',
  care: 'cv',
  says: 'gives files other names, over what may be there',
  rules: [['s', '-n|--nono|--no-act|--dry-run', 'only shows what it would do']],
};

const moving: Doing = {
  effect: 'files',
  care: 'cv',
  says: 'moves {rest}, over what may be there',
  lastIsPlace: true,
  paths: true,
  rules: [
    ['d', '~^/dev/null$', 'moves {rest}: it is gone then'],
    ['d', '%<root|home', 'moves {rest}: a directory of the system or the home directory'],
    ['d', '%device', 'moves {rest} onto a device', 'device'],
    ['dv', '%system|repository|secret|startup|guard', 'moves {rest}: settings, keys or history'],
    ['cv', '%outside', 'moves {rest}, outside the workspace', 'outside-workspace'],
  ],
};

/** What makes others of the files that it names. */
export const copying: Doing = {
  effect: 'files',
  care: 'cv',
  says: 'copies {rest}, over what may be there',
  lastIsPlace: true,
  paths: true,
  rules: [
    ['d', '%device', 'copies {rest}: onto or from a device', 'device'],
    ['dv', '%>startup|guard', 'copies {rest}, over settings'],
    ['dv', '%>system', 'copies {rest}, into what belongs to the system', 'outside-workspace'],
    ['c', '%secret', 'copies {rest}: keys or settings'],
    ['cv', '%system|outside', 'copies {rest}, outside the workspace', 'outside-workspace'],
  ],
};

const linking: Doing = {
  effect: 'files',
  care: 'cv',
  says: 'links {rest}',
  paths: true,
  rules: [
    ['dv', '-f|--force %>system', 'replaces a file of the system by a link'],
    ['dv', '%>startup|guard', 'puts a link where something is run or read at start'],
    ['dv', '-f|--force %>secret', 'replaces keys or settings by a link'],
    ['cv', '-f|--force', 'replaces what is there by a link'],
    ['cv', '%secret', 'makes {rest} reachable under another name'],
  ],
};

const writing: Doing = {
  effect: 'files',
  care: 'cv',
  says: 'writes {rest}',
  paths: true,
  rules: [
    ['d', '%device', 'writes onto a device{: rest}', 'device'],
    ['d', '%system', 'writes {rest}, which belongs to the system', 'outside-workspace'],
    ['dv', '%secret|startup|guard', 'writes {rest}, which holds keys or is run at start'],
    ['cv', '%outside', 'writes {rest}, outside the workspace', 'outside-workspace'],
    ['s', '#0', 'only passes on what it reads'],
  ],
};

const creating: Doing = {
  effect: 'files',
  care: 'sd',
  says: 'only creates {rest}',
  paths: true,
  rules: [
    ['cv', '%secret|startup|guard|repository', 'creates {rest}'],
    ['cv', '%system|outside', 'creates {rest}, outside the workspace', 'outside-workspace'],
  ],
};

/** No pattern, which tools of Node.js expand by themselves. */
const plainPath = /^[^*?[\]{}()!]+$/;
const plainPathBelow = /^(?!\.?\.?$|\/|(?:.*\/)?\.\.(?:\/|$))[^*?[\]{}()!]+$/;

/** Programs that show, make, copy, move and delete files. */
export const files: readonly Program[] = [
  {
    names: 'rm',
    inert: true,
    needsNoContent: {},
    needsNoFile: /^-[a-zA-Z]*f|^--force$/,
    planned: 'rm',
    removesNamed: true,
    harms: true,
    walks: /^-[A-Za-z]*[rRa]|^--recursive$/,
    needsEntry: true,
    steady: { silent: { unless: /^(?:-[^-]*[vI]|--verbose|--interactive)/ } },
    does: deleting,
  },
  {
    names: 'unlink',
    inert: true,
    needsNoContent: {},
    steady: {},
    planned: 'unlink',
    removesNamed: true,
    harms: true,
    does: deleting,
  },
  {
    names: 'rmdir',
    inert: true,
    needsNoContent: {},
    steady: {},
    leavesContents: true,
    planned: 'rmdir',
    removesNamed: true,
    harms: true,
    does: deleting,
  },
  {
    names: 'rimraf',
    scriptOf: 'node',
    harms: true,
    doesAs: { call: ['rm', '-rf', '--'], words: plainPath, options: /^(?:-G|--no-glob|--preserve-root)$/ },
    does: deleting,
  },
  // Outside of its folder it deletes nothing without `--force`.
  {
    names: 'del-cli',
    scriptOf: 'node',
    harms: true,
    doesAs: { call: ['rm', '-rf', '--'], words: plainPathBelow },
    does: deleting,
  },
  {
    names: 'mkdirp',
    scriptOf: 'node',
    doesAs: { call: ['mkdir', '-p', '--'], words: plainPath },
    does: creating,
  },
  { names: 'shred', inert: true, planned: 'shred', removesNamed: true, harms: true, does: shredding },
  { names: 'wipe scrub', does: shredding },
  {
    names: 'truncate',
    inert: true,
    steady: {},
    planned: 'truncate',
    opensNothing: true,
    harms: true,
    does: {
      effect: 'files',
      care: 'cv',
      says: 'changes the size of {rest}',
      valued: '-s --size -r --reference',
      paths: true,
      rules: [
        ['d', '%device|system', 'cuts {rest}'],
        ['dv', '-s=^0', 'empties {rest}'],
        ['dv', '--size=^0', 'empties {rest}'],
      ],
    },
  },
  {
    names: 'find',
    inert: true,
    readsSteadily:
      /^(?!.*(?:^| )-(?!(?:i?name|i?path|type|maxdepth|mindepth|i?regex|not|o|a|or|and|print0?|prune)(?: |$)))/,
    steady: {
      options: /^-(?!(?:[acm](?:min|time|newer)|newer.*|used|daystart|quit|ok(?:dir)?|fprint.*|fls|printf|L)$)/,
    },
    // Its other tests and actions ask for names and types alone; it goes through directories by these.
    showsStatus:
      /^-(?:[acm](?:min|time|newer)|newer.*|used|user|uid|group|gid|nouser|nogroup|links|inum|samefile|size|perm|fstype|xdev|mount|context|f?ls|f?printf|D.*)$/,
    countsLinks: /^-(?:links|ls|fls|printf|fprintf|samefile)$/,
    planned: 'find',
    harms: true,
    walks: true,
    here: true,
    needsEntry: true,
    tells: true,
    does: {
      effect: 'none',
      care: 's',
      says: 'only searches',
      oneDash: true,
      valued:
        '-name -iname -path -ipath -type -size -mtime -mmin -newer -user -group -perm -maxdepth -mindepth -regex -printf -samefile',
      paths: true,
      rules: [
        ['d', '-delete %root|home|system', 'asks to delete everything that it finds below {rest}', 'other'],
        ['ck', '-delete %temporary !%everything|outside', 'deletes everything that it finds', 'other'],
        ['dv', '-delete', 'deletes everything that it finds', 'other'],
        ['cv', '-fprint|-fprintf|-fprint0|-fls', 'writes a file'],
      ],
    },
  },
  {
    names: 'fd fdfind',
    inert: true,
    races: { unless: /^(?:-j ?1|--threads=1|--version|--help)$/ },
    walks: true,
    here: true,
    does: { effect: 'none', care: 's', says: 'only searches' },
  },
  {
    names: 'dd',
    inert: true,
    planned: 'dd',
    writes: { prefix: 'of=' },
    harms: true,
    passesOn: true,
    pacedLines: /\bcopied, /,
    does: {
      effect: 'files',
      care: 'cv',
      says: 'copies raw bytes',
      rules: [
        ['d', '~^of=/dev/(?!null|stdout|full|zero|fd|tty)', 'writes raw bytes onto a device{: rest}', 'device'],
        ['d', '~^of=/(?!tmp/|dev/)', 'writes raw bytes{ to rest}', 'outside-workspace'],
        ['s', '~^of=/dev/(null|stdout|stderr|full|zero|tty)', 'only reads'],
        ['s', '!~^of=', 'only prints'],
        ['c', '~^if=/dev/(sd|hd|nvme|vd|disk|mem|mmc)', 'reads a device{: rest}', 'device'],
        ['cv', '~^of=', 'writes raw bytes{: rest}'],
      ],
    },
  },
  {
    names: 'mv',
    inert: true,
    // Which of two files of this moment is newer the clock decides.
    steady: { options: /^-(?:[^-u]*|-(?!update).*)$/, places: true },
    leavesContents: true,
    planned: 'mv',
    harms: true,
    passesOn: true,
    walks: true,
    needsEntry: true,
    does: moving,
  },
  { names: 'move ren', does: moving },
  { names: 'rename', inert: true, does: renaming },
  {
    names: 'cp',
    creates: 'last',
    inert: true,
    steady: { options: /^-(?:[^-LHsu]*|-(?!deref|sym|update).*)$/, places: true },
    planned: 'cp',
    harms: true,
    passesOn: true,
    walks: /^-[A-Za-z]*[rRa]|^--recursive$/,
    needsEntry: true,
    does: copying,
  },
  { names: 'ditto', does: copying },
  {
    names: 'install',
    creates: 'last',
    inert: true,
    planned: 'install',
    writes: { word: 'last' },
    harms: true,
    passesOn: true,
    needsEntry: true,
    does: {
      ...copying,
      valued: '-m --mode -o --owner -g --group -t --target-directory -S --suffix',
      rules: [['cv', '-d|--directory', 'creates {rest}'], ...(copying.rules ?? [])],
    },
  },
  {
    names: 'ln',
    creates: 'last',
    inert: true,
    steady: { places: true },
    planned: 'ln',
    writes: { word: 'second of two', when: /^(?:--force|-[a-zA-Z]*f[a-zA-Z]*)$/ },
    harms: true,
    passesOn: true,
    needsEntry: true,
    takesAlone: { word: 'last', unless: /(?:^| )(?:-[a-zA-Z]*f|--force)/ },
    does: linking,
  },
  { names: 'link', inert: true, takesAlone: { word: 'last' }, does: linking },
  { names: 'mklink', does: linking },
  {
    names: 'tee',
    creates: 'words',
    inert: true,
    planned: 'tee',
    opensNothing: true,
    writes: { word: 'all', unless: /^(?:-a|--append)$/ },
    harms: true,
    passesOn: true,
    does: writing,
  },
  {
    names: 'sponge',
    inert: true,
    writes: { options: outputOption, word: 'all', unless: /^(?:-a|--append)$/ },
    does: writing,
  },
  {
    names: 'touch',
    creates: 'words',
    inert: true,
    needsNoContent: {},
    steady: {},
    leavesContents: true,
    needsNoFile: true,
    planned: 'touch',
    opensNothing: true,
    needsEntry: true,
    does: { ...creating, says: 'only creates or touches {rest}', valued: '-d --date -r --reference -t' },
  },
  {
    names: 'mkdir',
    creates: 'words',
    inert: true,
    needsNoContent: {},
    steady: {},
    leavesContents: true,
    needsNoFile: /^-[a-zA-Z]*p|^--parents$/,
    planned: 'mkdir',
    takesAlone: { word: 'last', unless: /(?:^| )(?:-[a-zA-Z]*p|--parents)/ },
    opensNothing: true,
    does: creating,
  },
  { names: 'mkfifo', inert: true, does: creating },
  {
    names: 'mktemp',
    inert: true,
    creates: 'words',
    invents: true,
    opensNothing: true,
    does: { effect: 'files', care: 'sd', says: 'only creates a file or folder of its own' },
  },
  { names: 'gcp', planned: 'cp' },
  { names: 'gmv', planned: 'mv' },
];
