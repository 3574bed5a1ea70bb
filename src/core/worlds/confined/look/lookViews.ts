import type { Launcher, Refused } from '../wire/launcher.ts';

/** How long a view waits for the next look, in milliseconds. */
const waitMs = 200;
/** So many wait: git is asked two things at once. */
const mostWaiting = 2;

/** Views of the real machine that serve several looks, one after the other: building one takes as long as a small look. */
export interface LookViews {
  /** A view that waits, or a new one. `limitMs`: how long its looks may take. */
  take(limitMs: number): Promise<Launcher | Refused | undefined>;
  /** It has come to its end, and may serve the next look; else it is closed soon. Nobody waits for that. */
  giveBack(launcher: Launcher, limitMs: number): void;
}

interface Waiting {
  launcher: Launcher;
  limitMs: number;
}

/** `open` builds a view. */
export function createLookViews(open: (limitMs: number) => Promise<Launcher | Refused | undefined>): LookViews {
  let waiting: Waiting[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    for (const { launcher } of waiting) void launcher.close();
    waiting = [];
  };
  return {
    async take(limitMs) {
      for (;;) {
        const known = waiting.find((one) => one.limitMs === limitMs);
        if (!known) return open(limitMs);
        waiting = waiting.filter((one) => one !== known);
        if (waiting.length === 0) clearTimeout(timer);
        known.launcher.hold();
        if (known.launcher.isAlive) return known.launcher;
      }
    },
    giveBack(launcher, limitMs) {
      if (waiting.length === mostWaiting || !launcher.isAlive) {
        void launcher.close();
        return;
      }
      // Whoever ends with its last prediction does not wait for it.
      launcher.release();
      waiting.push({ launcher, limitMs });
      clearTimeout(timer);
      timer = setTimeout(close, waitMs).unref();
    },
  };
}
