import { programNamed } from '../../programs/programOf.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import type { Looker } from '../../view/view.ts';
import { type Candidate, worth } from './candidate.ts';
import { askAll } from './lookBatch.ts';
import type { NamedProgram, NamedWord } from './scriptPrograms.ts';

/** Options of `find` and `tree` that write, delete or start others. */
const doesMore = /^-(?:delete|exec|execdir|ok|okdir|fls|fprint|fprint0|fprintf|o)$/;

/** What the kernel tells about the machine, as files. They are no files of a disk, and nobody else reads them. */
const aboutMachine = /^\/proc\/(?:cpuinfo|meminfo|filesystems|partitions|swaps|loadavg)$/;

const mostParts = 6;
const longestWords = 400;
const mostBytes = 32_000;
const limitMs = 1_000;
/** What walks through folders may take long, and the capture as a whole is meant to be ready in 150 ms. */
const walkLimitMs = 100;

/**
 * Runs parts of an action that only look, confined and unable to change anything, and gives what they really print: in
 * `df -h / | tail -1; node build.js` that is `df -h /`. Never the whole of what is asked: a prompt that holds its own answer
 * asks nothing. What does not come in time, or would have changed something, is absent.
 */
export async function rehearseParts(
  programs: readonly NamedProgram[],
  /** `isWhole`: the one program is all that is asked about. */
  options: { looker: Looker; cwd: string; signal: AbortSignal; isWhole: boolean },
): Promise<Candidate[]> {
  const { looker, cwd, signal, isWhole } = options;
  const commands = new Map<string, { command: string; cwd: string; walks: boolean }>();
  for (const program of programs) {
    for (const { text } of [...program.words.slice(1), ...program.inputs]) {
      if (aboutMachine.test(text)) commands.set(text, { command: `head -n 40 ${text}`, cwd, walks: false });
    }
    const command = isLook(program) && !isWhole ? commandOf(program) : undefined;
    if (command !== undefined)
      commands.set(`${program.cwd}\0${command}`, { command, cwd: program.cwd, walks: mayTakeLong(program) });
  }
  const asked = [...commands.values()].slice(0, mostParts);
  // One start of the launcher for all but those that may take long, or would change something, which ends a run.
  const quick = asked.filter(({ walks }) => !walks);
  const slow = asked.filter(({ walks }) => walks);
  const answers = await Promise.all([
    askAll(looker, quick, { limitMs, signal }),
    ...slow.map((one) => askAll(looker, [one], { limitMs: walkLimitMs, signal })),
  ]);
  return answers.flat().flatMap((answer): Candidate[] => {
    if (answer.text.length > mostBytes || answer.exitCode > 125) return [];
    return [
      {
        look: { kind: 'run', command: answer.command, cwd: answer.cwd || cwd, exitCode: answer.exitCode },
        text: answer.text,
        why: 'the action looks at it',
        volatility: 5,
        worth: worth.listing,
        part: 'action',
        focus: { patterns: [], ranges: [] },
      },
    ];
  });
}

function isLook({ name, words, inputs, outputs, isFed }: NamedProgram): boolean {
  if (isFed || outputs.length > 0) return false;
  if (words.some(({ text }) => doesMore.test(text))) return false;
  const { tells } = programNamed(name) ?? {};
  return tells === true || (tells === 'files' && (words.slice(1).some(isFile) || inputs.length > 0));
}

function mayTakeLong({ name, words }: NamedProgram): boolean {
  return programNamed(name)?.walks === true || words.some(({ text }) => /^-\w*R/.test(text));
}

const isFile = ({ text }: NamedWord) => !text.startsWith('-');

/** The program as a command line; `undefined` where its words are long or not all known: what nobody knows is read as `*`. */
function commandOf({ words, inputs }: NamedProgram): string | undefined {
  const asWord = ({ text, isGlob }: NamedWord) =>
    isGlob ? text.replace(/[^\w./*?[\]{}~@%+=:,-]/g, '\\$&') : quoteWord(text);
  const line = [...words.map(asWord), ...inputs.map((word) => `< ${asWord(word)}`)].join(' ');
  return line.length > longestWords ||
    /[\n\0]/.test(line) ||
    words.some(({ text, isGlob }) => /[$`]/.test(text) || (isGlob && text === '*'))
    ? undefined
    : line;
}
