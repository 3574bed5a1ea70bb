import type { Level } from './level.ts';
import { programName } from './wrappers.ts';

/** What a text of a programming language would obviously do. */
export interface InlineCodeFinding {
  level: Exclude<Level, 'safe'>;
  /** One clause whose subject is the code. */
  says: string;
}

const codeOptions: Readonly<Record<string, RegExp>> = {
  python: /^-[a-zA-Z]*c$/,
  pypy: /^-[a-zA-Z]*c$/,
  ipython: /^-c$/,
  perl: /^-[a-zA-Z0]*[eE]$/,
  ruby: /^-[a-z]*e$/,
  node: /^(-e|-p|-pe|--eval|--print)$/,
  nodejs: /^(-e|-p|-pe|--eval|--print)$/,
  bun: /^(-e|-p|--eval|--print)$/,
  deno: /^eval$/,
  php: /^(-r|-B|-R|-E)$/,
  lua: /^-e$/,
  Rscript: /^-e$/,
  osascript: /^-e$/,
  julia: /^(-e|-E)$/,
  elixir: /^-e$/,
  groovy: /^-e$/,
  scala: /^-e$/,
};

/** Name of the language that a program interprets: `python3.11` interprets python. */
export function interpreterOf(name: string): string | undefined {
  const language = programName(name).replace(/[\d.]+(w|m)?$/, '');
  return Object.hasOwn(codeOptions, language) ? language : undefined;
}

/** The code that stands among the arguments (`python -c …`), or is read (`python <<E`); `undefined` when there is none. */
export function inlineCodeOf(argv: readonly string[], inputText: string | undefined): string | undefined {
  const language = interpreterOf(argv[0] ?? '');
  if (language === undefined) return undefined;
  const option = codeOptions[language];
  for (const [index, word] of argv.entries()) {
    if (index === 0 || !option) continue;
    if (option.test(word)) return argv[index + 1];
    const attached = /^-[ce](.+)$/.exec(word)?.[1];
    if (attached !== undefined && option.test(word.slice(0, 2))) return attached;
  }
  const hasFile = argv.slice(1).some((word) => !word.startsWith('-'));
  return hasFile ? undefined : inputText;
}

// Calls by which the usual languages destroy, run, send or read secrets. They only raise: silence proves nothing.
const calls: readonly (readonly [RegExp, InlineCodeFinding['level'], string])[] = [
  [
    /\b(rmtree|removedirs|rm_rf|rm_r|remove_dir_all|rimraf|remove_entry|File::Path|remove_tree|deleteRecursively)\b/,
    'danger',
    'deletes directories',
  ],
  [
    /\b(rmSync|rmdirSync|fs(\.promises|Promises)?\.(rm|rmdir)|unlinkSync|fs(\.promises)?\.unlink)\b/,
    'danger',
    'deletes files',
  ],
  [
    /\b(os|File|Path\([^)]*\)|path|pathlib[\w.()'"/]*|Dir|FileUtils|fs)\.(remove|unlink|rmdir|delete|rm|rm_f|truncate)\b|\bunlink\b|\bDeno\.remove/,
    'danger',
    'deletes files',
  ],
  [
    /\b(system|popen\w*|exec\w*|spawn\w*|shell_exec|passthru|proc_open|check_output|check_call|subprocess\.\w+|getoutput|qx|Popen|pty\.spawn|child_process|do shell script|Deno\.(run|Command))\b.*\b(rm|dd|mkfs|shred|curl|wget|nc|git|sudo|chmod|chown|kill|shutdown|reboot|bash|sh)\b/s,
    'danger',
    'runs other programs',
  ],
  [/`[^`]*\b(rm|dd|mkfs|curl|wget|git\s+(reset|clean|push))\b[^`]*`/, 'danger', 'runs other programs'],
  [
    /\b(os\.system|popen\w*|subprocess|shell_exec|passthru|proc_open|child_process|execSync|spawnSync|pty\.spawn|system)\b/,
    'caution',
    'runs other programs',
  ],
  [
    /\b(exec|eval|system|subprocess|Function|popen)\b[\s\S]*\b(b64decode|decode_base64|atob|base64_decode|from_base64)\b|\b(b64decode|decode_base64|atob|base64_decode|from_base64)\b[\s\S]*\b(exec|eval|system|subprocess|Function|popen)\b|\b(marshal|pickle)\.loads|urlopen[\s\S]*\bexec|\bexec\b[\s\S]*urlopen/,
    'danger',
    'runs code that is hidden or fetched',
  ],
  [
    /\b(b64decode|decode_base64|atob|base64_decode|from_base64|marshal\.loads|pickle\.loads|exec\s*\(|eval\s*\(|__import__|compile\s*\()/,
    'caution',
    'unpacks or runs text',
  ],
  [
    /\b(urlopen|urlretrieve|requests\.\w+|http\.client|urllib|Net::HTTP|fetch\s*\(|https?\.(get|request)|XMLHttpRequest|socket\b|fsockopen|IO::Socket|TCPSocket|axios|WebClient|LWP)/,
    'caution',
    'talks to the network',
  ],
  [
    /\.ssh|id_rsa|\.aws|\.env\b|credentials|\/etc\/(passwd|shadow)|os\.environ|process\.env|ENV\[|%ENV/,
    'caution',
    'reads keys, passwords or the environment',
  ],
  [
    /open\s*\([^)]*['"][wa]b?\+?['"]|write_text|write_bytes|writeFile|appendFile|createWriteStream|File\.write|file_put_contents|open\s*\(?\s*\w*,?\s*['"]>/,
    'caution',
    'writes files',
  ],
  [
    /\b(os\.kill|process\.kill|Process\.kill|os\.chmod|chmodSync|os\.chown|shutil\.move|os\.rename|renameSync|copyfile|os\.replace)\b/,
    'caution',
    'changes files or processes',
  ],
  [/\b(while\s+(True|1|\(1\)|\(true\))|os\.fork|fork\s*\(\))/, 'caution', 'may run without end'],
];

/** What inline code would obviously do, worst first. Empty: nothing obvious, which proves nothing. */
export function findInlineCode(code: string): InlineCodeFinding[] {
  const found = calls.filter(([pattern]) => pattern.test(code)).map(([, level, says]) => ({ level, says }));
  const network = found.some(({ says }) => says === 'talks to the network');
  const secrets = found.some(({ says }) => says.startsWith('reads keys'));
  if (network && secrets)
    found.push({ level: 'danger', says: 'reads keys or the environment and talks to the network' });
  return found.sort((a, b) => (a.level === b.level ? 0 : a.level === 'danger' ? -1 : 1));
}
