import type { ShellName } from '../../action/action.ts';
import type { Failure } from '../../facts/failure.ts';
import type { ProgramOutcome, PromptShell } from '../../prediction/rehearsal.ts';
import type { OutsideLook } from '../../programs/outsideLook.ts';
import type { Looker } from '../../view/view.ts';
import type { InertFiles } from './gate/inert.ts';
import type { RunInCopy } from './planned/packages.ts';
import type { BashStart, StartState, UnreadStart } from './shell/startState.ts';
import type { Copying, Gated, Launcher, LauncherEffect } from './wire/launcher.ts';

/** Why no launcher can be started. */
export type NoLauncher = Extract<Failure, { kind: 'otherSystem' | 'launcherMissing' }>;

/** What sessions share. */
export interface ConfinedParts {
  launch: () => Launcher;
  /** Launchers that make copies by supervision, whatever else this machine allows. */
  launchSupervised: () => Launcher;
  /** How this machine lets copies be made, as far as it was tried. */
  copying: Readonly<Copying>;
  /** A prediction is expected: begins what every launcher would wait for. */
  expect(): void;
  /** Starts launchers for what comes next. */
  refill(): void;
  inert(): InertFiles;
  lookAtGated(
    gated: Gated,
    signal: AbortSignal,
  ): Promise<{ outcome: ProgramOutcome; signals: LauncherEffect[] } | undefined>;
  lookOutside(
    gated: Gated,
    outside: OutsideLook,
    signal: AbortSignal,
  ): Promise<Pick<ProgramOutcome, 'exitCode' | 'stdout' | 'stderr'> | undefined>;
  runInCopy: RunInCopy;
  shellState(shell: ShellName, env: Readonly<Record<string, string>>): Promise<BashStart | UnreadStart | undefined>;
  /** What a zsh has that is at its prompt; see `zshState`. */
  zshState(prompt: PromptShell, env: Readonly<Record<string, string>>): StartState | undefined;
  keepPath(path: string): boolean;
  canCopy(): boolean;
  looker: Looker;
  /** Launchers that have run a command already; the next one starts a new layer. */
  usedLaunchers: WeakSet<Launcher>;
  /** Asked when one has failed. Undefined: the reason is another. */
  whyNoLauncher(): NoLauncher | undefined;
}
