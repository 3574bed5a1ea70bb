import type { Doing, Program } from '../program.ts';
import { defaultFiles } from './defaultFiles.ts';

const runningCode: Doing = {
  effect: 'code-execution',
  care: 'c',
  says: 'runs code',
  valued: '-m',
  helps: true,
  rules: [
    ['d', '-m=^(pip|ensurepip)$ uninstall', 'removes packages'],
    ['c', '-m=^http\\.server$', 'opens the directory to the network', 'network'],
    ['s', '-V|-v|--version|--help|-version', 'only prints'],
  ],
};

/** Interpreters: what they run is somebody’s code. Inline code is looked at for destructive calls elsewhere. */
export const languages: readonly Program[] = [
  {
    names: 'python python2 python3',
    language: 'python',
    codeOption: /^-[a-zA-Z]*c$/,
    codeOnly: /^(?:-[BEIPSqsu]+ )*-[BEIPSqsu]*c$/,
    runsInput: true,
    reads: [defaultFiles.pythonTest, defaultFiles.python],
    follows: true,
    does: runningCode,
  },
  {
    names: 'pypy pypy3',
    language: 'python',
    codeOption: /^-[a-zA-Z]*c$/,
    codeOnly: /^(?:-[BEIPSqsu]+ )*-[BEIPSqsu]*c$/,
    runsInput: true,
    does: runningCode,
  },
  {
    names: 'node nodejs',
    language: 'javascript',
    codeOption: /^(?:-e|-p|-pe|--eval|--print)$/,
    codeOnly: /^(?:-e|-p|-pe|--eval|--print)$/,
    runsInput: true,
    reads: [defaultFiles.package],
    follows: true,
    does: runningCode,
  },
  {
    names: 'perl',
    language: 'perl',
    codeOption: /^-[a-zA-Z0]*[eE]$/,
    runsInput: true,
    follows: true,
    focus: 'script',
    does: runningCode,
  },
  {
    names: 'ruby',
    language: 'ruby',
    codeOption: /^-[a-z]*e$/,
    runsInput: true,
    reads: [defaultFiles.ruby],
    follows: true,
    does: runningCode,
  },
  {
    names: 'php',
    language: 'php',
    codeOption: /^(?:-r|-B|-R|-E)$/,
    runsInput: true,
    reads: [defaultFiles.php],
    follows: true,
    does: runningCode,
  },
  { names: 'lua', language: 'lua', codeOption: /^-e$/, runsInput: true, does: runningCode },
  {
    names:
      'luajit r kotlin java jshell ghci guile racket sbcl erl escript ocaml octave coffee qjs gjs cscript wscript mshta py bpython',
    does: runningCode,
  },
  { names: 'tclsh irb', runsInput: true, does: runningCode },
  { names: 'Rscript', language: 'Rscript', codeOption: /^-e$/, runsInput: true, does: runningCode },
  { names: 'julia', language: 'julia', codeOption: /^(?:-e|-E)$/, does: runningCode },
  { names: 'groovy', language: 'groovy', codeOption: /^-e$/, does: runningCode },
  { names: 'scala', language: 'scala', codeOption: /^-e$/, does: runningCode },
  { names: 'osascript', language: 'osascript', codeOption: /^-e$/, runsInput: true, does: runningCode },
  {
    names: 'deno',
    language: 'javascript',
    codeOption: /^eval$/,
    runsInput: true,
    reads: [defaultFiles.deno],
    follows: true,
    does: runningCode,
  },
  { names: 'tsx ts-node', reads: [defaultFiles.typeScript], follows: true, does: runningCode },
  { names: 'elixir', language: 'elixir', codeOption: /^-e$/, reads: [defaultFiles.mix], does: runningCode },
  {
    names: 'ipython',
    language: 'python',
    codeOption: /^-c$/,
    codeOnly: /^(?:-[BEIPSqsu]+ )*-[BEIPSqsu]*c$/,
    does: runningCode,
  },
];
