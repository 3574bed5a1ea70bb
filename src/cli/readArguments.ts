import { parseArgs } from 'node:util';
import type { Flags } from './helpText.ts';

/** What is wrong with the arguments: one sentence. */
export interface Problem {
  problem: string;
}

/** Says what is wrong with the arguments, and is the exit status for that: EX_USAGE of sysexits.h. */
function complainTo(tell: (line: string) => void): (problem: string) => number {
  return (problem) => {
    tell(`foretell: ${problem}`);
    return 64;
  };
}

/** What was read. */
export type Parsed<F extends Flags> = ReturnType<
  typeof parseArgs<{ options: F; allowPositionals: true; strict: true; args: string[] }>
>;

/**
 * Reads the arguments of one word: the only place where they are parsed. `word`: what is called, for example
 * `foretell bench tune`; its help is pointed to. `takesFiles`: something may stand there that is no option.
 */
export function readArguments<const F extends Flags>(
  args: string[],
  options: F,
  { word, takesFiles = true }: { word: string; takesFiles?: boolean },
): Parsed<F> | Problem {
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  const inlined: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'option-terminator') inlined.push('--');
    else if (token.kind === 'option') {
      const problem = misused(token, options, word);
      if (problem !== undefined) return { problem };
      // `-p -1` as `--strip=-1`: what is wrong with the number is said where numbers are checked.
      inlined.push(token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`);
    } else if (takesFiles) inlined.push(token.value);
    else return { problem: `${word} takes options only, not ${token.value}; see ${word} --help.` };
  }
  return parseArgs({ args: inlined, options, allowPositionals: true, strict: true });
}

/** How a word of the command line is read. */
export interface WordRules<F extends Flags> {
  /** What is called, for example `foretell bench tune`. */
  word: string;
  usage: string;
  /** Default: true. */
  takesFiles?: boolean;
  /** Whether enough was said to do something; without it, the help is shown. */
  isEnough?(parsed: Parsed<F>): boolean;
}

/** The arguments of a word that has to be carried out, or the exit status of one that is answered already. */
export type ReadWord<F extends Flags> = (Parsed<F> & { wrong(problem: string): number }) | { status: number };

/** Reads the arguments of one word; its help and its wrong usage are answered here. */
export async function readWord<const F extends Flags>(
  args: string[],
  options: F & { help: Flags[string] },
  { word, usage, takesFiles = true, isEnough = () => true }: WordRules<F>,
  { say, tell }: { say(text: string): Promise<unknown>; tell(line: string): void },
): Promise<ReadWord<F>> {
  const wrong = complainTo(tell);
  const parsed = readArguments<F>(args, options, { word, takesFiles });
  if ('problem' in parsed) return { status: wrong(parsed.problem) };
  const isHelp = (parsed.values as { help?: unknown }).help === true;
  if (!isHelp && isEnough(parsed)) return { ...parsed, wrong };
  await say(usage);
  return { status: isHelp ? 0 : 64 };
}

interface GivenOption {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

/** What is wrong with an option itself, in one sentence with a next step. */
function misused({ name, rawName, value, inlineValue }: GivenOption, options: Flags, word: string): string | undefined {
  const flag = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!flag) return `There is no option ${rawName}; see ${word} --help.`;
  if (flag.type === 'boolean') return value === undefined ? undefined : `${rawName} takes no value; leave it out.`;
  // A number below zero is a value that is wrong, anything else that begins with a dash is the next option.
  if (value !== undefined && (inlineValue || !/^-./.test(value) || /^-\d+$/.test(value))) return undefined;
  return `${rawName} takes a value; write it behind, as ${rawName.startsWith('--') ? `${rawName}=VALUE` : `${rawName} VALUE`}.`;
}
