import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { Prediction } from '../../core/prediction/prediction.ts';

/** More paths than this are not looked at: then the changed folders above them have to do. */
const mostPaths = 5_000;

/** Files by which git knows where it stands. */
const gitState = ['HEAD', 'index', 'packed-refs', 'logs/HEAD', 'config', 'MERGE_HEAD'];

/**
 * The real paths that a prediction visibly rests on: what it changes and their folders, what its programs name, the
 * working directories, and the state of git. What a program reads without naming it (`grep -r`) shows only where a
 * folder changed; before a real run a quick prediction is therefore also made again and compared.
 */
export function pathsItRestsOn(prediction: Prediction): string[] {
  const paths = new Set<string>();
  const add = (file: string) => {
    if (paths.size < mostPaths) paths.add(file);
  };
  const folders = new Set(prediction.programs.map((program) => program.cwd));
  const { action } = prediction;
  if (action.kind === 'command') folders.add(action.cwd);
  else if (action.kind === 'edit') for (const change of action.changes) add(change.path);
  for (const folder of folders) {
    add(folder);
    for (const above of foldersAbove(folder)) for (const name of gitState) add(path.join(above, '.git', name));
  }
  for (const program of prediction.programs) {
    for (const word of program.argv.slice(1)) {
      const named = word.startsWith('-') ? word.slice(word.indexOf('=') + 1) : word;
      if (named !== '' && !named.startsWith('-') && !named.includes('\n') && named.length < 1000) {
        add(path.resolve(program.cwd, named));
      }
    }
  }
  for (const file of prediction.files) {
    add(file.path);
    add(path.dirname(file.path));
    if (file.from) add(file.from);
  }
  return [...paths];
}

/** As many are looked at without a thread for each, which takes ten times as long. */
const mostAtOnce = 100;

/** A digest of kind, identity, size and time of each path. Equal digests: nothing of it has been touched. */
export async function fingerprint(paths: readonly string[]): Promise<string> {
  const states = paths.length <= mostAtOnce ? paths.map(stateOf) : await Promise.all(paths.map(stateByThread));
  return createHash('sha256').update(states.join('\n')).digest('hex');
}

function stateOf(file: string): string {
  try {
    return words(lstatSync(file, { bigint: true }));
  } catch (error) {
    return whyNot(error);
  }
}

const stateByThread = (file: string): Promise<string> => lstat(file, { bigint: true }).then(words, whyNot);

const words = ({ mode, ino, size, mtimeNs, ctimeNs }: BigIntStats) => `${mode} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;

const whyNot = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown';

/** Whether two predictions say the same, but for what they say differs from run to run. */
export function sayTheSame(one: Prediction, other: Prediction): boolean {
  return JSON.stringify(essence(one)) === JSON.stringify(essence(other));
}

function essence(prediction: Prediction): unknown {
  const { exitCode, ending, verdict, loss, assumptions, effects } = prediction;
  const files = prediction.files
    .filter((file) => !file.volatile)
    .map(({ path: name, change, from, type, mode, sizeBytes, target }) => [
      name,
      change,
      from,
      type,
      mode,
      sizeBytes,
      target,
    ]);
  const output = prediction.output.map((piece) =>
    piece.volatile ? piece.stream : [piece.stream, piece.text, piece.base64],
  );
  return [exitCode, ending, verdict, loss, assumptions, effects, files, output];
}

function foldersAbove(folder: string): string[] {
  const found = [folder];
  for (let at = path.dirname(folder); at !== found.at(-1); at = path.dirname(at)) found.push(at);
  return found;
}
