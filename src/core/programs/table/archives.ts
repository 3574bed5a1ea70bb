import type { Doing, Program, ProgramRule, Unpacks, Writes } from '../program.ts';
import { outputOption } from './outputOptions.ts';

const packing: Doing = {
  effect: 'files',
  care: 'cv',
  says: 'packs or unpacks files',
  oldOptions: true,
  valued:
    '-f --file -C --directory -d --to-command --checkpoint-action -I --use-compress-program -F --info-script --rsh-command',
  paths: true,
  rules: [
    [
      'd',
      '--to-command|--checkpoint-action|--use-compress-program|-I|--info-script|--new-volume-script|--rsh-command',
      'runs another program for its work',
      'code-execution',
    ],
    ['d', '-C=^(/|/(etc|usr|bin|boot|lib|sbin|var)(/.*)?)$', 'unpacks over the files of the system'],
    ['d', '--directory=^(/|/(etc|usr|bin|boot|lib|sbin|var)(/.*)?)$', 'unpacks over the files of the system'],
    ['d', '-d=^(/|/(etc|usr|bin|boot|lib|sbin|var)(/.*)?)$', 'unpacks over the files of the system'],
    ['dv', '-P|--absolute-names', 'unpacks to wherever the archive says'],
    ['d', '-F=^[\\w.@-]+:', 'sends or fetches an archive{: rest}', 'network'],
    ['d', '-f=^[\\w.@-]+:', 'sends or fetches an archive{: rest}', 'network'],
    ['d', '--file=^[\\w.@-]+:', 'sends or fetches an archive{: rest}', 'network'],
    ['dv', '--remove-files', 'deletes the files that it packed'],
    ['s', '-t|--list|-l', 'only lists'],
    ['c', '%secret', 'packs keys or settings{: rest}'],
  ],
};

const compressing: Doing = {
  effect: 'files',
  care: 'cv',
  says: 'replaces {rest} by its packed or unpacked form',
  paths: true,
  rules: [
    ['s', '-l|--list|-t|--test|-h|--help|--version', 'only shows'],
    ['c', '%secret', 'packs keys or settings{: rest}'],
    ['s', '#0', 'packs or unpacks its input'],
    ['s', '-c|--stdout|--to-stdout', 'only prints'],
  ],
};

/** Zip keeps what it packs. */
const zipping: Doing = {
  effect: 'files',
  care: 'cv',
  says: 'packs files',
  valued: '-x -i -n -b -t -tt -O --out -P',
  paths: true,
  rules: [
    ['dv', '-TT', 'may run another program', 'code-execution'],
    ['dv', '-m|--move', 'deletes the files that it packed'],
    ['s', '-h|--help|-sf', 'only shows'],
    ['s', '-v|-T|--test !#2', 'only shows'],
    ['cv', '-d|--delete', 'takes files out of an archive'],
    ['c', '%secret', 'packs keys or settings{: rest}'],
  ],
};

const keeps: ProgramRule = ['cv', '-k|--keep', 'makes a packed or unpacked copy of {rest}'];
const replacing: Doing = { ...compressing, rules: [...(compressing.rules ?? []), keeps] };

/** These keep what they pack unless they are told to remove it. */
const copying: Doing = {
  ...compressing,
  rules: [...(compressing.rules ?? []), ['cv', '--rm|-j', compressing.says], ['cv', '', keeps[2]]],
};

const archiving: Doing = {
  effect: 'files',
  care: 'cv',
  says: 'packs or unpacks files',
  oldOptions: true,
  rules: [
    ['s', '-t|-p|--help|--version|-V', 'only lists'],
    ['sh', '#0', 'only prints its help'],
  ],
};

/** The first word says what it does. */
const packingByWord: Doing = {
  effect: 'files',
  care: 'cv',
  says: 'packs or unpacks files',
  valued: '-o -p -w -m -x -i -t -v',
  rules: [
    ['s', 'l|lt|lb|t|b|h|i|v|vb|vt|p', 'only lists'],
    ['d', '-sdel|-df|-dr', 'deletes the files that it packed'],
    ['d', 'm|mf', 'deletes the files that it packed{: rest}'],
    ['cv', 'd', 'takes files out of an archive'],
    ['d', '-o=^(/|/(etc|usr|bin|boot|lib|sbin|var)(/.*)?)$', 'unpacks over the files of the system'],
    ['c', '%secret', 'packs keys or settings{: rest}'],
  ],
};

/** Words with which tar makes or adds to an archive. */
const packs = /^-?\w*[cru]|(?: |^)(?:--(?:create|append|update)|-\w*[cru])/;

/** Words with which a compressor stores no time: it unpacks, looks, or is told not to. */
const compressesWithTime = /^(?!.*(?:^| )(?:-\w*[dtlhVn]|--(?:decompress|uncompress|test|list|help|version|no-name)))/;

/** Only a new archive takes the place of what stands there. */
const writesArchive: Writes = {
  by: 'tar',
  overwrites: { when: /^(?:-[a-zA-Z]*c[a-zA-Z]*|c[a-zA-Z]*f[a-zA-Z]*|--create)$/ },
};

/** What is in the archive stays in it. */
const addsToArchive: Writes = { word: 'second', when: /^(?:a|u|d|f|m|rn)$/, overwrites: false };

const unpacksTar: Unpacks = {
  when: /^-?[a-zA-Z]*x|(?:^| )(?:-[a-zA-Z]*x[a-zA-Z]*|--extract|--get)(?: |$)/,
  into: /^(?:-C|--directory)$/,
};
const unpacksZip: Unpacks = { when: /^(?!.*(?:^| )-[a-zA-Z]*[ltpvzZ]).*\S/, into: /^-d$/ };
const unpacks7z: Unpacks = { when: /^(?:x|e)(?: |$)/, into: /^-o$/ };

/** Archives and compressors. */
export const archives: readonly Program[] = [
  {
    names: 'tar',
    inert: true,
    showsStatus: true,
    storesTimes: packs,
    storesReadTimes: { when: /--format[= ](?:posix|pax)|--posix|-H ?(?:posix|pax)/ },
    countsLinks: true,
    planned: 'tar',
    writes: writesArchive,
    passesOn: true,
    unpacks: unpacksTar,
    pacedLines: /^Total bytes (?:written|read|deleted): /,
    walks: true,
    needsEntry: true,
    // gzip and bzip2 store no time of what comes from a pipe; xz packs in threads.
    steady: { mode: /^-?c[zj]?f$/, options: /^-c[zj]?f$/, places: true, alone: true },
    does: packing,
  },
  {
    names: 'bsdtar',
    showsStatus: true,
    storesTimes: packs,
    countsLinks: true,
    planned: 'tar',
    writes: writesArchive,
    passesOn: true,
    unpacks: unpacksTar,
    does: packing,
  },
  {
    names: 'gtar',
    storesTimes: packs,
    planned: 'tar',
    writes: writesArchive,
    passesOn: true,
    unpacks: unpacksTar,
    does: packing,
  },
  {
    names: 'cpio',
    inert: true,
    showsStatus: true,
    storesTimes: /(?:^| )(?:-\w*o|--create)/,
    countsLinks: true,
    does: packing,
  },
  { names: 'pax', inert: true, storesTimes: true, does: packing },
  { names: 'unzip', inert: true, planned: 'unzip', passesOn: true, unpacks: unpacksZip, does: packing },
  { names: '7z', unpacks: unpacks7z, storesTimes: true, writes: addsToArchive, walks: true, does: packingByWord },
  { names: '7za rar', unpacks: unpacks7z, storesTimes: true, writes: addsToArchive, does: packingByWord },
  { names: '7zr unrar', unpacks: unpacks7z, does: packingByWord },
  { names: 'unar', unpacks: unpacks7z, does: packing },
  { names: 'gzip', inert: true, storesTimes: compressesWithTime, packsInput: true, does: replacing },
  { names: 'lzop', inert: true, storesTimes: compressesWithTime, does: copying },
  { names: 'pigz', inert: true, storesTimes: compressesWithTime, does: replacing },
  { names: 'bzip2', inert: true, packsInput: true, does: replacing },
  { names: 'xz lzma lzip', inert: true, does: replacing },
  { names: 'unzstd', inert: true, does: copying },
  { names: 'zstd lz4', inert: true, writes: { options: outputOption, bundles: true }, does: copying },
  { names: 'compress uncompress', does: replacing },
  { names: 'gunzip', inert: true, passesOn: true, decodes: true, does: replacing },
  { names: 'bunzip2 unxz', inert: true, decodes: true, does: replacing },
  {
    names: 'zip',
    inert: true,
    showsStatus: true,
    storesTimes: true,
    storesReadTimes: { unless: /(?:^| )(?:-\w*X|--no-extra)/ },
    writes: { word: 'first' },
    walks: true,
    needsEntry: true,
    does: zipping,
  },
  { names: 'brotli', inert: true, writes: { options: outputOption }, does: copying },
  { names: 'ar', inert: true, writes: { word: 'second' }, usualTool: true, does: archiving },
  { names: 'zcat xzcat', inert: true, decodes: true },
  { names: 'zgrep', inert: true, answers: [{ codes: [1] }], focus: 'pattern' },
  { names: 'zegrep zfgrep', inert: true, focus: 'pattern' },
  { names: 'zdiff zcmp bzgrep xzgrep xzdiff zstdgrep', inert: true, answers: [{ codes: [1] }] },
  {
    names:
      'zless zmore unpigz bzcat bzdiff bzless pbzip2 xzless unlzma lzcat zstdcat zstdless unlz4 lz4cat zipinfo zipnote zipsplit zipgrep funzip',
    inert: true,
  },
  {
    names: 'jar',
    storesTimes: true,
    writes: { word: 'second', when: /^-?[cu][a-zA-Z0]*$/, overwrites: { when: /^-?c[a-zA-Z0]*f[a-zA-Z0]*$/ } },
  },
];
