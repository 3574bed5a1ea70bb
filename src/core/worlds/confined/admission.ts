import { writtenText } from '../../action/action.ts';
import { KnownGate } from './gate/knownGate.ts';
import type { ScriptWords } from './scriptWords.ts';
import type { StepContext } from './stepContext.ts';
import type { Gated, Launcher } from './wire/launcher.ts';

/**
 * Whether the views of a prediction let programs in to which the user consented, or that are known by the form of their words.
 * That costs a stop for each call that names a file, so a command whose words name inert programs alone is run without. The words
 * are a guess: where the gate meets another program, or a library, the run ends before its first instruction, and the command is
 * run again in views that let it in.
 */
export class Admission {
  /** Who lets in what is known by the form of its words. */
  readonly known: KnownGate;
  private readonly context: StepContext;
  private isOpen: boolean;
  private metOther = false;

  constructor(context: StepContext, words: ScriptWords) {
    const { request, state } = context;
    this.context = context;
    // Later commands of a session find its views as they were built.
    this.known = new KnownGate({
      script: writtenText(request.action).script,
      isTrusted: request.trusted && !request.openGate,
      isExpected: () => state.continues || words.mayStartKnown(),
      canGoAgain: () => state.steps === 0,
    });
    // What stands in for the one program that is not inert lets nobody in.
    const isClosed = words.onlyInert() || request.standIn !== undefined;
    this.isOpen = request.consent !== undefined && (state.continues || !isClosed);
  }

  /** Views are to be built so that programs can be let in. */
  get letsIn(): boolean {
    return this.isOpen;
  }

  /** A run was ended because of a program that it could not let in, or that it had let in and that was not what it seemed. */
  get isMissing(): boolean {
    return this.metOther || this.known.isVoid;
  }

  /** Ends the run where the stopped program could be let in, but not in this view. */
  beginsAgain(launcher: Launcher, { reason }: Gated): boolean {
    const { request, state } = this.context;
    if (request.consent === undefined || this.isOpen || reason === 'readsTables' || reason === 'changed') return false;
    // In look mode nothing is let in.
    if (launcher !== state.checker && launcher !== state.shown) return false;
    this.metOther = true;
    launcher.cancel();
    return true;
  }

  /** Leaves the views that could not; the next ones can. */
  async open(): Promise<void> {
    const { state } = this.context;
    await Promise.all([state.checker?.close(), state.shown?.close()]);
    state.checker = undefined;
    state.shown = undefined;
    this.isOpen = true;
    this.metOther = false;
    this.known.isVoid = false;
  }
}
