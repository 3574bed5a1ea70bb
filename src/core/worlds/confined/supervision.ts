import { writtenText } from '../../action/action.ts';
import { brokeOff } from './ahead.ts';
import { exceedsOverlays } from './certainty/exceedsOverlays.ts';
import { readsOwnFolders } from './certainty/ownFolders.ts';
import type { StepContext } from './stepContext.ts';
import type { Copying, Launcher, Listing } from './wire/launcher.ts';
import { letAnyIn, type RecordedEffect, type RunRecord } from './wire/runRecord.ts';

/** Each takes one more run. */
const mostCopiedAhead = 4;

/** What overlays could not do, so that nothing is changed where really something would be. */
const notWritten: ReadonlySet<RecordedEffect['kind']> = new Set(['crossesParts', 'moveUnfinished']);

/**
 * Whether a command is run again in a supervised view, because overlays cannot show what it did as it would really be:
 * owners, files with several names, mounts. That takes longer for each file. Later steps of a session stay in their view.
 */
export class Supervision {
  private readonly state: StepContext['state'];
  private readonly script: string;
  private readonly isOpen: boolean;
  private isTried = false;
  private isPreferred = false;

  constructor({ state, request: { action, openGate } }: StepContext) {
    this.state = state;
    this.isOpen = openGate === true;
    this.script = writtenText(action).script;
  }

  /**
   * Of a command that leaves contents alone nothing has to be copied: it is noted, and that is the faster way. To be called
   * before the first view is made, and only where no other command follows in it.
   */
  prefer(copying: Readonly<Copying>): void {
    const { state } = this;
    if (this.isTried || state.steps > 0 || state.carried || copying.by === 'supervision' || copying.isFixed) return;
    this.isTried = true;
    this.isPreferred = true;
    state.supervised = true;
  }

  /** Says yes once; from then on the views of the session are supervised. What wrote nothing is asked only whether it could not. */
  async isNeeded(launcher: Launcher, record: RunRecord, listing: Listing, wrote = true): Promise<boolean> {
    const couldNot = record.effects.some(({ kind }) => notWritten.has(kind));
    if (!wrote && !couldNot && !this.missesFolders(record)) return false;
    if (!this.mayBegin(launcher, record)) return false;
    const isThere = async (path: string) => (await launcher.stat(path, 'after')) !== undefined;
    return (await exceedsOverlays(record, listing, this.script, isThere)) && this.begin(launcher, record);
  }

  /** Whether a program that was let in, which look mode does not run, read what overlays do not show. */
  private missesFolders(record: RunRecord): boolean {
    if (!this.isOpen && !letAnyIn(record)) return false;
    return readsOwnFolders(record);
  }

  /** Whether it has to be run in another view before anything can be said of it. */
  beginsAnew(launcher: Launcher, record: RunRecord): boolean {
    // The folder that it is called in lies in a tree that overlays do not show.
    if (record.finished?.how === 'notStarted') return this.begin(launcher, record);
    return !brokeOff(record) && (this.giveUp(record) || this.copiesAhead(record));
  }

  /** It ended before something that only the machine can answer, where overlays had an answer: they are taken again. */
  private giveUp(record: RunRecord): boolean {
    if (!this.isTried || !this.state.supervised) return false;
    const metDoor = this.isPreferred && record.effects.some(({ kind }) => kind === 'door');
    if (record.finished?.how !== 'stopped' && !metDoor) return false;
    this.state.supervised = false;
    return true;
  }

  /** True, once, where the views of the session were not supervised yet and can be from now on. */
  begin(launcher: Launcher, record: RunRecord): boolean {
    if (!this.mayBegin(launcher, record)) return false;
    this.isTried = true;
    this.state.supervised = true;
    return true;
  }

  /** It ended because a file was written that somebody had open; in a new view it is copied before it is read. */
  private copiesAhead({ effects }: RunRecord): boolean {
    const { state } = this;
    const known = new Set(state.copiedAhead);
    const path = effects.find(({ kind, detail }) => kind === 'readBefore' && !known.has(detail))?.detail;
    if (path === undefined || state.steps > 0 || known.size === mostCopiedAhead) return false;
    state.copiedAhead = [...known, path];
    return true;
  }

  private mayBegin({ copying }: Launcher, record: RunRecord): boolean {
    const { supervised, steps } = this.state;
    if (supervised || steps > 0 || this.isTried || copying.by === 'supervision' || copying.isFixed) return false;
    // What is the machine's own even in a view (devices, leases, settings) is answered for there.
    return !record.effects.some(({ kind }) => kind === 'door');
  }
}
