import { evaluateScript } from '../shell/evaluate.ts';
import type { Started, StaticPlace, StaticProgram } from '../shell/evaluated.ts';
import type { ScriptReading } from '../shell/scriptReading.ts';
import { shellOf } from '../shell/shells.ts';
import { readsCodeFromInput } from './codeFromInput.ts';
import { programName } from './programName.ts';
import { programNamed } from './programOf.ts';
import { startedBy } from './startedBy.ts';

/**
 * The programs that a script would start, with all that they would start in turn: behind `sudo` or `xargs`, in `bash -c`,
 * `eval`, here-documents for shells, traps and programs of awk. Nothing is run or looked up.
 */
export function findStaticPrograms(script: string | ScriptReading, place: StaticPlace): StaticProgram[] {
  return evaluateScript(script, place, { startedBy, scriptsOf, inputFilesOf });
}

/** The files that a call reads in the place of its input, as its words name them: `sftp -b batch host`, `psql --file=a.sql`. */
export function inputFilesOf([name = '', ...words]: readonly string[]): string[] {
  const row = programNamed(programName(name));
  const { inputOption: option, inputWord } = row ?? {};
  const files = words.flatMap((word, index) => {
    const { long, value } = /^(?<long>--[\w-]+)=(?<value>.+)$/s.exec(word)?.groups ?? {};
    if (option?.test(word)) return words[index + 1] ?? [];
    if (long !== undefined && option?.test(long)) return value ?? [];
    const named = word.startsWith('-') ? undefined : inputWord?.exec(word);
    return named ? (named[1] ?? named[0]) : [];
  });
  return files.filter((file) => file !== '-');
}

/** Whether what a call reads from its input, or from files that it names, are statements for a database. */
export function readsStatements(argv: readonly string[]): boolean {
  const statements = programNamed(programName(argv[0] ?? ''))?.readsStatements;
  if (!statements) return false;
  return inputFilesOf(argv).length > 0 || !argv.slice(1).some((word) => statements.unless?.test(word));
}

/** Texts that a call hands to a shell and that are no words for one: what it reads, what stands in its code. */
function scriptsOf(program: StaticProgram): Started[] {
  const { argv, inputText } = program;
  const name = programName(argv[0] ?? '');
  const started = (shellScript: string): Started => ({ by: name, shellScript, env: {}, options: [] });
  if (name === 'trap' && argv[1] && argv[1] !== '-' && argv.length > 2) return [{ ...started(argv[1]), isLater: true }];
  if (name === 'alias')
    return argv
      .slice(1)
      .flatMap((word) =>
        word.includes('=') ? [{ ...started(word.slice(word.indexOf('=') + 1)), isLater: true }] : [],
      );
  if (/^(g?awk|mawk)$/.test(name)) return awkCommands(argv).map(started);
  const typed = typedInto(name, argv);
  if (typed !== undefined) return [{ ...started(typed), isAway: true }];
  if (inputText === undefined) return [];
  const isShell = shellOf(name) !== undefined && readsCodeFromInput(argv);
  // at(1): the folder is the one that it is called in.
  if (runsInputLater(argv)) return [started(inputText)];
  if (!isShell && name !== 'parallel' && name !== 'ssh') return [];
  if (startedBy(argv).length > 0) return [];
  if (name === 'ssh') return logsIn(argv) ? [{ ...started(inputText), elsewhere: 'machine' }] : [];
  return [isShell ? { ...started(inputText), shell: name } : started(inputText)];
}

/** What is typed into a shell that runs somewhere else: `tmux send-keys -t work 'make clean' Enter`, `screen -X stuff 'ls^M'`. */
function typedInto(name: string, argv: readonly string[]): string | undefined {
  const [, ...words] = argv;
  if (name === 'screen') {
    const at = words.indexOf('stuff');
    return at > 0 && words.includes('-X') ? words[at + 1]?.replace(/\\n|\\r|\\015|\^M/g, '\n') : undefined;
  }
  if (name !== 'tmux') return undefined;
  const at = words.findIndex((word) => word === 'send-keys' || word === 'send');
  if (at < 0) return undefined;
  const typed: string[] = [];
  for (let index = at + 1; index < words.length && words[index] !== ';'; index++) {
    const word = words[index] ?? '';
    if (/^-[tNc]$/.test(word)) index++;
    else if (/^(Enter|C-m|C-j|KPEnter)$/i.test(word)) typed.push('\n');
    else if (!/^-\w+$|^[CMS]-.$/.test(word) || typed.length > 0) typed.push(word);
  }
  // Keys are one behind the other, without blanks between them; without the last one nothing is run.
  return typed.includes('\n') ? typed.join('') : undefined;
}

/** `at` and `batch` read what a shell runs later; not with `-f`, or where they only list, show or delete jobs. */
function runsInputLater([name = '', ...words]: readonly string[]): boolean {
  return /^(at|batch)$/.test(programName(name)) && !words.some((word) => /^-[a-zA-Z]*[flrdcV]/.test(word));
}

/** Without a command ssh starts a shell there, which reads what it reads; not with `-N`, `-n` or `-f`. */
export function logsIn(argv: readonly string[]): boolean {
  if (programName(argv[0] ?? '') !== 'ssh' || startedBy(argv).length > 0) return false;
  return !argv.slice(1).some((word) => /^-[a-zA-Z]*[NnfsV]$/.test(word));
}

/** The commands that a program of awk hands to a shell. */
function awkCommands(argv: readonly string[]): string[] {
  const text = argv.slice(1).join(' ');
  return [
    ...text.matchAll(
      /system\s*\(\s*"((?:\\.|[^"\\])*)"|\|&?\s*"((?:\\.|[^"\\])*)"|"((?:\\.|[^"\\])*)"\s*\|\s*&?\s*getline/g,
    ),
  ].map((match) => (match[1] ?? match[2] ?? match[3] ?? '').replace(/\\(.)/g, '$1'));
}
