import type { Doubt } from '../../../facts/doubt.ts';
import type { LauncherChange } from '../wire/frames.ts';
import type { Listing } from '../wire/launcher.ts';
import type { SetupRequest } from '../wire/requestFrames.ts';
import { type LeavesEarly, leavesEarly } from './leavesEarly.ts';
import { isShell, pipesOfShell, type StartedProgram } from './pipesOfShell.ts';

/** The view that a run is made in. */
interface RunView {
  cancel(): void;
  read(path: string, moment: 'after', maxBytes: number): Promise<Uint8Array | undefined>;
}

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
    /** Of a script that a shell is given; see `ScriptWords`. */
    leavesEarlyIn(script: string, cwd: string): LeavesEarly;
    keepPath(path: string): boolean;
  };
  /** A file with content that is empty or gone where parents go on. */
  private path: string | undefined;
  /** Whom the words do not name, and who may leave its pipe early: in a script, a recipe, a hook. */
  private other: LeavesEarly;
  /** It was met in a run whose pipes were not paced, so that the runs count for nothing. */
  isUnpaced = false;
  /** Scripts that are looked through. */
  private readonly looking = new Set<Promise<void>>();

  constructor(options: Race['options']) {
    this.options = options;
  }

  /** Whose turn is first in the run that is shown. */
  get turns(): { births: SetupRequest['births']; leavesEarly: LeavesEarly } {
    const named = this.options.leavesEarly();
    return { births: this.births, leavesEarly: named === 'program' ? named : (this.other ?? named) };
  }

  /** Ends a run where it meets somebody who may leave a pipe early; `canGoAgain`: it can be made again, with its pipes paced. */
  watches(view: RunView, canGoAgain: boolean): { onStarted?(program: StartedProgram): void } {
    if (!canGoAgain || this.turns.leavesEarly === 'program') return {};
    const shells = new Set<number>();
    let isFirst = true;
    return {
      onStarted: (program) => {
        const { pid, parentPid, argv, hasPipedInput } = program;
        if (isShell(argv)) shells.add(pid);
        // The shell of the command itself, whose words are known.
        const isOurs = isFirst;
        isFirst = false;
        if (isOurs) return;
        if (hasPipedInput && leavesEarly(argv, shells.has(parentPid))) this.meet('program', view);
        else this.lookThrough(program, view);
      },
    };
  }

  /** Gives the record of a run when all is known of the scripts that were met in it. */
  async settled<T>(record: T): Promise<T> {
    await Promise.all(this.looking);
    return record;
  }

  private lookThrough(program: StartedProgram, view: RunView): void {
    const found = pipesOfShell(program, view, (script) => this.options.leavesEarlyIn(script, program.cwd));
    if (found === undefined || typeof found === 'string') {
      this.meet(found, view);
      return;
    }
    const looking = found.then(
      (who) => this.meet(who, view),
      () => {},
    );
    this.looking.add(looking);
    void looking.finally(() => this.looking.delete(looking));
  }

  private meet(who: LeavesEarly, view: RunView): void {
    const { leavesEarly: known } = this.turns;
    if (who === undefined || who === known || known === 'program') return;
    this.other = who;
    this.isUnpaced = true;
    view.cancel();
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
    const first = new Map(shown.changes.map((change) => [change.path, change]));
    return other.changes.find(
      (change) => losesMore(change, first.get(change.path)) && this.options.keepPath(change.path),
    )?.path;
  }
}

/** It has half of what was there less than in the run that is shown: `(echo header; cat log) | tee log` may keep the header alone. */
function losesMore({ before, after }: LauncherChange, shown: LauncherChange | undefined): boolean {
  if (before.type !== 'file' || before.sizeBytes === 0) return false;
  const kept = shown === undefined ? before.sizeBytes : sizeOf(shown.after);
  const left = sizeOf(after);
  return left === 0 ? kept > 0 : kept - left >= before.sizeBytes / 2;
}

function sizeOf({ type, sizeBytes }: LauncherChange['after']): number {
  return type === 'file' ? sizeBytes : 0;
}
