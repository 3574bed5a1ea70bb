import { isUtf8 } from 'node:buffer';
import * as z from 'zod/mini';
import { redactForPrompt } from '../../context/secrets/redactForPrompt.ts';
import type { PredictedFile } from '../../prediction/parts.ts';
import { StepPrediction } from '../../trajectory/step/step.ts';
import type { View } from '../../view/view.ts';
import { keptFiles } from '../hookFolder.ts';
import { callDetailsFolder } from './callLine.ts';

/** A file as it was and as it would be, without secrets; absent: nothing stands there. */
const KeptText = z.object({ path: z.string(), before: z.optional(z.string()), after: z.optional(z.string()) });
type KeptText = z.infer<typeof KeptText>;

/** What is kept of a predicted call besides its row. */
export const CallDetails = z.object({ step: StepPrediction, texts: z.array(KeptText) });
export type CallDetails = z.infer<typeof CallDetails>;

/** Of larger files, in bytes, and of more nothing is kept; nor beyond so much of one call. In bytes. */
const mostFileBytes = 128 * 1024;
const mostFiles = 40;
const mostCallBytes = 512 * 1024;

/** Both texts of each file, as far as they are texts and there is room. `view` holds them as long as it is read. */
export async function keptTexts(files: readonly PredictedFile[], view: View): Promise<KeptText[]> {
  const kept: KeptText[] = [];
  let room = mostCallBytes;
  for (const file of files.filter(isText).slice(0, mostFiles)) {
    const sizes = [file.change === 'created' ? 0 : (file.before ?? file).sizeBytes, file.sizeBytes];
    if (sizes.some((size) => size > mostFileBytes)) continue;
    const before = file.change === 'created' ? undefined : await textOf(view, file.from ?? file.path, 'before');
    const after = file.change === 'deleted' ? undefined : await textOf(view, file.path, 'after');
    if (before === 'unread' || after === 'unread') continue;
    room -= (before?.length ?? 0) + (after?.length ?? 0);
    if (room < 0) break;
    kept.push({
      path: file.path,
      ...(before === undefined ? {} : { before: (await redactForPrompt(before, { path: file.path })).text }),
      ...(after === undefined ? {} : { after: (await redactForPrompt(after, { path: file.path })).text }),
    });
  }
  return kept;
}

function isText(file: PredictedFile): boolean {
  if (file.basis === 'unknown' || file.change === 'mode' || file.path.includes('/.git/')) return false;
  return file.type === 'file' && (file.before === undefined || file.before.type === 'file');
}

async function textOf(view: View, file: string, moment: 'before' | 'after'): Promise<string | 'unread'> {
  const bytes = await view.read(file, moment, mostFileBytes + 1);
  if (bytes === undefined || bytes.length > mostFileBytes || bytes.includes(0) || !isUtf8(bytes)) return 'unread';
  return Buffer.from(bytes).toString('utf8');
}

/** The details of a call; `undefined`: none are kept any more. `folder`: see `hookFolder`. */
export function readCallDetails(folder: string, key: string): CallDetails | undefined {
  const read = CallDetails.safeParse(keptFiles(callDetailsFolder(folder)).read(key));
  return read.success ? read.data : undefined;
}
