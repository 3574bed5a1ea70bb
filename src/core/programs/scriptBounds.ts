import { partsOf } from '../shell/assign.ts';
import { readScript, staticText } from '../shell/script.ts';
import type { ScriptCommand, ScriptNode } from '../shell/scriptReading.ts';
import type { Reduction } from './program.ts';
import { programName } from './programName.ts';
import { programNamed } from './programOf.ts';

/** What a script prints and how it ends, whatever its stopped programs do. */
export interface ScriptBounds {
  /** How it ends. Absent: that is not certain. */
  exitCode?: number;
  /** Most lines on standard output from the first stopped program on. Absent: any number. */
  lines?: number;
  /** It is one line with one number. */
  isNumber?: true;
  /** What stopped programs print as errors goes elsewhere, and is not among these lines. */
  errorsApart?: true;
}

/** What is known of the run that the script's text does not tell. */
export interface BoundedRun {
  /** Names, without a path, of the script's own commands behind which programs were stopped. */
  stopped: ReadonlySet<string>;
  /** Whether exactly this call ran in the confinement, and so is the program that its name says. */
  ran(argv: readonly string[]): boolean;
}

/**
 * Reads what is certain behind stopped programs: `… | head -20` prints at most 20 lines and ends with 0, `… || true` ends
 * with 0. What stands before the first of them has ended as it had to, because the run got there. Nothing is claimed of a
 * script with functions, options of the shell or parts that end it early.
 */
export function scriptBounds(script: string, run: BoundedRun): ScriptBounds {
  const { commands, body, functions, problem } = readScript(script);
  if (problem || functions.length > 0) return {};
  const names = commands.map((command) => wordsOf(command)?.[0] ?? '');
  const isOdd = (name: string, index: number) =>
    programNamed(name)?.steers === true ||
    (name === 'exit' && index < names.length - 1) ||
    commands[index]?.background === true;
  const found = new Set(names.map(programName));
  if (names.some(isOdd) || run.stopped.size === 0 || [...run.stopped].some((name) => !found.has(name))) return {};
  const reader = new BoundsReader(run);
  const end = reader.read(body);
  return {
    ...(end.code === undefined ? {} : { exitCode: end.code }),
    ...(end.lines === undefined ? {} : { lines: end.lines }),
    ...(end.isNumber && end.lines === 1 ? { isNumber: true } : {}),
    ...(end.errorsApart ? { errorsApart: true } : {}),
  };
}

/** What is certain of one part of a script; absent values are not. */
interface Certain {
  code?: number | undefined;
  lines?: number | undefined;
  isNumber?: boolean;
  errorsApart?: boolean;
}

/** One reading, which knows whether a stopped program was met. */
class BoundsReader {
  private readonly run: BoundedRun;

  constructor(run: BoundedRun) {
    this.run = run;
  }

  read(node: ScriptNode): Certain {
    switch (node.kind) {
      case 'command':
        return this.command(node.command);
      case 'list':
        return this.inTurn(node.items, () => ';');
      case 'choice':
        return this.inTurn(node.items, (index) => node.operators[index - 1] ?? ';');
      case 'pipeline':
        return this.pipeline(node.items, node.isNegated);
      case 'apart':
        return this.read(node.body);
      default:
        return { errorsApart: true };
    }
  }

  /** What stands before the first stopped program is over when that is reached. */
  private inTurn(items: readonly ScriptNode[], operator: (index: number) => '&&' | '||' | ';'): Certain {
    const first = Math.max(
      0,
      items.findIndex((item) => this.isStopped(item)),
    );
    let so: Certain = {};
    for (const [at, item] of items.entries()) {
      if (at < first) continue;
      const next = this.read(item);
      if (at === first) {
        so = next;
        continue;
      }
      so = {
        code: joined(so.code, operator(at), next.code),
        lines: so.lines === undefined || next.lines === undefined ? undefined : so.lines + next.lines,
        isNumber: next.lines === 0 ? so.isNumber === true : so.lines === 0 && next.isNumber === true,
        errorsApart: so.errorsApart === true || next.errorsApart === true,
      };
    }
    return so;
  }

  private pipeline(items: readonly ScriptNode[], isNegated: boolean): Certain {
    let so: Certain = {};
    for (const [at, item] of items.entries()) {
      const next = item.kind === 'command' ? this.command(item.command, at === 0 ? undefined : so) : this.read(item);
      so = { ...next, errorsApart: so.errorsApart === true || next.errorsApart === true };
      // Of what is no plain command nobody knows how much of its input it shows.
      if (at > 0 && item.kind !== 'command') so.lines = undefined;
    }
    const { code } = so;
    return isNegated && code !== undefined ? { ...so, code: code === 0 ? 1 : 0 } : so;
  }

  /** `before`: what it reads through a pipe. */
  private command(command: ScriptCommand, before?: Certain): Certain {
    const words = wordsOf(command);
    const [name = '', ...args] = words ?? [];
    const toFile = command.redirects.some(
      ({ operator, descriptor }) => /^(?:>|>>|>\||&>|&>>)$/.test(operator) && (descriptor ?? 1) === 1,
    );
    const known = words && command.assignments.length === 0 ? this.known(name, args, before) : undefined;
    const isPlain = command.redirects.length === 0;
    if (known && isPlain) return known;
    const lines = toFile ? 0 : undefined;
    return { lines, errorsApart: !joinsErrors(command) };
  }

  private known(name: string, args: readonly string[], before: Certain | undefined): Certain | undefined {
    const row = programNamed(name);
    // Words of the shell start nothing that could be another program of that name.
    const isIndependent = row?.needsNoFile === true;
    if (!row?.reduces || (!isIndependent && !(before && this.run.ran([name, ...args])))) return undefined;
    const text = args.join('\0');
    for (const reduction of row.reduces) {
      const match = reduction.when.exec(text);
      if (match) return reduced(reduction, match, before ?? {});
    }
    return undefined;
  }

  private isStopped(node: ScriptNode): boolean {
    if (node.kind === 'command') return this.isStoppedCommand(node.command);
    return partsOf(node).some((part) => this.isStopped(part));
  }

  /** Also where a word of it is not known, or has programs of its own: `echo $(pytest)`. */
  private isStoppedCommand(command: ScriptCommand): boolean {
    const [first] = command.words;
    if (!first) return command.assignments.length > 0;
    const name = staticText(first);
    if (name === undefined || this.run.stopped.has(programName(name))) return true;
    return command.words.some(({ pieces }) => pieces.some(({ kind }) => kind === 'command' || kind === 'process'));
  }
}

function reduced({ lines, ends, isNumber }: Reduction, match: RegExpExecArray, before: Certain): Certain {
  const [whole, first = whole, last] = match;
  const count = {
    asMany: () => before.lines,
    captured: () => Number(first),
    range: () => Math.max(1, Number(last ?? first) - Number(first) + 1),
  };
  return {
    code: ends === 'captured' ? Number(first) : ends,
    lines: typeof lines === 'string' ? count[lines]() : lines,
    isNumber: isNumber === true || (lines === 'asMany' && before.isNumber === true),
  };
}

/** How `a && b`, `a || b` or `a; b` ends; `undefined`: that is not certain. */
function joined(code: number | undefined, operator: '&&' | '||' | ';', next: number | undefined): number | undefined {
  if (operator === ';') return next;
  if (code === undefined) return operator === '||' && next === 0 ? 0 : undefined;
  return (code === 0) === (operator === '&&') ? next : code;
}

/** What it prints as errors is among what it prints, or shown nowhere. */
function joinsErrors({ redirects }: ScriptCommand): boolean {
  return redirects.some(({ operator, descriptor, target }) => {
    const to = target && staticText(target);
    if (operator === '&>' || operator === '&>>') return true;
    return descriptor === 2 && (operator === '>&' ? to === '1' : operator.startsWith('>'));
  });
}

/** Words that nothing expands; `$?`, `$#` and `$$` are numbers. `undefined`: the shell decides. */
function wordsOf({ words }: ScriptCommand): string[] | undefined {
  const texts = words.map((word) =>
    word.pieces.every((piece) => piece.kind === 'literal' || (piece.kind === 'variable' && /^[?#$!]$/.test(piece.name)))
      ? word.pieces.map((piece) => piece.text).join('')
      : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts : undefined;
}
