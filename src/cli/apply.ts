import path from 'node:path';
import { type Applied, applyPrediction } from '../core/apply/applyPrediction.ts';
import { type Preparation, prepareApply } from '../core/apply/prepareApply.ts';
import type { ApplyRefusal } from '../core/facts/applyFact.ts';
import { type Foretell, type ForetellPrediction, type ForetellRequest, foldAll } from '../core/foretell.ts';
import { effectDigest } from '../core/hooks/effectDigest.ts';
import type { Prediction } from '../core/prediction/prediction.ts';
import { printable } from '../core/prediction/text/printable.ts';
import { netFolder, usualNetBytes } from '../core/safetyNet/netUse.ts';
import { countOf, inSentence } from '../core/view/quantity.ts';
import { applyRefusalText } from '../core/words/applyText.ts';
import { notPutText } from '../core/words/keptText.ts';
import type { CliOptions } from './options.ts';

/** What `--apply` came to. `said`: it was asked for, and not wanted. */
export type ApplyEnd = Applied | { refused: ApplyRefusal; why: string } | { said: 'no' };

/** What `--apply` needs besides the prediction. */
export interface ApplyAsked {
  foretell: Foretell;
  request: ForetellRequest;
  options: CliOptions;
  /** See `launcherPath`. */
  launcher: string;
  env: Readonly<Record<string, string | undefined>>;
  /** When the prediction was begun, in milliseconds since 1970. */
  beganAt: number;
  /** Asks a person at the terminal; absent where nobody is there, or nothing is to be asked. */
  ask?(question: string): Promise<boolean>;
}

/** Why `--apply` means nothing here; `undefined`: it does. One sentence. */
export function applyProblem(options: CliOptions, isAtTerminal: boolean): string | undefined {
  const given = options.apply ? undefined : options.yes ? '--yes' : options.only.length > 0 ? '--only' : undefined;
  if (given !== undefined) return `${given} says how --apply is done; say foretell --apply ${given} … COMMAND.`;
  if (!options.apply) return undefined;
  if (options.command !== 'predict') return '--apply takes a COMMAND.';
  if (!options.yes && (options.json || !isAtTerminal))
    return '--apply asks at a terminal; where nobody is there, say --yes.';
  return undefined;
}

/** Puts a predicted result in place, after a yes. */
export async function applyIt(
  prediction: Prediction,
  view: ForetellPrediction['view'],
  asked: ApplyAsked,
): Promise<ApplyEnd> {
  const { ask, beganAt } = asked;
  const prepared = await prepareApply(prediction, view, beganAt);
  if ('refused' in prepared) return refusal(prepared.refused);
  if (!ask) return applyNow(prepared, asked);
  const question = `Apply exactly this (${countOf(prediction.files.length, 'path')})? What it replaces is kept for a week. [y/N] `;
  if (!(await ask(question))) return { said: 'no' };
  return applyLater(prepared, asked);
}

/** While somebody thought about it something may have changed: it is predicted once more, and has to come out the same. */
async function applyLater(first: Preparation, asked: ApplyAsked): Promise<ApplyEnd> {
  const { foretell, request } = asked;
  const beganAt = Date.now();
  const { events, view } = foretell.predict(request);
  try {
    const prediction = await foldAll(request.action, events);
    const cwd = request.action.kind === 'command' ? request.action.cwd : '/';
    if (effectDigest(prediction, cwd) !== effectDigest(first.prediction, cwd))
      return refusal({ kind: 'changed', paths: prediction.files.slice(0, 1).map((file) => file.path) });
    const prepared = await prepareApply(prediction, view, beganAt);
    return 'refused' in prepared ? refusal(prepared.refused) : await applyNow(prepared, asked);
  } finally {
    await view.close();
  }
}

async function applyNow(prepared: Preparation, { options, launcher, env }: ApplyAsked): Promise<ApplyEnd> {
  const { cwd, only } = options;
  const applied = await applyPrediction(prepared, {
    use: { folder: netFolder(env), mostBytes: usualNetBytes, launcher },
    cwd: path.resolve(cwd),
    now: Date.now(),
    ...(only.length === 0 ? {} : { only: new Set(only.map((one) => path.resolve(cwd, one))) }),
  });
  return 'refused' in applied ? refusal(applied.refused) : applied;
}

function refusal(refused: ApplyRefusal): ApplyEnd {
  return { refused, why: applyRefusalText(refused) };
}

/** What came of it, for people. */
export function applyText(end: ApplyEnd): string {
  if ('said' in end) return 'Nothing was applied.\n';
  if ('refused' in end) return `${end.why}\n`;
  const { applied, merged, conflicts, failed, keptAs } = end;
  const lines = [`Applied ${countOf(applied.length + merged.length, 'path')}.`];
  const shown = (file: string) => inSentence(printable(file), 400);
  if (merged.length > 0) lines.push(`Merged with what was edited meanwhile: ${merged.map(shown).join(', ')}`);
  for (const file of conflicts) lines.push(`Left, because it was edited meanwhile: ${shown(file)}`);
  for (const { path: file, code } of failed) lines.push(`Not applied: ${shown(file)} (${notPutText(code)})`);
  if (keptAs !== undefined) lines.push(`All of it is taken back by: foretell restore ${keptAs}`);
  return `${lines.join('\n')}\n`;
}

/** Exit status: 0 applied, 1 not or not all of it, 3 it could not be. */
export function applyExit(end: ApplyEnd): number {
  if ('said' in end) return 1;
  if ('refused' in end || end.failed.length > 0) return 3;
  return end.conflicts.length > 0 ? 1 : 0;
}
