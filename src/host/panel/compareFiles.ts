import { lstat, readFile, readlink } from 'node:fs/promises';
import type { Prediction } from '../../core/prediction/prediction.ts';
import { nodeTypeOf } from '../../core/view/nodeTypeOf.ts';
import { countOf } from '../../core/view/quantity.ts';
import type { View } from '../../core/view/view.ts';
import type { Observed } from '../../protocol/panelProtocol.ts';

type ComparedFile = NonNullable<Observed['files']>[number];
type PredictedFile = Prediction['files'][number];

/** More files than this are compared by existence, kind and size only. */
const mostContents = 2_000;
/** Longer files are compared by their size. */
const longestContent = 16 * 1024 ** 2;
const atOnce = 32;

/** More new files than this are not held, nor longer ones than this many bytes. */
const mostHeld = 200;
const longestHeld = 1024 ** 2;

/**
 * What new files hold, asked before anything is done for real. A view has a file that is another name of a real one by that
 * name, which afterwards has other content: `ln a b; rm a; echo x > a`, and what patch(1) keeps as `a.orig`.
 */
export async function newContents(prediction: Prediction, view: View): Promise<ReadonlyMap<string, Uint8Array>> {
  const held = new Map<string, Uint8Array>();
  if (prediction.files.every((file) => file.change === 'created')) return held;
  const made = prediction.files.filter(
    ({ change, type, volatile, sizeBytes }) =>
      change === 'created' && type === 'file' && !volatile && sizeBytes > 0 && sizeBytes <= longestHeld,
  );
  for (const { path } of made.slice(0, mostHeld)) {
    const content = await view.read(path, 'after', longestHeld).catch(() => undefined);
    if (content) held.set(path, content);
  }
  return held;
}

/**
 * Compares what was predicted about files with what is there after the real run.
 * `touched`: paths that changed meanwhile, as a watcher saw them; those that nobody predicted are added.
 * `held`: contents that the view may have otherwise by now, see `newContents`.
 */
export async function compareFiles(
  prediction: Prediction,
  view: View,
  touched: ReadonlyMap<string, 'created' | 'modified' | 'deleted'>,
  held: ReadonlyMap<string, Uint8Array>,
): Promise<ComparedFile[]> {
  const compared: ComparedFile[] = [];
  const withContent = prediction.files.length <= mostContents;
  for (let start = 0; start < prediction.files.length; start += atOnce) {
    const part = prediction.files.slice(start, start + atOnce);
    const results = await Promise.all(part.map((file) => compareOne(file, view, withContent, held)));
    for (const result of results) if (result) compared.push(result);
  }
  const known = new Set(prediction.files.flatMap((file) => [file.path, file.from ?? file.path]));
  for (const [path, how] of touched) {
    if (known.has(path)) continue;
    // Git writes locks, logs and objects with random names; the files of the worktree say whether it came out right.
    if (path.includes('/.git/')) continue;
    if (!(await isStill(path, how)) || (how === 'modified' && (await isWrittenAlike(path, view)))) continue;
    compared.push({ path, agrees: false, detail: `${how}, not predicted` });
  }
  return compared;
}

async function compareOne(
  file: PredictedFile,
  view: View,
  withContent: boolean,
  held: ReadonlyMap<string, Uint8Array>,
): Promise<ComparedFile | undefined> {
  const { path } = file;
  const real = await lstat(path).catch(() => undefined);
  const say = (agrees: boolean, detail: string): ComparedFile => ({ path, agrees, detail });
  if (file.change === 'deleted') return real ? say(false, 'is still there') : say(true, 'is gone');
  if (!real) {
    // Its name may be another one in every run.
    return file.volatile ? undefined : say(false, 'is not there');
  }
  if (file.change === 'renamed' && file.from && (await lstat(file.from).catch(() => undefined))) {
    return say(false, `${file.from} is still there`);
  }
  if (nodeTypeOf(real) !== file.type) return say(false, `is a ${nodeTypeOf(real)}, predicted was a ${file.type}`);
  const mode = (real.mode & 0o7777).toString(8).padStart(4, '0');
  if (file.type !== 'symlink' && file.mode !== '' && mode !== file.mode) {
    return say(false, `has mode ${mode}, predicted was ${file.mode}`);
  }
  if (file.type === 'symlink') {
    const target = await readlink(path).catch(() => '');
    return target === (file.target ?? target) ? say(true, 'same target') : say(false, `points to ${target}`);
  }
  if (file.type !== 'file') return say(true, 'same kind');
  const isMode = file.change === 'mode';
  if (file.volatile) return say(true, isMode ? 'same mode' : 'is there; its content differs from run to run');
  if (file.content === 'notAsked') return say(true, 'is there; what is in it was not asked');
  if (real.size !== file.sizeBytes)
    return say(false, `has ${countOf(real.size, 'byte')}, predicted were ${file.sizeBytes}`);
  // Where the mode alone changes, the content is to be what it was.
  if (!withContent || real.size > longestContent) return say(true, isMode ? 'same mode' : 'same size');
  const [predicted, now] = await Promise.all([
    held.get(path) ?? view.read(path, 'after', longestContent).catch(() => undefined),
    readFile(path).catch(() => undefined),
  ]);
  if (!predicted || !now) return say(true, isMode ? 'same mode' : 'same size');
  return Buffer.compare(predicted, now) === 0
    ? say(true, isMode ? 'same mode' : 'same content')
    : say(false, 'has other content');
}

/** A file that came and went again, or was written back, is no difference. */
async function isStill(path: string, how: 'created' | 'modified' | 'deleted'): Promise<boolean> {
  const real = await lstat(path).catch(() => undefined);
  // A folder is told to be modified whenever something in it is created.
  if (how === 'modified' && real?.isDirectory()) return false;
  return how === 'deleted' ? real === undefined : real !== undefined;
}

/**
 * A file that both runs wrote as it was before: a build that is made again, a formatter with nothing to do. The view has a
 * file of its own then, with a time of its own; what it does not have it shows as it really is by now, which tells nothing.
 */
async function isWrittenAlike(path: string, view: View): Promise<boolean> {
  const [real, own] = await Promise.all([
    lstat(path, { bigint: true }).catch(() => undefined),
    view.status?.(path, 'after').catch(() => undefined),
  ]);
  if (!real?.isFile() || own?.type !== 'file' || own.mtimeNs === real.mtimeNs) return false;
  if (own.mode !== Number(real.mode & 0o7777n) || BigInt(own.sizeBytes) !== real.size) return false;
  if (own.sizeBytes > longestContent) return false;
  const [predicted, now] = await Promise.all([
    view.read(path, 'after', longestContent).catch(() => undefined),
    readFile(path).catch(() => undefined),
  ]);
  return predicted !== undefined && now !== undefined && Buffer.compare(predicted, now) === 0;
}
