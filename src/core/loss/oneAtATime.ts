import type { Looker } from '../view/view.ts';

const turns = new WeakMap<Looker, Promise<unknown>>();

/**
 * The same looker, but a look begins only when the one before has ended. A view runs one program at a time, and several
 * analyses ask the same view at once. An aborted look that has not begun gives exit code -1.
 */
export function oneAtATime(looker: Looker): Looker {
  return {
    look(argv, options) {
      const before = turns.get(looker) ?? Promise.resolve();
      const mine = before.then(() =>
        options.signal?.aborted ? { exitCode: -1, stdout: new Uint8Array(), stderr: '' } : looker.look(argv, options),
      );
      turns.set(
        looker,
        mine.catch(() => {}),
      );
      return mine;
    },
  };
}
