import type { StaticPlace, StaticProgram } from '../shell/evaluated.ts';
import { readScript } from '../shell/script.ts';
import type { ScriptCommand, ScriptNode, ScriptReading } from '../shell/scriptReading.ts';
import { describeProgram } from './describeProgram.ts';
import { holds, programOf } from './programOf.ts';
import { findStaticPrograms } from './staticPrograms.ts';

/**
 * The one program of a line that may not run by itself, between words that only go somewhere, look or filter what it prints:
 * `cd x && npm test 2>&1 | tail -20; echo $?`. What it does is the same whatever stands behind it, as long as that reads all of it.
 */
export interface LineUnit {
  /**
   * A line of its own in which it begins as it does in this one: from the same folder, with the same variables, as a process of
   * the shell's, and where it writes into a pipe with `cat` behind it.
   */
  script: string;
  /** It writes into a pipe of the line. */
  isPiped: boolean;
  /** Its errors go where its output goes, or nowhere: nobody sees them apart. */
  hasNoErrors: boolean;
  /** Something ran before it, so that the state in which it begins has to be looked at. */
  isBehind: boolean;
  /** So many lines are read of it, where a program behind it may leave early then. */
  mostLines: number | undefined;
  /** Words of those that read what it prints, and may name files; absolute. */
  beside: readonly string[];
}

/** Options of the shell that no program sees. */
const shellOption = /^(?:-[eux]+|-[eux]*o|pipefail|errexit|nounset|xtrace)$/;

/** How much the words of a longer line cost nobody has to know. */
const longestLine = 4_000;

/** The unit of a line that bash is given, or nothing where it has another form. Never throws. */
export function lineUnit(script: string, place: StaticPlace): LineUnit | undefined {
  if (script.length > longestLine) return undefined;
  const reading = readScript(script);
  if (reading.problem || reading.functions.length > 0 || !isPlain(reading.body)) return undefined;
  const all = findStaticPrograms(reading, place);
  const programs = all.filter(({ inside }) => !inside);
  const [core, ...more] = programs.filter((program) => !isQuiet(program));
  if (!core || more.length > 0 || programs.length !== reading.commands.length) return undefined;
  // What another program than this one starts is none of its own.
  const own = all.indexOf(core) + 1;
  if (all.some(({ inside }, index) => inside && !all.slice(own, index).every((one) => one.inside))) return undefined;
  if (all.slice(0, own).some(({ inside }) => inside)) return undefined;
  if (!isKnown(core) || core.readsFrom.length > 0 || runsByItself(core)) return undefined;
  return unitOf(reading, programs, core);
}

/** An inert program, or a word of the shell. */
function runsByItself({ argv: [word = ''] }: StaticProgram): boolean {
  const { inert, steers, evaluates, shellReads, planned, needsNoFile } = programOf(word) ?? {};
  return (
    inert === true ||
    steers === true ||
    evaluates === true ||
    shellReads === true ||
    planned === 'nothing' ||
    needsNoFile === true
  );
}

function unitOf(
  reading: ScriptReading,
  programs: readonly StaticProgram[],
  core: StaticProgram & { command: ScriptCommand },
): LineUnit | undefined {
  const at = programs.indexOf(core);
  const before = programs.slice(0, at);
  const readers = readersOf(core, programs);
  const behind = programs.slice(at + 1).filter((one) => !readers.includes(one));
  // Then it is remembered with the whole line.
  if (readers.length + behind.length === 0) return undefined;
  if (behind.some(({ argv }) => holds(programOf(argv[0] ?? '')?.showsStatus, argv.slice(1)))) return undefined;
  const mostLines = linesRead(readers.map(({ argv }) => argv));
  if (mostLines === 'unknown') return undefined;
  const hasNoErrors = core.redirects.some(({ descriptor }) => descriptor === 2);
  const tells = /\bPIPESTATUS\b|\bpipefail\b/.test(reading.source);
  if (mostLines !== undefined && (tells || !hasNoErrors)) return undefined;
  const text = ({ pos, end }: ScriptCommand) => reading.source.slice(pos, end);
  const ways = before.flatMap(({ argv, command }) => (argv[0] === 'cd' && command ? [`${text(command)} && `] : []));
  return {
    script: `${ways.join('')}${text(core.command)}${readers.length > 0 ? ' | cat' : '; :'}`,
    isPiped: readers.length > 0,
    hasNoErrors,
    isBehind: before.length > ways.length,
    mostLines,
    beside: readers.flatMap(({ argv, cwd }) =>
      argv.slice(1).map((word) => (word.startsWith('/') ? word : `${cwd}/${word}`)),
    ),
  };
}

/** Commands one after the other and pipelines of them, in the foreground of one shell. */
function isPlain(node: ScriptNode): boolean {
  switch (node.kind) {
    case 'list':
    case 'choice':
      return node.items.every(isPlain);
    case 'pipeline':
      return !node.isNegated && node.items.every(({ kind }) => kind === 'command') && node.items.every(isPlain);
    case 'command':
      return !node.command.background;
    default:
      return false;
  }
}

/** Nobody sees that it ran but in what it prints and how it ends. */
function isQuiet(program: StaticProgram): boolean {
  const { argv, fields, cwd, substituted, env, command, inside } = program;
  const [word = '', ...words] = argv;
  if (!command || inside || substituted.length > 0 || Object.keys(env).length > 0 || !leadsNowhere(command))
    return false;
  if (word === 'exit') return true;
  if (word === 'cd') return isKnown(program) && words.length === 1 && words[0] !== '-';
  if (word === 'set') return words.every((one) => shellOption.test(one));
  const row = programOf(word);
  // A word of the shell that looks at nothing and changes nothing.
  if (row?.needsNoFile === true && row.planned === 'nothing' && !row.starts && (row.inert || row.prints)) return true;
  if (row?.inert !== true || row.shellReads || row.steers || row.starts || fields[0]?.isOpen) return false;
  const { known, onlyLooks, level, effects } = describeProgram(argv, cwd);
  return known && onlyLooks && level === 'safe' && effects.length === 0;
}

/** All its words are letters, and nothing is redirected but errors. */
function isKnown(program: StaticProgram): program is StaticProgram & { command: ScriptCommand } {
  const { fields, substituted, command, inside, isLost } = program;
  if (!command || inside || isLost || substituted.length > 0 || fields.length === 0 || !leadsNowhere(command))
    return false;
  return (
    fields.every(({ isOpen, pattern }) => !isOpen && pattern === undefined) &&
    command.assignments.every(({ value, append }) => !append && value?.pieces.every(({ kind }) => kind === 'literal'))
  );
}

/** Redirections to where nobody looks, and of errors to where the output goes. */
function leadsNowhere({ redirects }: ScriptCommand): boolean {
  return redirects.every(({ operator, descriptor, target, outer }) => {
    if (outer || target?.pieces.some(({ kind }) => kind !== 'literal')) return false;
    if (operator === '>&') return descriptor === 2 && target?.text === '1';
    return target?.text === '/dev/null' && (operator === '<' || (operator === '>' && descriptor === 2));
  });
}

/** Who reads what it prints, one from the other, in their order. */
function readersOf(core: StaticProgram, programs: readonly StaticProgram[]): StaticProgram[] {
  const found: StaticProgram[] = [];
  for (let last: StaticProgram | undefined = core; last; ) {
    const from: StaticProgram = last;
    last = programs.find(({ readsFrom }) => readsFrom.includes(from));
    if (last) found.push(last);
  }
  return found;
}

/** So many lines are read for certain; `undefined`: all; `unknown`: somebody may leave before, and nobody knows when. */
function linesRead(readers: readonly (readonly string[])[]): number | undefined | 'unknown' {
  let most: number | undefined;
  for (const [index, [word = '', ...words]] of readers.entries()) {
    if (!holds(programOf(word)?.leavesEarly, [words.join(' ')])) continue;
    // Who stands before it hands on no more lines than it gets.
    const isFew = readers
      .slice(0, index)
      .every(([name, ...args]) => name === 'grep' && !args.some((one) => /^-\w*[ABCo0-9]|^--/.test(one)));
    const [, count] = /^(?:-n? ?|--lines=)?(\d*)$/.exec(words.join(' ')) ?? [];
    if (word !== 'head' || !isFew || count === undefined) return 'unknown';
    most = Math.min(most ?? Number.POSITIVE_INFINITY, count === '' ? 10 : Number(count));
  }
  return most;
}
