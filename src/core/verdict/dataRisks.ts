import { posix } from 'node:path';
import type { ProgramFact } from '../facts/programFact.ts';
import type { Evidence, Risk } from '../facts/risk.ts';
import { isGit } from '../programs/gitCommand.ts';
import { outputsOf } from '../programs/outputs.ts';
import type { Program } from '../programs/program.ts';
import { programName } from '../programs/programName.ts';
import { holds, programOf } from '../programs/programOf.ts';
import { classifyTarget, isSecret, type Place, resolveTarget } from '../programs/targets.ts';
import type { StaticProgram } from '../shell/evaluated.ts';
import { shellOf } from '../shell/shells.ts';
import { callAsEvidence, namesAsEvidence } from './evidence.ts';

// Files that these options name are used as keys, not sent.
const identityOptions = /^(-i|-E|--cert|--key|--cacert|--capath|--identity|-k|--tlscacert|--tlskey)$/;

/** Whether this call sends to another machine. */
function sends({ argv: [name = '', ...words] }: { argv: readonly string[] }): boolean {
  return holds(programOf(name)?.sends, words);
}

/** Whether a program of this name reads commands. */
export function readsCommands(name: string): boolean {
  return programOf(name)?.isMany === true || shellOf(name) !== undefined;
}

/** Whether a program of this name reads commands, or code of a programming language. */
export function readsCode(name: string): boolean {
  return readsCommands(name) || programOf(name)?.runsInput === true;
}

/** All programs whose output reaches a program through pipes, nearest first. */
export function upstream(program: StaticProgram): StaticProgram[] {
  const found: StaticProgram[] = [];
  let from = program.readsFrom;
  // The last of a pipeline reads from the one before, which has its own; a group has several.
  for (let hops = 0; from.length > 0 && hops < 64; hops++) {
    found.push(...from);
    from = from.flatMap((one) => one.readsFrom);
  }
  return found;
}

/** Stands for all variables among the names of files. */
const environment = Symbol('environment');

/** A starter has the words of what it starts behind its own: `sudo tee x`. */
function isStartedBy({ inside, argv }: StaticProgram, { argv: outer }: StaticProgram): boolean {
  if (inside === undefined || argv.length === 0 || argv.length >= outer.length) return false;
  const own = outer.length - argv.length;
  return argv.every((word, index) => word === outer[own + index]);
}

/** So many words of programs that ran are looked at. */
const mostWords = 20_000;

/** With one of these a search prints no content: names, counts, nothing. */
const printsNoContent =
  /^-[a-zA-Z]*[qlLc]|^--(quiet|silent|files|files-with-matches|files-without-match|count|count-matches)$/;

/** Whether a program prints, or passes on, what the files contain that its words name. */
function showsContent(row: Program | undefined, words: readonly string[]): boolean {
  if (row?.inert !== true || row.builtIn || row.tells || row.opensNothing || row.needsEntry || row.starts) return false;
  if (row.leavesContents || row.removesNamed || row.harms) return false;
  return row.focus !== 'pattern' || !words.some((word) => printsNoContent.test(word));
}

/** Files with keys that a program was really given, by a pattern, a loop or what another one printed. */
function givenSecrets(runs: readonly ProgramFact[]): string[] {
  const found: string[] = [];
  let left = mostWords;
  for (const { argv, cwd, basis, id } of runs) {
    const [name = '', ...words] = argv;
    if (id === undefined || (basis !== 'rehearsed' && basis !== 'remembered') || isGit(name)) continue;
    if (!showsContent(programOf(name), words)) continue;
    const written = new Set(outputsOf(argv));
    for (const word of words) {
      if (left-- <= 0) return found;
      if (!/^-/.test(word) && /[./]|^id_/.test(word) && !written.has(word) && isSecret(posix.resolve(cwd, word)))
        found.push(word);
    }
  }
  return found;
}

/** A folder that holds keys for certain, because it is a home or above all, in which a call searches or shows every file. */
function searchedHome({ argv, inside, readsFrom }: StaticProgram, place: Place): string | undefined {
  const [name = '', ...words] = argv;
  const row = programOf(name);
  if (!showsContent(row, words)) return undefined;
  const roots = (of: readonly string[]) =>
    of.find((word) => {
      if (word.startsWith('-')) return false;
      return classifyTarget(word, place).has('home') || resolveTarget(word, place) === '/';
    });
  if (row?.focus === 'pattern' && holds(row.walks, words)) {
    const isWhole = row.walks !== true || words.some((word) => /^-[a-z]*(uu|\.)|^--hidden$/.test(word));
    return isWhole && !words.some((word) => /^--(include|glob|iglob|type)\b|^-[gt]/.test(word))
      ? roots(words.slice(1))
      : undefined;
  }
  // `find ~ -exec cat {} +`, `find ~ | xargs cat`
  const finder = inside?.moreArguments === 'found' ? ['find', ...inside.options] : readsFrom.find(finds)?.argv;
  if (!finder || inside?.moreArguments === undefined) return undefined;
  return finder.some((word) => /^-(i?name|i?path|i?regex)$/.test(word)) ? undefined : roots(finder.slice(1));
}

function finds({ argv: [name = ''] }: StaticProgram): boolean {
  return /^g?find$/.test(programName(name));
}

/** Keys and passwords that are read, and whether they could be sent. `runs`: what was started. */
export function secretRisks(
  programs: readonly StaticProgram[],
  place: Place,
  runs: readonly ProgramFact[] = [],
): Risk[] {
  const secrets = new Set<string | typeof environment>();
  const unread = new Set<string>();
  let sender: StaticProgram | undefined;
  for (const program of programs) {
    const row = programOf(program.argv[0] ?? '');
    const written = new Set(outputsOf(program.argv));
    const started = row?.starts && programs.find((other) => isStartedBy(other, program));
    const read = [
      // What it starts reads its own words.
      ...(row?.opensNothing ? [] : program.argv.slice(1, started && program.argv.length - started.argv.length)),
      ...program.redirects.filter(({ operator }) => operator === '<').map(({ target }) => target),
    ];
    for (const [index, word] of read.entries()) {
      if (identityOptions.test(read[index - 1] ?? '') && row?.usesKeys) continue;
      const path = word.replace(/^[\w-]*[=@]+@?/, '');
      if (written.has(path) || written.has(word)) continue;
      // A bare word like `token` is rather a pattern or a message than a file.
      if (!/[./]|^id_/.test(path)) continue;
      if (/^-/.test(path) || !classifyTarget(path, place).has('secret')) continue;
      const isRead = !row?.leavesContents && !row?.removesNamed;
      if (!isRead && !secrets.has(path)) unread.add(path);
      if (isRead) unread.delete(path);
      secrets.add(path);
    }
    const home = searchedHome(program, place);
    if (home !== undefined) secrets.add(home);
    if (row?.printsEnvironment && program.argv.length === 1) secrets.add(environment);
    const opens = program.redirects.some(({ target }) => /^\/dev\/(tcp|udp)\//.test(target));
    if (opens || sends(program)) sender ??= program;
  }
  for (const path of givenSecrets(runs)) {
    unread.delete(path);
    secrets.add(path);
  }
  const [first] = secrets;
  if (first === undefined) return [];
  const names = [...secrets];
  if (sender) {
    const evidence = names.map(
      (name): Evidence => (name === environment ? { kind: 'environment' } : { kind: 'name', name }),
    );
    const path = first === environment ? {} : { path: first };
    return [
      { level: 'danger', fact: { kind: 'sendsSecret', ...path }, evidence: [...evidence, callAsEvidence(sender)] },
    ];
  }
  // Whose names, modes or owners alone are changed, or that go, nobody reads.
  const paths = names.filter((name): name is string => name !== environment && !unread.has(name));
  const [path] = paths;
  if (path === undefined) return [];
  return [{ level: 'caution', fact: { kind: 'readsSecret', path }, evidence: namesAsEvidence(paths) }];
}
