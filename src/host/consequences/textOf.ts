import type { Run } from '../predict/run.ts';

type Change = Run['prediction']['files'][number];

const tries = 5;
const pauseMs = 100;

/** The bytes of a changed file; `undefined` where they cannot be read as they were told. */
export async function bytesOf(
  { view }: Pick<Run, 'view'>,
  file: Change,
  moment: 'before' | 'after',
  mostBytes: number,
): Promise<Uint8Array | undefined> {
  if (moment === 'before' ? file.change === 'created' : file.change === 'deleted') return undefined;
  const name = moment === 'before' ? (file.from ?? file.path) : file.path;
  // Where nothing is told about what stood there before, it had the same size.
  const wanted = moment === 'after' ? file.sizeBytes : (file.before?.sizeBytes ?? file.sizeBytes);
  for (let attempt = 0; attempt < tries; attempt++) {
    const bytes = await view?.read(name, moment, mostBytes + 1);
    if (bytes?.length === Math.min(wanted, mostBytes + 1)) return bytes;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return undefined;
}
