import os from 'node:os';
import { writtenText } from '../../action/action.ts';
import type { Failure } from '../../facts/failure.ts';
import { Admission } from './admission.ts';
import { type AheadRun, beginAhead, brokeOff, hasWritten, mayRunAhead, type Shown } from './ahead.ts';
import { branchesOf } from './branches.ts';
import { tellChangedMeanwhile } from './certainty/changedMeanwhile.ts';
import { sameOutcome } from './certainty/compare.ts';
import { type Dependence, dependenceOf } from './certainty/dependence.ts';
import { printsInAnyOrder } from './certainty/order.ts';
import { packsInThreads } from './certainty/packing.ts';
import { Race } from './certainty/race.ts';
import { RealStatus } from './certainty/realStatus.ts';
import { showedStatus } from './certainty/showedStatus.ts';
import { wasSteady } from './certainty/steady.ts';
import { mayReadAlone, readAloneAs } from './certainty/steadyReading.ts';
import { namedBy, tracedRun } from './certainty/tracedRun.ts';
import { conclude, type Outcome } from './conclude.ts';
import { isFolder, noFolder } from './edits/editFiles.ts';
import { goEdit } from './edits/editStep.ts';
import { type HeldPatch, holdPatch } from './edits/patchFile.ts';
import type { Gatekeeper } from './gate/gatekeeper.ts';
import type { AssumedFailures } from './gate/gatekeeperOptions.ts';
import { lookOnly } from './look/lookOnly.ts';
import { type EarlyLook, isWorthReading, lookRun } from './look/lookRun.ts';
import type { StepAsking } from './pastStep.ts';
import { keepStep } from './pastSteps.ts';
import { tellUnrun } from './planned/tellPlan.ts';
import { Questions } from './questions.ts';
import { repeats } from './repeats.ts';
import { goingOnOf, type RunSettings, runOnce } from './run.ts';
import { giveWayUntil } from './runWork.ts';
import { leavesEarlyIn, type ScriptWords, scriptWords } from './scriptWords.ts';
import { commandOf, envOfRun, type StepCommand } from './stepCommand.ts';
import type { StepContext } from './stepContext.ts';
import { createStepGate } from './stepGate.ts';
import { openStepView } from './stepView.ts';
import { Supervision } from './supervision.ts';
import { unfinishedOf } from './unfinished.ts';
import { type HeldView, held, nothingHeld } from './views.ts';
import { Watch } from './watch.ts';
import { Launcher, type Listing } from './wire/launcher.ts';
import type { Digests } from './wire/requestFrames.ts';
import { letAnyIn, markLetIn, type RunRecord } from './wire/runRecord.ts';

const hasSpareCore = os.availableParallelism() > 1;

const none: AssumedFailures = new Map();

/** Predicts one command or edit of a session. Rejects only when a launcher ends. */
export function goStep(context: StepContext): Promise<HeldView> {
  const { action } = context.request;
  return action.kind === 'edit' && !action.patch ? goEdit(context, action) : new Step(context).predict();
}

/** How one of the runs is made. */
interface RunWay extends Pick<RunSettings, 'onAsks' | 'onFirstDoubt'> {
  /** Default: that of the prediction. */
  gatekeeper?: Gatekeeper;
  /** What it prints is what the prediction will show. */
  isShown?: boolean;
}

/** One prediction: the runs that it takes, and the events that they make. */
class Step {
  private readonly context: StepContext;
  private readonly gatekeeper: Gatekeeper;
  private readonly asking: StepAsking = { isOver: false, hasMissed: false };
  private readonly dependence: Dependence;
  private readonly words: ScriptWords;
  private readonly questions: Questions;
  private readonly supervision: Supervision;
  private readonly admission: Admission;
  private readonly realStatus: RealStatus;
  private readonly watch: Watch;
  private command: StepCommand = { argv: [], env: [], cwd: '/' };
  /** A patch is given to its tool as a file of ours. */
  private patch: HeldPatch | undefined;
  private isCompared = false;
  private readonly race: Race;
  /** Look mode's reading, begun ahead. */
  private early: { record: Promise<RunRecord | undefined>; abort: AbortController } | undefined;
  /** The run that is shown, begun ahead. */
  private ahead: AheadRun | undefined;

  constructor(context: StepContext) {
    this.context = context;
    this.supervision = new Supervision(context);
    this.realStatus = new RealStatus(context);
    const { request, startedAt } = context;
    this.watch = new Watch(context.channel, startedAt, request);
    this.questions = new Questions(context, this.watch);
    this.dependence = dependenceOf(request.action);
    this.words = scriptWords(request);
    this.race = new Race({ ...this.words, leavesEarlyIn: leavesEarlyIn(request), keepPath: this.keepPath });
    this.admission = new Admission(context, this.words);
    this.gatekeeper = createStepGate(context, this.admission, this.dependence, this.keepPath, this.asking);
  }

  async predict(): Promise<HeldView> {
    try {
      return await this.go();
    } finally {
      // Whatever was begun ahead and is not needed ends with the prediction.
      await Promise.all([this.dropEarly(), this.dropAhead()]);
    }
  }

  private async go(): Promise<HeldView> {
    const problem = await this.setCommand();
    if (problem) return this.fail({ kind: 'told', ...problem });
    if (!this.context.request.openGate && this.words.suitsSupervision())
      this.supervision.prefer(this.context.parts.copying);
    if (this.realStatus.crossesFileSystems) this.command.env.push('GIT_DISCOVERY_ACROSS_FILESYSTEM=1');
    this.realStatus.corrects ||= this.words.willShowStatus();
    this.lookEarly();
    const alone = (await this.readAlone()) ?? (await this.showAlone());
    if (alone || this.isVoid) return alone ?? this.goAgain();
    const checker = await this.view('checker', true);
    if (!(checker instanceof Launcher) && this.context.state.supervised) {
      // No supervision here: what overlays show has to do.
      this.context.state.supervised = false;
      return this.go();
    }
    if (!(checker instanceof Launcher))
      return this.patch
        ? this.fail({ kind: 'confinement', because: checker.sentence })
        : this.lookOnly(checker.sentence);
    if (this.patch && !(await isFolder(checker, this.command.cwd)))
      return this.fail({ kind: 'told', code: 'cwd', message: noFolder(this.command.cwd) });
    // Said once, however often it is run.
    if (!this.isCompared) await tellChangedMeanwhile(checker, this.context.request.action, this.context.channel);
    this.isCompared = true;
    const checking = this.run(checker, { onAsks: this.questions.asking() });
    if (this.ahead && (this.context.request.openGate || this.admission.letsIn))
      void giveWayUntil(checker.pid, this.ahead.shown);
    const check = await this.watch.checking(checking);
    if (this.isVoid) return this.goAgain(checker);
    const checkListing = await checker.list(this.digests());
    for (const fact of this.patch?.noticesOf(check) ?? []) this.context.channel.push({ type: 'notice', fact });
    if (await this.realStatus.waitsAtBoundary(checker, check)) return this.goAgain(checker);
    if (this.supervision.beginsAnew(checker, check)) return this.goAgain(checker);
    if (brokeOff(check)) return this.concludeCut(checker, check, checkListing);
    const wrote = hasWritten({ record: check, listing: checkListing }, this.keepPath);
    if (await this.supervision.isNeeded(checker, check, checkListing, wrote)) return this.goAgain(checker);
    const mayLook = !this.context.request.openGate && !letAnyIn(check);
    // What only reads is answered by look mode, which shows what is there.
    if ((wrote || !mayLook) && (await this.realStatus.isNeeded(checker, check))) return this.goAgain(checker);
    if (!wrote && !this.context.state.changed && !check.asked && !this.patch && mayLook) {
      const view = this.mayLook() ? await this.look(check) : undefined;
      if (view === 'letsIn') return this.rehearseAgain(check, checkListing, wrote);
      if (view) return this.keepUp(view);
      // On the real file system it would change something, and on the copy it could not.
      if (this.mayLook() && this.supervision.begin(checker, check)) return this.goAgain(checker);
    }
    return this.rehearseAgain(check, checkListing, wrote);
  }

  /**
   * A run that a limit ended, or the user. Look mode's reading has the real clock, where it was begun ahead and ended alike;
   * without it nothing was compared, and what was printed and written may be of the check's clock and process numbers.
   */
  private async concludeCut(checker: Launcher, check: RunRecord, listing: Listing): Promise<HeldView> {
    const [early] = await Promise.all([this.early?.record, this.dropAhead()]);
    const isLike = early?.finished !== undefined && early.finished.how === check.finished?.how;
    if (isLike && listing.changes.length === 0)
      return this.conclude({ record: early, other: check, held: nothingHeld(this.context.parts.looker) });
    return this.conclude({ record: check, other: check, isCompared: false, listing, held: held(checker) });
  }

  /** A run met what its view could not do, and was ended there. */
  private get isVoid(): boolean {
    return this.admission.isMissing || this.race.isUnpaced;
  }

  /** The same once more, in another view. */
  private async goAgain(checker?: Launcher): Promise<HeldView> {
    await Promise.all([checker?.close(), this.dropAhead()]);
    if (this.race.isUnpaced) await this.dropEarly();
    this.race.isUnpaced = false;
    if (this.admission.isMissing) await this.admission.open();
    this.context.state.checker = undefined;
    return this.go();
  }

  /** What two runs are compared by; of the rest only where somebody asked. */
  private digests(): Digests {
    return this.context.request.hash ? 'all' : 'new';
  }

  /** A view that carries variables on has seen the earlier commands; look mode has not, and its machine has no faults. */
  private mayLook(): boolean {
    return !this.context.request.faults && !(this.context.state.carried && this.context.state.steps > 0);
  }

  /**
   * Of a command that by its words only reads, look mode's reading is begun while the check still runs: both together take
   * hardly longer than one. A program that has to be answered for ends it; it is then made again when its time comes.
   */
  private lookEarly(): void {
    const how = { words: this.words, letsKnownIn: this.admission.known.isOn, hasSpareCore };
    if (this.early || !this.mayLook() || !isWorthReading(this.context, how)) return;
    const abort = new AbortController();
    const gatekeeper: Gatekeeper = { ...this.gatekeeper, answer: async () => abort.abort() };
    const record = this.lookRun(false, { gatekeeper, signal: abort.signal }).catch(() => undefined);
    this.early = { record, abort };
  }

  /** A reading needs no check beside it where nothing that it prints can be volatile, or it took all the time that there is. */
  private async readAlone(): Promise<HeldView | undefined> {
    const record = mayReadAlone(this.context, this.words) ? await this.early?.record : undefined;
    const how = record && readAloneAs(record, this.context.request, this.command.env, this.words);
    if (!record || !how) return undefined;
    return this.conclude({ record, other: record, ...how, held: nothingHeld(this.context.parts.looker) });
  }

  /**
   * The run that is shown needs no other beside it where nothing of it can be volatile. Else it goes on while the check
   * runs: both together take hardly longer than one.
   */
  private async showAlone(): Promise<HeldView | undefined> {
    const { request, state } = this.context;
    const { action } = request;
    if (this.ahead || this.early || action.kind !== 'command' || !mayRunAhead(this.context)) return undefined;
    const isPromising = !request.openGate && !state.continues && this.words.isSteady();
    if (!isPromising && !hasSpareCore) return undefined;
    this.ahead = beginAhead({
      open: () => this.view('shown', false),
      gatekeeper: this.gatekeeper,
      digests: this.digests(),
      run: (launcher, onAsks, gatekeeper) => this.run(launcher, { onAsks, gatekeeper, isShown: true }),
    });
    const shown = isPromising ? await this.ahead.shown : undefined;
    if (!shown || !hasWritten(shown, this.keepPath) || !wasSteady(shown.record, shown.listing, this.command.env))
      return undefined;
    if (await this.supervision.isNeeded(shown.launcher, shown.record, shown.listing)) {
      await this.dropAhead();
      return this.go();
    }
    return this.concludeShown(shown, { record: shown.record, isSteady: true });
  }

  /** Ends a reading that was begun ahead and is not wanted. */
  private async dropEarly(): Promise<void> {
    const { early } = this;
    this.early = undefined;
    early?.abort.abort();
    await early?.record;
  }

  /** Ends a run that was begun ahead and is not wanted. */
  private async dropAhead(): Promise<void> {
    const { ahead } = this;
    if (!ahead) return;
    this.ahead = undefined;
    ahead.abort.abort();
    await ahead.shown;
    await this.context.state.shown?.close();
    this.context.state.shown = undefined;
  }

  private concludeShown(
    shown: Shown,
    check: { record: RunRecord; listing?: Listing; isSteady?: true },
  ): Promise<HeldView> {
    this.ahead = undefined;
    this.context.state.changed = true;
    const { launcher, record, listing } = shown;
    const { record: other, listing: otherListing, isSteady } = check;
    return this.conclude({ record, other, listing, otherListing, isSteady, held: held(launcher, shown) });
  }

  /** What is to be run; a problem where it cannot be. */
  private async setCommand(): Promise<{ code: string; message: string } | undefined> {
    const { action } = this.context.request;
    if (action.kind === 'edit') this.patch ??= action.patch && holdPatch(action.patch);
    const command = await commandOf(this.context, this.patch);
    if ('code' in command) return command;
    this.command = command;
    return undefined;
  }

  /** Look mode leaves nothing behind; the view that the next command starts from has to have seen this one too. */
  private async keepUp(view: HeldView): Promise<HeldView> {
    const shown = this.context.state.carried && (await this.view('shown', false));
    if (shown instanceof Launcher) await this.run(shown, { onAsks: async () => undefined });
    return view;
  }

  /**
   * Nothing was written: look mode gives the real reading. `undefined` when it meets a change after all, `letsIn` when it meets a
   * program that a copy lets in and that the check did not come to.
   */
  private async look(check: RunRecord): Promise<HeldView | 'letsIn' | undefined> {
    // A view that goes on sees the command once, in `keepUp`.
    if (this.context.state.continues) await this.dropAhead();
    const record = (await this.early?.record) ?? (await this.lookRun(false));
    if (!record || brokeOff(record)) return undefined;
    if (this.admission.letsIn && record.assumptions.length > check.assumptions.length) return 'letsIn';
    const later = check.momentary ? check : undefined;
    const how = { later, namer: check, held: nothingHeld(this.context.parts.looker) };
    // What was assumed of a program in the check is no second look at it.
    const isChecked = sameOutcome(record, check) && check.assumptions.length === record.assumptions.length;
    const other = isChecked ? check : ((await this.lookRun(true)) ?? check);
    return this.conclude({ record, other, ...how });
  }

  private lookRun(shifted: boolean, early?: EarlyLook): Promise<RunRecord | undefined> {
    return lookRun(this.context, { shifted, ...this.race.turns }, early, (launcher) =>
      this.run(launcher, {
        onAsks: async () => undefined,
        ...(early ? { gatekeeper: early.gatekeeper } : {}),
        isShown: !shifted,
      }),
    );
  }

  /** The run whose view is kept, with the real clock; compared with the first one. */
  private async rehearseAgain(check: RunRecord, checkListing: Listing, wrote: boolean): Promise<HeldView> {
    const { state } = this.context;
    const ahead = await this.ahead?.shown;
    if (this.isVoid) return this.goAgain();
    // What the earlier steps of a session have done is in the view that there is.
    if (ahead && !(this.race.isWorse(ahead.listing, checkListing) && state.steps === 0))
      return this.concludeShown(ahead, { record: check, listing: checkListing });
    await this.dropAhead();
    const shown = await this.view('shown', false);
    if (!(shown instanceof Launcher)) return this.failUnrun(shown.sentence);
    let baseline: Listing | undefined;
    const record = await this.run(shown, {
      onAsks: this.questions.repeating(),
      onFirstDoubt: async (launcher) => {
        baseline = await launcher.list('none');
      },
      isShown: true,
    });
    if (this.isVoid) return this.goAgain();
    const listing = await shown.list(this.digests());
    if (this.race.isWorse(listing, checkListing) && state.steps === 0) {
      await shown.close();
      state.shown = undefined;
      return this.rehearseAgain(check, checkListing, wrote);
    }
    if (state.steps === 0) this.race.settle(listing, checkListing);
    this.context.state.changed ||= wrote || listing.changes.some((change) => this.keepPath(change.path));
    return this.conclude({ record, other: check, listing, otherListing: checkListing, baseline, held: held(shown) });
  }

  /** Where nothing can be confined, look mode alone answers what only reads. */
  private async lookOnly(why: string): Promise<HeldView> {
    const { state } = this.context;
    const stepsBefore = state.steps;
    const view = await lookOnly({
      context: this.context,
      why,
      ...this.race.turns,
      command: this.command,
      run: (launcher, isShown) => {
        const onAsks = isShown ? this.questions.asking() : this.questions.repeating();
        return this.run(launcher, { onAsks, isShown });
      },
      conclude: (record, other) => this.conclude({ record, other, held: nothingHeld(this.context.parts.looker) }),
      fail: (message) => this.failUnrun(message),
      took: () => this.took(),
    });
    // Nothing keeps what this step would have changed, nor the variables of its shell: later steps assume that it left nothing.
    const isAnswered = state.steps > stepsBefore;
    if (!isAnswered || state.carried?.env.length) state.unsure = 'assumed';
    return view;
  }

  private async view(which: 'checker' | 'shown' | 'again', shifted: boolean, births = this.race.turns.births) {
    const launcher = await openStepView(this.context, which, {
      shifted,
      ...this.race.turns,
      births,
      corrects: this.realStatus.corrects,
      letsIn: this.admission.letsIn,
      letsKnownIn: this.admission.known.isOn,
    });
    if (!this.patch || !(launcher instanceof Launcher) || (await this.patch.put(launcher)) === undefined)
      return launcher;
    return { sentence: 'The patch is too large to be handed to its tool (15 MB); predict it in parts.' };
  }

  private async run(launcher: Launcher, how: RunWay): Promise<RunRecord> {
    const isKept = launcher === this.context.state.checker || launcher === this.context.state.shown;
    const running = runOnce(launcher, {
      ...this.command,
      env: envOfRun(this.command.env, this.context, { launcher, isShown: how.isShown }),
      terminal: this.context.request.terminal,
      newLayer: isKept && this.isLater(launcher),
      gatekeeper: how.gatekeeper ?? this.gatekeeper,
      failures: none,
      unsure: this.context.state.unsure,
      blind: this.context.state.blind,
      isBlindFromStart: this.context.state.blind.length > 0 && this.dependence.shellReads,
      onAsks: how.onAsks,
      ...goingOnOf(this.context.request, this.admission.known.isOn),
      ...(how.onFirstDoubt ? { onFirstDoubt: how.onFirstDoubt } : {}),
      ...(how.isShown ? this.watch.shows() : {}),
      ...this.race.watches(launcher, this.context.state.steps === 0),
    });
    return this.race.settled(await this.watch.during(running));
  }

  private isLater(launcher: Launcher): boolean {
    return this.context.parts.usedLaunchers.has(launcher) || !this.context.parts.usedLaunchers.add(launcher);
  }

  private readonly keepPath = (path: string): boolean =>
    this.context.parts.keepPath(path) && !this.context.state.carried?.isOwn(path) && !this.patch?.isOwn(path);

  private async conclude(outcome: Outcome): Promise<HeldView> {
    const { parts, request, state, channel, startedAt } = this.context;
    let { held } = outcome;
    const { command, gatekeeper, asking, keepPath, admission, patch } = this;
    const made = { command, gatekeeper, asking, keepPath, letsKnownIn: admission.known.isOn, isPatch: !!patch };
    if (request.openGate || letAnyIn(outcome.record)) markLetIn(outcome.record, parts.inert().inert);
    let runsOn = false;
    this.context.hold(held);
    const more = await repeats(outcome, this.context, {
      digests: this.digests(),
      open: (births, shifted) => this.view('again', shifted, births),
      keepPath,
      run: (launcher) => this.run(launcher, { onAsks: this.questions.repeating() }),
    });
    const compared = { ...outcome, ...more };
    const { isOtherwise } = await conclude(compared, {
      keepPath: this.keepPath,
      limits: request.limits,
      startedAt,
      ...{ made: state.made, withheld: request.withheld },
      script: writtenText(request.action).script,
      isTerminal: request.terminal !== undefined,
      isForeign: request.openGate || letAnyIn(outcome.record),
      hasNoNetwork: request.faults?.offline === true,
      showsStatus: !outcome.isSteady && showedStatus(outcome.record, parts.inert().correct),
      startsTogether: this.words.startsTogether(),
      inAnyOrder: printsInAnyOrder(outcome.record, this.dependence),
      doubts: this.race.doubts,
      packsInThreads: await packsInThreads(outcome.record, parts.looker, this.command.cwd),
      push: (event) => channel.push(event),
      unfinished: unfinishedOf(this.context, this.command, outcome, (view, isAfter) => {
        if (isAfter) runsOn = true;
        held = { ...outcome.held, view };
        this.context.hold(held);
      }),
      ...branchesOf(this.context, made),
    });
    keepStep(this.context, outcome, made);
    state.steps += 1;
    if (request.traced) held = { ...held, traced: await tracedRun(outcome, this.context, this.keepPath) };
    if (request.compared) held = { ...held, named: namedBy(outcome, startedAt) };
    // Later steps find what it does by then, and in the view it has ended; or other files than there would really be.
    state.unsure = outcome.record.unsure || ((runsOn || isOtherwise) && 'assumed');
    state.blind = outcome.record.blind;
    return held;
  }

  /** Nothing could be run: what the script would do to files is computed from its words. */
  private async failUnrun(message: string): Promise<HeldView> {
    const { request, channel, parts } = this.context;
    const tell = { looker: parts.looker, signal: request.signal, push: channel.push.bind(channel) };
    const view = await tellUnrun({ ...tell, ...this.command, ...writtenText(request.action) });
    return this.fail({ kind: 'confinement', because: message }, { ...nothingHeld(parts.looker), view });
  }

  private fail(failure: Failure, held: HeldView = nothingHeld(this.context.parts.looker)): HeldView {
    this.context.hold(held);
    this.context.channel.push({ type: 'failed', failure, durationMs: this.took() });
    return held;
  }

  private took(): number {
    return Date.now() - this.context.startedAt.getTime();
  }
}
