import type { Launcher, Refused } from '../wire/launcher.ts';

/** How long a view waits for the next look, in milliseconds. */
const waitMs = 200;

/** Views of the real machine that serve several looks, one after the other: building one takes as long as a small look. */
export interface LookViews {
  /** The view that waits, or a new one. `limitMs`: how long its looks may take. */
  take(limitMs: number): Promise<Launcher | Refused>;
  /** It has come to its end, and may serve the next look; else it is closed soon. Nobody waits for that. */
  giveBack(launcher: Launcher, limitMs: number): void;
}

/** `open` builds a view. */
export function createLookViews(open: (limitMs: number) => Promise<Launcher | Refused>): LookViews {
  let waiting: { launcher: Launcher; limitMs: number } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    void waiting?.launcher.close();
    waiting = undefined;
  };
  return {
    async take(limitMs) {
      const known = waiting?.limitMs === limitMs ? waiting.launcher : undefined;
      if (!known) return open(limitMs);
      clearTimeout(timer);
      waiting = undefined;
      known.hold();
      return known.isAlive ? known : open(limitMs);
    },
    giveBack(launcher, limitMs) {
      if (waiting || !launcher.isAlive) {
        void launcher.close();
        return;
      }
      // Whoever ends with its last prediction does not wait for it.
      launcher.release();
      waiting = { launcher, limitMs };
      timer = setTimeout(close, waitMs).unref();
    },
  };
}
