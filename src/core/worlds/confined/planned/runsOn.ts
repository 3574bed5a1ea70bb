import { mayBeSameCall } from '../../../programs/sameCall.ts';
import { findStaticPrograms } from '../../../programs/staticPrograms.ts';
import type { StaticProgram } from '../../../shell/evaluated.ts';
import { readScript } from '../../../shell/script.ts';
import { isPosixShell, shellOf } from '../../../shell/shells.ts';
import type { RecordedProgram } from '../wire/runRecord.ts';

/** A command that has ended, and what it leaves running. */
export interface EndedRun {
  /** The text of the command. */
  script: string;
  /** The shell that reads it. */
  shell?: string | undefined;
  cwd: string;
  home: string;
  env: Readonly<Record<string, string>>;
  started: readonly RecordedProgram[];
  /** Arguments of the processes that were left. */
  leftRunning: readonly (readonly string[])[];
}

/**
 * Programs that shells which were left running have yet to start: what stands behind a program at work, in a list that runs in
 * the background or in the text of a shell of its own (`nohup sh -c '…' &`). Read from the words; nothing is run.
 */
export function programsBehind(ended: EndedRun): StaticProgram[] {
  const { script, cwd, home, env, started, leftRunning } = ended;
  const atWork = started.filter(({ exitCode, gate }) => exitCode === undefined && gate === undefined);
  const texts = new Map([[script, ended.shell], ...leftRunning.flatMap(textOfShell)]);
  return [...texts].flatMap(([text, shell]) =>
    behind(findStaticPrograms(readScript(text), { cwd, home, env, shell }), started, atWork, text === script),
  );
}

/** The text that a shell was given as a word, with its name. */
function textOfShell([name = '', ...words]: readonly string[]): [text: string, shell: string][] {
  const at = isPosixShell(name) ? words.findIndex((word) => shellOf(name)?.scriptOption.test(word)) : -1;
  const text = at < 0 ? undefined : words[at + 1];
  return text === undefined ? [] : [[text, name]];
}

/** `hasEnded`: the shell of this text is gone, and only what it left in the background goes on. */
function behind(
  statics: readonly StaticProgram[],
  started: readonly RecordedProgram[],
  atWork: readonly RecordedProgram[],
  hasEnded: boolean,
): StaticProgram[] {
  const lists = statics.map((one) => listOf(one, statics));
  const waiting = statics.flatMap((one, index) => (atWork.some(({ argv }) => mayBeSameCall(one, argv)) ? [index] : []));
  return statics.filter((one, index) => {
    if (one.inside?.elsewhere || started.some(({ argv }) => mayBeSameCall(one, argv))) return false;
    return waiting.some((at) => at < index && (lists[at] === undefined ? !hasEnded : lists[at] === lists[index]));
  });
}

/** Which list in the background a program of a text belongs to; `undefined`: the shell of the text waits for it. */
function listOf({ command, inside }: StaticProgram, statics: readonly StaticProgram[]): number | undefined {
  if (inside !== undefined || command === undefined) return undefined;
  if (command.background) return command.subshells[0];
  // A function that is called in the background.
  const { inFunction } = command;
  const call = statics.find((one) => inFunction !== undefined && one.argv[0] === inFunction && one.command?.background);
  return call?.command?.subshells[0];
}
