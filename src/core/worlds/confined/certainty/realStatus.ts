import type { StepContext } from '../stepContext.ts';
import type { Launcher } from '../wire/launcher.ts';
import type { RunRecord } from '../wire/runRecord.ts';
import { stopsAtViewBoundary } from './gitBoundary.ts';
import { showedStatus } from './showedStatus.ts';

/** What a copy has otherwise than the real file system, and programs may show; they are told the real one where they do. */
export class RealStatus {
  private readonly context: StepContext;
  /** Owners, sizes and link counts are shown as they really are. */
  corrects = false;
  /** git is told not to mind that its folder is on several file systems. */
  crossesFileSystems = false;

  constructor(context: StepContext) {
    this.context = context;
  }

  /**
   * True when the command has to be run again, told more about the real file system: it wrote something and then showed
   * owners, sizes or link counts, which differ in a copy; or git stopped at the boundary of an overlay. The first run is
   * without, because it costs time, and a command that only reads is answered by look mode anyway.
   */
  async isNeeded(checker: Launcher, record: RunRecord): Promise<boolean> {
    const { state, parts } = this.context;
    // In a session the views are told everything from the beginning.
    const isTold = this.corrects || state.carried || state.steps > 0;
    if (!isTold) this.corrects = showedStatus(record, parts.inert().correct);
    return (!isTold && this.corrects) || (await this.stopsAtBoundary(checker, record));
  }

  /** The same of a loop that waits for git until its time is over: it has to wait for what git really says. */
  async waitsAtBoundary(checker: Launcher, record: RunRecord): Promise<boolean> {
    return record.finished?.how === 'timeLimit' && (await this.stopsAtBoundary(checker, record));
  }

  /**
   * The view is made of several overlays, which git takes for different file systems. Where no supervised view could be had,
   * it is told not to mind, and the command is run again.
   */
  private async stopsAtBoundary(checker: Launcher, record: RunRecord): Promise<boolean> {
    const { state } = this.context;
    if (this.crossesFileSystems || state.steps > 0 || state.supervised || checker.copying.by === 'supervision')
      return false;
    this.crossesFileSystems = await stopsAtViewBoundary(record);
    return this.crossesFileSystems;
  }
}
