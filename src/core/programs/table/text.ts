import type { Doing, Program, Reduction, Starts } from '../program.ts';
import { outputOption, writesOption } from './outputOptions.ts';

const editing: Doing = {
  effect: 'none',
  care: 's',
  says: 'only prints',
  valued: '-e --expression -f --file -l --line-length',
  // The script, where no option gives it.
  how: { unless: '-e --expression -f --file' },
  paths: true,
  rules: [
    ['d', '-i|-I|--in-place %device|system', 'edits {rest}, which belongs to the system'],
    ['dv', '-i|-I|--in-place %secret|startup|guard|repository', 'edits {rest}, which holds keys or settings'],
    ['cv', '-i|-I|--in-place|-ni|-n-i %outside', 'edits {rest}, outside the workspace', 'outside-workspace'],
    ['cv', '-i|-I|--in-place', 'edits files in place'],
    [
      'dv',
      '@script=(^|[;}/\\d$])\\s*(e\\s|s(.).*\\2.*\\2[gip\\d]*e[gip\\d]*$)',
      'runs commands that it finds in the text',
      'code-execution',
    ],
    // In front of `w` stands an address, another command or the end of `s///`; behind it a blank and a name.
    ['cv', '@script=(^|[;}\\d$]|/[gip\\d]*)\\s*w\\s+/?[\\w.]', 'may write files from its script'],
  ],
};

const rewriting: Doing = {
  effect: 'files',
  care: 'cv',
  says: 'writes files',
  paths: true,
  rules: [['d', '%system|device', 'changes {rest}, which belongs to the system']],
};

const searching: Doing = {
  effect: 'none',
  care: 's',
  says: 'only searches',
  rules: [['c', '--pre', 'runs another program for each file', 'code-execution']],
};

const sorting: Doing = {
  effect: 'none',
  care: 's',
  says: 'only prints',
  valued: '-o --output -k -t -T -S --compress-program',
  rules: [
    ['cv', '-o|--output', 'overwrites a file'],
    ['c', '--compress-program', 'runs another program', 'code-execution'],
  ],
};

const awk: Doing = {
  effect: 'none',
  care: 's',
  says: 'only prints',
  valued: '-F -v -f -e --source --file',
  rules: [
    [
      'd',
      '@script=(system\\s*\\(|\\|\\s*&?\\s*"|"\\s*\\|\\s*&?\\s*getline).*\\b(rm|dd|mkfs|shred|curl|wget|sh|bash|git|find|unlink|kill|sudo|chmod|chown)\\b',
      'runs another program',
      'code-execution',
    ],
    [
      'c',
      '@script=system\\s*\\(|\\|\\s*getline|print.*\\|\\s*"|\\|&',
      'runs other programs from its script',
      'code-execution',
    ],
    ['c', '@script=/inet/', 'opens a connection', 'network'],
    ['cv', '@script=print[^|}]*>\\s*["\\w]', 'writes files from its script'],
    ['dv', '-i=inplace', 'edits files in place'],
  ],
};

const editorRuns =
  '(^\\+?|[|:%,.$\\d>])\\s*(sil\\w*!?\\s+)?((r|re|read)\\s*|(w|write)\\s+)?!\\s*[^\\s|]|\\bsystem\\(|\\bterm\\w*\\s';
const editorWrites = '(^\\+?|[|:])\\s*(w|wq|wa|wqa|x|xa|xit|write|update|up|wn)!?\\s*([|]|$)';
/** How it is told to write by itself. */
const editsAlone =
  /(?:^| )(?:-[eE]s|-s[a-z]*|--?batch|--headless)(?: |$)|(?:^|[|: +])(?:w|wq|wa|wqa|x|xa|update)!?(?:[| ]|$)/;

const editors: Doing = {
  effect: 'other',
  care: 'c',
  says: 'opens an editor{: rest}',
  valued: '-c --cmd -S -u --eval --load',
  rules: [
    ['d', '%system|secret|startup', 'edits {rest}'],
    // `:q!` and `:w!` are no commands for a shell; `:!x`, `:%!x`, `:r !x` and `:w !x` are.
    ['d', `-c=${editorRuns}`, 'runs commands in the editor', 'code-execution'],
    ['d', `--cmd=${editorRuns}`, 'runs commands in the editor', 'code-execution'],
    ['d', `~^(?=\\+)${editorRuns}`, 'runs commands in the editor', 'code-execution'],
    ['c', '--install-extension|--uninstall-extension', 'changes extensions of the editor', 'code-execution'],
    ['s', '--version|--help', 'only prints'],
    ['c', '-es|-Es|--headless|--batch|-batch #1', 'edits {rest} by commands, without asking'],
    ['c', '--batch|-batch|--script|--eval|-eval', 'runs code in the editor', 'code-execution'],
    ['c', `-c=${editorWrites} #1`, 'edits {rest} by commands, without asking'],
    ['c', `~^(?=\\+).*${editorWrites} #2`, 'edits files by commands, without asking'],
  ],
};

/** `ex -s` reads its commands from its input. */
const exEditing: Doing = {
  ...editors,
  rules: [...(editors.rules ?? []), ['c', '-s #1', 'edits {rest} by commands, without asking']],
};

/** It prints what it makes of a file, or puts it in its place. */
/** `:!cmd`, `:r !cmd`, `:%!cmd`, `:silent !cmd`. */
const startsInEditor: Starts = {
  valued: '-c --cmd -u -U -i -S -w -W -T -t -q',
  onlyScript: true,
  commands: {
    options: '-c --cmd',
    form: /^[\s:]*(?:sil(?:ent)?!?\s+)?(?:%|\.|r(?:ead)?\s*|w(?:rite)?\s*)?!\s*(.+)$/s,
    word: '+',
  },
};

const filtering: Doing = {
  effect: 'files',
  care: 's',
  says: 'only prints',
  rules: [['cv', '-i|--inplace|--in-place', 'edits files in place']],
};

/** It reads its commands as a filter does; the programs that these start meet the gate. */
const lineEditing: Doing = {
  effect: 'files',
  care: 'cv',
  says: 'edits {rest}',
  valued: '-p --prompt',
  paths: true,
  rules: [
    ['d', '%system|secret|startup', 'edits {rest}'],
    ['s', '--version|--help', 'only prints'],
  ],
};

const firstOrLast: readonly Reduction[] = [
  { when: /^$/, lines: 10, ends: 0 },
  { when: /^(?:-n\0?|-|--lines[=\0])(\d{1,9})$/, lines: 'captured', ends: 0 },
  { when: /^(?:-n\0?\+|\+)\d{1,9}$/, lines: 'asMany', ends: 0 },
  { when: /^-c\0?\d{1,9}$/, ends: 0 },
];
// A pattern that is none ends with 2, and prints nothing.
const someLines: readonly Reduction[] = [
  { when: /^-[EFPinvwxs]*q[EFPinvwxs]*\0[^-\0][^\0]*$/, lines: 0 },
  { when: /^-[EFPinvwxs]*c[EFPinvwxs]*\0[^-\0][^\0]*$/, lines: 1 },
  { when: /^(?:-[EFPinvwxs]+\0)*-[EFPinvwxs]*m\0?(\d{1,9})\0(?:-[EFPinvwxs]+\0)*[^-\0][^\0]*$/, lines: 'captured' },
  { when: /^(?:(?:-[EFPinvwxs]+|--color=never)\0)*[^-\0][^\0]*$/, lines: 'asMany' },
];

/** A search that ends with the first match, or after so many. */
const findsEnough = /(?:^| )-(?:[a-zA-Z]*[qmlL]|-(?:quiet|silent|max-count|files-with))/;

/** Programs that print, search, compare and transform text. */
export const text: readonly Program[] = [
  {
    names: 'sed',
    inert: true,
    leavesEarly: /[qQ]/,
    // One substitution, or a deletion of lines: it neither reads nor writes other files, and prints nothing where it edits.
    steady: {
      options: /^(?:-i.*|--in-place(?:=.*)?|-[Ers]+)$/,
      first: /^(?:\d+|\$|\/[^/\\]*\/)?(?:s([/|#,@:!])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gI0-9]*|d)$/s,
    },
    readsSteadily: /^(?:-n )?(?:(?:\d+|\$)(?:,(?:\d+|\$))?[pq])(?: [^-]\S*)*$/,
    planned: 'sed',
    decodes: /\\(?:x[0-9a-f]{2}|[0-7]{3})/i,
    focus: 'script',
    reduces: [
      { when: /^-n\0([1-9]\d{0,8})(?:,([1-9]\d{0,8}))?p$/, lines: 'range', ends: 0 },
      { when: /^([1-9]\d{0,8})q$/, lines: 'captured', ends: 0 },
    ],
    does: editing,
  },
  { names: 'perl-rename', does: editing },
  { names: 'patch recode iconv', inert: true, writes: { options: outputOption }, does: rewriting },
  { names: 'split csplit unix2dos dos2unix strip mknod gzexe', inert: true, does: rewriting },
  { names: 'fallocate', inert: true, does: { ...rewriting, valued: '-l --length -o --offset' } },
  { names: 'objcopy', inert: true, writes: { word: 'last' }, does: rewriting },
  {
    names: 'rg',
    inert: true,
    races: { unless: /^(?:--sort(?:r|-files)?(?:=.*)?|-j ?1|--threads=1|--version|--help)$/ },
    answers: [{ codes: [1] }],
    walks: true,
    here: true,
    focus: 'pattern',
    does: searching,
  },
  { names: 'ripgrep', does: searching },
  { names: 'ag', inert: true, answers: [{ codes: [1] }], walks: true, here: true, focus: 'pattern', does: searching },
  { names: 'ack', answers: [{ codes: [1] }], focus: 'pattern', does: searching },
  {
    names: 'sort',
    inert: true,
    races: { when: /^-[A-Za-z]*R|^--random-sort$|^--sort[= ]random$/, unless: /^--random-source/, isChance: true },
    readsSteadily: /^(?!.*(?:^| )-(?:-|\S*[RoTS]))/,
    planned: 'sort',
    prints: true,
    writes: { options: outputOption, bundles: true },
    reduces: [{ when: /^(?:-[rsuf]*[nVh]?[rsuf]*)?$/, lines: 'asMany', ends: 0 }],
    does: sorting,
  },
  {
    names: 'uniq',
    inert: true,
    readsSteadily: /^(?:-\S+ )*(?:-\S+|[^- ]\S*)?$/,
    planned: 'nothing',
    prints: true,
    writes: { word: 'second of two' },
    reduces: [{ when: /^(?:-[cdui]+)?$/, lines: 'asMany', ends: 0 }],
    does: { ...sorting, valued: '-f -s -w', rules: [['cv', '#2', 'writes a file']] },
  },
  { names: 'yes', inert: true, needsNoFile: true, does: { effect: 'none', care: 'sd', says: 'prints without end' } },
  {
    names: 'awk',
    inert: true,
    leavesEarly: /\bexit\b/,
    decodes: /\\(?:x[0-9a-f]{2}|[0-7]{3})/i,
    focus: 'script',
    does: awk,
  },
  { names: 'gawk mawk', inert: true, leavesEarly: /\bexit\b/, focus: 'script', does: awk },
  { names: 'nawk', does: awk },
  { names: 'original-awk', inert: true, leavesEarly: /\bexit\b/, does: awk },
  { names: 'vi vim nvim', usualTool: true, makes: editsAlone, starts: startsInEditor, does: editors },
  { names: 'emacs', usualTool: true, makes: editsAlone, does: editors },
  { names: 'nano code', usualTool: true, does: editors },
  { names: 'pico joe micro subl gedit kate helix hx kak ne mcedit', does: editors },
  { names: 'ex', makes: editsAlone, starts: startsInEditor, does: exEditing },
  { names: 'ed', inert: true, usualTool: true, does: lineEditing },
  {
    names:
      'dircolors col colrm column ul hexdump hd strings uuencode gettext ngettext envsubst msgfmt msgmerge msgcat xgettext ifne pee combine isutf8 pv bat batcat hexyl getopt wdiff diffstat interdiff filterdiff lsdiff delta most pager sensible-pager whatis apropos groff nroff troff grotty preconv tbl eqn pic soelim zsoelim manpath tac od paste join fold fmt pr ptx expand unexpand tsort sum b2sum sha224sum sha384sum sha512sum numfmt factor bc dc',
    inert: true,
  },
  {
    names: 'man',
    inert: true,
    does: {
      effect: 'none',
      care: 's',
      says: 'only reads',
      valued: '-P --pager -S -s -M -m -L -E -C -e -r -H',
      rules: [['c', '-P=^(?!(less|more|most|cat|pager)\\b)', 'shows it by another program', 'code-execution']],
    },
  },
  { names: 'rev uudecode', inert: true, decodes: true },
  {
    names: 'xxd',
    inert: true,
    decodes: /^-[a-z]*r/,
    does: { ...sorting, valued: '-s -l -c -g -o -n -seek -len -cols', rules: [['cv', '#2', 'writes a file']] },
  },
  { names: 'jq', inert: true, answers: [{ codes: [1, 4], after: ['-e', '--exit-status'] }] },
  {
    names: 'yq jaq gojq tomlq xq',
    inert: true,
    answers: [{ codes: [1, 4], after: ['-e', '--exit-status'] }],
    makes: /(?:^| )(?:-[a-zA-Z]*i|--in-?place)(?: |=|$)/,
    does: filtering,
  },
  {
    names: 'sd',
    inert: true,
    makes: true,
    does: {
      effect: 'files',
      care: 'cv',
      says: 'edits files in place',
      rules: [
        ['s', '-p|--preview', 'only prints'],
        ['s', '!#3', 'only passes on what it reads'],
      ],
    },
  },
  {
    names: 'xmlstarlet crudini dasel',
    makes: /(?:^| )(?:-L|--inplace|--set|--del|--merge|put|delete)(?: |$)/,
    does: {
      effect: 'files',
      care: 's',
      says: 'only prints',
      rules: [
        ['cv', '-L|--inplace|--set|--del|--merge', 'edits files in place'],
        ['cv', 'put|delete', 'edits files in place'],
      ],
    },
  },
  { names: 'xmllint xsltproc', inert: true, writes: { options: outputOption } },
  { names: 'tokei', inert: true, walks: true },
  {
    names: 'grep',
    leavesEarly: findsEnough,
    inert: true,
    readsSteadily: true,
    answers: [{ codes: [1] }],
    planned: 'nothing',
    prints: true,
    onlyTests: true,
    walks: /^-[A-Za-z]*[rR]|^--recursive$/,
    here: 'whenItWalks',
    focus: 'pattern',
    reduces: someLines,
  },
  {
    names: 'egrep fgrep',
    leavesEarly: findsEnough,
    inert: true,
    readsSteadily: true,
    answers: [{ codes: [1] }],
    planned: 'nothing',
    onlyTests: true,
    walks: /^-[A-Za-z]*[rR]|^--recursive$/,
    here: 'whenItWalks',
    focus: 'pattern',
    reduces: someLines,
  },
  { names: 'rgrep', inert: true, focus: 'pattern' },
  { names: 'look diff3 sdiff comm', inert: true, answers: [{ codes: [1] }] },
  {
    names: 'cmp',
    inert: true,
    readsSteadily: true,
    answers: [{ codes: [1] }],
    planned: 'nothing',
    onlyTests: true,
  },
  {
    names: 'diff',
    inert: true,
    answers: [{ codes: [1] }],
    planned: 'nothing',
    walks: /^-[A-Za-z]*[rRa]|^--recursive$/,
  },
  { names: 'less', inert: true, usualTool: true, focus: 'script' },
  { names: 'more', inert: true, usualTool: true },
  {
    names: 'cat',
    inert: true,
    readsSteadily: true,
    planned: 'nothing',
    prints: true,
    onlyTests: true,
    passesOn: true,
    usualTool: true,
    reduces: [{ when: /^(?:-[nbsETAv]+)?$/, lines: 'asMany', ends: 0 }],
  },
  {
    names: 'head',
    leavesEarly: true,
    inert: true,
    readsSteadily: true,
    planned: 'nothing',
    prints: true,
    onlyTests: true,
    usualTool: true,
    focus: 'head',
    reduces: firstOrLast,
  },
  {
    names: 'tail',
    inert: true,
    readsSteadily: /^(?!.*(?:^| )(?:-\S*[fF]|--follow|--retry))/,
    planned: 'nothing',
    prints: true,
    focus: 'tail',
    reduces: firstOrLast,
  },
  { names: 'nl', inert: true, readsSteadily: true, focus: 'script' },
  {
    names: 'wc',
    inert: true,
    readsSteadily: true,
    planned: 'nothing',
    prints: true,
    onlyTests: true,
    tells: 'files',
    reduces: [
      { when: /^(?:-[lwcmL]|--(?:lines|words|bytes|chars))$/, lines: 1, isNumber: true, ends: 0 },
      { when: /^(?:-[lwcmL]+)?$/, lines: 1, ends: 0 },
    ],
  },
  {
    names: 'cut',
    inert: true,
    readsSteadily: true,
    planned: 'nothing',
    prints: true,
    reduces: [{ when: /^(?:-d\0?[^\0]\0)?-[fc]\0?[1-9]\d{0,3}(?:-|(?:,[1-9]\d{0,3})+)?$/, lines: 'asMany', ends: 0 }],
  },
  {
    names: 'tr',
    inert: true,
    readsSteadily: true,
    planned: 'nothing',
    prints: true,
    decodes: true,
    reduces: [{ when: /^-d\0[^-\0[\\]+$/, lines: 'asMany', ends: 0 }],
  },
  {
    names: 'shuf',
    inert: true,
    races: { unless: /^--random-source/, isChance: true },
    writes: { options: outputOption, bundles: true },
  },
  { names: 'seq', inert: true, needsNoFile: true, planned: 'nothing', prints: true },
  { names: 'shasum', known: [{ unless: /^PERL/, code: ['.pm', '.pl'] }], prints: true },
  { names: 'cksum md5sum sha1sum sha256sum', inert: true, tells: true },
  { names: 'base64', inert: true, passesOn: true, decodes: /^(?:-[a-z]*[dD][a-z]*|--decode)$/ },
  { names: 'base32 basenc', inert: true, decodes: /^(?:-[a-z]*[dD][a-z]*|--decode)$/ },
  { names: 'expr', inert: true, answers: [{ codes: [1] }], needsNoFile: true },
  { names: 'gsed', planned: 'sed' },
  { names: 'ugrep colordiff', answers: [{ codes: [1] }] },
  { names: 'yamlfmt', makes: writesOption },
];
