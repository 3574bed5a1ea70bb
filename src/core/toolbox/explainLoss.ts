import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { EditAction } from '../action/action.ts';
import type { Loss } from '../facts/loss.ts';
import { isLostForGood, isWayBack } from '../facts/recovery.ts';
import type { PredictedFile } from '../prediction/parts.ts';
import { countOf, inSentence } from '../view/quantity.ts';
import { lossSizeText } from '../words/lossText.ts';
import { lostTitle, wayBack } from '../words/recoveryText.ts';
import { fitText } from './fitText.ts';
import { placeOf, predictAction } from './predictIn.ts';
import { isFailed } from './predictionReply.ts';
import { cwdArgument } from './predictTools.ts';
import { toolOf } from './readInput.ts';
import { shortJson } from './shortJson.ts';
import type { ToolAround, ToolReply } from './tool.ts';

const mostPaths = 50;

/** Says from where paths could be brought back. */
export const explainLoss = toolOf(
  {
    name: 'explain_loss',
    title: 'Explain loss',
    description:
      'Says for files and folders whether they could be brought back if all of them were deleted, from where (a commit, the index, a stash, the reflog, an editor’s history, another copy, a tool that makes them again), and the command that does it. Nothing is touched. Use it before something is deleted, and to choose what has to be saved first.',
  },
  z.strictObject({
    paths: z
      .array(z.string().check(z.minLength(1)))
      .check(z.minLength(1), z.maxLength(mostPaths), z.describe('Files or folders, absolute or relative to cwd.')),
    cwd: cwdArgument,
  }),
  async ({ paths, cwd }, around) => {
    const place = placeOf(cwd === undefined ? {} : { cwd }, around);
    if ('problem' in place) return place;
    const nul = paths.find((one) => one.includes('\0'));
    if (nul !== undefined) return { problem: `The path ${inSentence(nul)} has a NUL character in it; leave it out.` };
    return explain([...new Set(paths.map((one) => path.posix.resolve(place.cwd, one)))], place.cwd, around);
  },
);

/** What is known of one path that was asked about. */
interface Explained {
  path: string;
  isThere: boolean;
  /** Files and links that would go with it, but those of git. */
  files: number;
  loss: Loss[];
}

async function explain(paths: readonly string[], cwd: string, around: ToolAround): Promise<ToolReply> {
  const there = new Set<string>();
  for (const one of paths) if (await exists(one)) there.add(one);
  const isBelow = (inner: string, outer: string) => inner.startsWith(outer === '/' ? '/' : `${outer}/`);
  // What goes with another one is not deleted a second time.
  const topmost = [...there].filter((one) => ![...there].some((other) => other !== one && isBelow(one, other)));
  let files: readonly PredictedFile[] = [];
  let loss: readonly Loss[] = [];
  if (topmost.length > 0) {
    const action: EditAction = {
      kind: 'edit',
      changes: [],
      cwd,
      operations: topmost.map((one) => ({ kind: 'delete', path: one })),
    };
    const { prediction } = await predictAction(action, { cwd, session: undefined }, around, false);
    if (isFailed(prediction)) return { text: prediction.endingReason ?? 'It could not be predicted.', isError: true };
    ({ files, loss } = prediction);
  }
  const explained = paths.map((one): Explained => {
    const isOf = (found: { path: string }) => found.path === one || isBelow(found.path, one);
    return {
      path: one,
      isThere: there.has(one),
      files: files.filter((file) => isOf(file) && file.type !== 'directory' && !file.path.includes('/.git/')).length,
      loss: loss.filter(isOf),
    };
  });
  const share = Math.floor((around.mostCharacters - 100) / explained.length) - 2;
  const parts = explained.map((one) => ({ lines: linesOf(one), mostCharacters: share }));
  const { value, omitted } = await shortJson({ paths: explained });
  const cut = Object.keys(omitted).length > 0 ? { omitted } : {};
  const head = paths.length > 1 ? [{ lines: ['If all of them were deleted:'], mostCharacters: 100 }] : [];
  return {
    text: await fitText([...head, ...parts], around.mostCharacters),
    structured: { version: 1, ...value, ...cut },
  };
}

async function exists(file: string): Promise<boolean> {
  return fs.lstat(file).then(
    () => true,
    () => false,
  );
}

function linesOf({ path: file, isThere, files, loss }: Explained): string[] {
  const name = inSentence(file);
  if (!isThere) return [`${name}: nothing is there.`];
  const gone = loss.filter(isLostForGood);
  const back = loss.filter((one) => !isLostForGood(one));
  // Commits and stashes that go with a repository are no files.
  const kept = files - loss.filter(({ going }) => going !== undefined).length;
  const counts = [
    ...(gone.length > 0
      ? [
          `${gone.length} ${gone.some(({ recovery }) => recovery.kind === 'unknown') ? 'would or may be' : 'would be'} lost for good`,
        ]
      : []),
    ...(back.length > 0 ? [`${back.length} could be brought back`] : []),
    ...(kept > 0 ? [`${kept} would lose nothing: empty, or the same content is kept elsewhere`] : []),
  ];
  const of = files === 1 && loss.length <= 1 ? '' : `${countOf(files, 'file')}: `;
  const lines = [`${name}: ${of}${counts.join(', ') || 'nothing would be lost'}.`];
  for (const one of gone) {
    lines.push(`  ${lostTitle([one]).toLowerCase()}: ${inSentence(one.path)} (${lossSizeText(one)}, ${one.why})`);
  }
  for (const one of back) {
    if (!isWayBack(one.recovery)) continue;
    const how = one.recovery.command === undefined ? '' : `; ${one.recovery.command}`;
    lines.push(`  ${inSentence(one.path)}: ${wayBack(one.recovery)}${how}`);
  }
  return lines;
}
