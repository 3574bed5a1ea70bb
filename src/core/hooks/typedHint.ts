import type { ShellName } from '../action/action.ts';
import type { HeadlineKind } from '../facts/headline.ts';
import { isLostForGood, type Recovery } from '../facts/recovery.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { printable } from '../prediction/text/printable.ts';
import { readScript } from '../shell/script.ts';
import { headlineOf } from '../verdict/headlineOf.ts';

/** What a person is told of a line that stands at the prompt, before Enter. */
export interface TypedHint {
  headline: HeadlineKind;
  /** The sentences of the verdict, the worst first. */
  reasons: readonly string[];
  /** What would be lost for good, as it is shown. */
  lost: readonly string[];
  /** Of everything that the line destroys, how it is brought back. */
  recoveries: readonly Recovery[];
}

/** The most that a hint may take, in milliseconds: somebody waits for nothing. */
export const hintMs = 3_000;

/**
 * Whether a shell would ask for more before it runs this line: of such a line there is nothing to say yet. zsh and fish have forms
 * that are not read here; fish says itself whether a line is whole.
 */
export function isStillOpen(line: string, shell: ShellName): boolean {
  if (/(^|[^\\])(\\\\)*\\$/.test(line)) return true;
  if (shell === 'fish' || readScript(line).problem === undefined) return false;
  return shell !== 'zsh' || line.includes('<<');
}

/** What there is to say of a line that was predicted; `undefined`: nothing is known of it, or it is no whole command yet. */
export function typedHint(prediction: Prediction, line: string, cwd: string): TypedHint | undefined {
  const { ending, verdict, loss, programs, diagnostics, action } = prediction;
  if (ending !== 'done' && ending !== 'abstained') return undefined;
  const headline = headlineOf(verdict, diagnostics);
  const isZsh = action.kind === 'command' && action.shell === 'zsh';
  if (isZsh && headline === 'fails' && programs.length === 0 && readScript(line).problem !== undefined)
    return undefined;
  const shown = (name: string) => printable(name.startsWith(`${cwd}/`) ? name.slice(cwd.length + 1) : name);
  return {
    headline,
    reasons: verdict.reasons.map(({ text }) => printable(text)),
    lost: loss.filter(isLostForGood).map(({ path }) => shown(path)),
    recoveries: loss.map(({ recovery }) => recovery),
  };
}
