import type { PredictRequest } from '../../../prediction/rehearsal.ts';
import type { RunInCopy } from '../planned/packages.ts';

/** Prints name and text of each function that it was given the name of, each with a NUL behind it. */
const report = String.raw`for name in $argv; functions -q -- $name; and printf '%s\0%s\0' $name (functions -- $name | string collect); end; true`;

/**
 * The functions of these names that a fish has which runs one command, as it shows them: it reads its start files as any fish
 * does, but is not interactive. `undefined`: it could not be asked.
 */
export async function fishFunctions(
  run: RunInCopy,
  names: readonly string[],
  { env, signal }: Pick<PredictRequest, 'env' | 'signal'>,
): Promise<ReadonlyMap<string, string> | undefined> {
  const told = await run(['fish', '-c', report, ...names], [], signal, env);
  if (told?.exitCode !== 0) return undefined;
  const pieces = told.stdout.toString('utf8').split('\0');
  const functions = new Map<string, string>();
  for (let at = 0; at + 2 < pieces.length; at += 2)
    functions.set(pieces[at] ?? '', withoutOrigin(pieces[at + 1] ?? ''));
  return functions;
}

/** fish says in a first line where a function comes from, which does not matter to what it does. */
export function withoutOrigin(text: string): string {
  return text.replace(/^# Defined [^\n]*\n/, '').trimEnd();
}
