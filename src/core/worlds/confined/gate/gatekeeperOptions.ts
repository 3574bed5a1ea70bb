import type { AssumedPart } from '../../../facts/assumption.ts';
import type { Consent } from '../../../facts/consent.ts';
import type { FoundPlan } from '../../../facts/packagePlan.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { ProgramOutcome, StandIn, StoppedProgram } from '../../../prediction/rehearsal.ts';
import type { Dependence } from '../certainty/dependence.ts';
import type { Gated, Launcher, LauncherEffect } from '../wire/launcher.ts';
import type { RecordedProgram, RunRecord, Stand } from '../wire/runRecord.ts';
import type { AskOutside } from './askOutside.ts';
import type { KnownGate } from './knownGate.ts';

/** A program that can be started in the place of a gated one, because it is what that one would start. */
export interface Instead {
  path: string;
  argv: string[];
  env: string[];
  /** Printed before it starts, as the gated program would. */
  stdout: string;
  /** It prints nothing else, changes nothing and ends as that one does. */
  exact: boolean;
  /** What is seen of it then. */
  stand: Stand;
  /** What is assumed about the program that was looked through. */
  assumes: AssumedPart;
}

/** Who answers for programs that may not run. */
export interface GatekeeperOptions {
  /** Programs that run because the user consented to it. */
  consent?: Consent | undefined;
  /** What is known of one program from an earlier run of it. */
  standIn?: StandIn | undefined;
  /** Called before anything is decided of a program that is not inert; true: the run is ended, and made again from the beginning. */
  beginsAgain(launcher: Launcher, gated: Gated): boolean;
  /** Programs that run without consent for the form of their words. */
  known: KnownGate;
  /** Asks servers as a look, where the user consented to it. */
  outside: AskOutside;
  handOver?: ((program: StoppedProgram) => Promise<ProgramOutcome>) | undefined;
  /** Runs one inert program on the real machine; `undefined` when it would have changed something. */
  look(gated: Gated): Promise<{ outcome: ProgramOutcome; signals: LauncherEffect[] } | undefined>;
  /** What the gated program would start, where that is known. */
  lookThrough(launcher: Launcher, gated: Gated): Promise<Instead | undefined>;
  /** What a program would do to the packages of the machine; `undefined`: it does nothing of the kind. */
  plan(gated: Gated, record: RunRecord, program: RecordedProgram): Promise<FoundPlan | undefined> | undefined;
  keepPath(path: string): boolean;
  /** Whether a run in this view is there to find out what is volatile. */
  isCheck(launcher: Launcher): boolean;
  /** Values in the place of secrets, `name=value`, in a run in this view. What is stopped is told without them. */
  standIns(launcher: Launcher): readonly string[];
  /** What depends on a stopped program. */
  dependence: Dependence;
  /** Arguments of the shell that runs the command, as processes show them: none where it would be typed at a terminal. */
  shellWords: readonly string[];
  /** Other programs of the script may read from the same standard input, so that it must not be used up. */
  sharesStdin: boolean;
  /** Shows something while an answer is made. */
  tell(event: FactEvent): void;
  signal: AbortSignal;
}

/**
 * How programs end in this run, by the text of their arguments: with an assumed exit code, or as one of several samples says. All
 * others are answered for as usual.
 */
export type AssumedFailures = ReadonlyMap<string, number | ProgramOutcome>;
