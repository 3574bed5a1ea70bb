import type { Doubt } from '../../../facts/doubt.ts';
import type { LauncherChange } from '../wire/frames.ts';
import type { Listing } from '../wire/launcher.ts';
import type { SetupRequest } from '../wire/requestFrames.ts';
import { leavesEarly } from './leavesEarly.ts';

/** Who may close a pipe before it has read all: a program, a word of the shell, or nobody. */
export type LeavesEarly = 'program' | 'shell' | undefined;

/**
 * Programs that run beside each other. Whether a new process begins or its parent goes on is chance, so in the run that is
 * shown it is always the child, and in the one that it is compared with always the parent: what they have differently is
 * volatile. Where the second loses a file that the first keeps, the run is made again in that order and shown: `sort log |
 * tee log` keeps its lines or loses all of them.
 */
export class Race {
  private readonly options: {
    startsTogether(): boolean;
    leavesEarly(): LeavesEarly;
    keepPath(path: string): boolean;
  };
  /** A file with content that is empty or gone where parents go on. */
  private path: string | undefined;
  /** A program that the words do not name may leave its pipe early: one of a script, a recipe, a hook. */
  private hasOther = false;
  /** It was met in a run whose pipes were not paced, so that the runs count for nothing. */
  isUnpaced = false;

  constructor(options: Race['options']) {
    this.options = options;
  }

  /** Whose turn is first in the run that is shown. */
  get turns(): { births: SetupRequest['births']; leavesEarly: LeavesEarly } {
    return { births: this.births, leavesEarly: this.hasOther ? 'program' : this.options.leavesEarly() };
  }

  /** Ends a run at such a program; `canGoAgain`: it can be made again, with all its pipes paced. */
  watches(launcher: { cancel(): void }, canGoAgain: boolean): { onPiped?(argv: readonly string[]): void } {
    if (!canGoAgain || this.turns.leavesEarly === 'program') return {};
    return {
      onPiped: (argv) => {
        if (this.hasOther || !leavesEarly(argv)) return;
        this.hasOther = true;
        this.isUnpaced = true;
        launcher.cancel();
      },
    };
  }

  private get births(): SetupRequest['births'] {
    if (this.path !== undefined) return 'parentFirst';
    return this.options.startsTogether() ? 'childFirst' : undefined;
  }

  get doubts(): Doubt[] {
    return this.path === undefined ? [] : [{ kind: 'race', path: this.path }];
  }

  /** Whether the run that `shown` was compared with loses more, which is found once. */
  isWorse(shown: Listing, other: Listing): boolean {
    if (this.path !== undefined || !this.options.startsTogether()) return false;
    this.path = this.lostOnlyIn(other, shown);
    return this.path !== undefined;
  }

  /** Of the run that was made again: where it does not lose the file either, the clock of the other one did, which is ahead. */
  settle(again: Listing, other: Listing): void {
    if (this.lostOnlyIn(other, again) !== undefined) this.path = undefined;
  }

  private lostOnlyIn(other: Listing, shown: Listing): string | undefined {
    const lost = new Set(shown.changes.filter(losesContent).map(({ path }) => path));
    return other.changes.find(
      (change) => losesContent(change) && !lost.has(change.path) && this.options.keepPath(change.path),
    )?.path;
  }
}

function losesContent({ before, after }: LauncherChange): boolean {
  return before.type === 'file' && before.sizeBytes > 0 && (after.type !== 'file' || after.sizeBytes === 0);
}
