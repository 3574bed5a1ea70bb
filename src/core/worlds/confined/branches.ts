import type { ConcludeOptions } from './conclude.ts';
import { findFutures } from './futures.ts';
import { findOtherwise, type OtherwiseOptions } from './otherwise.ts';
import { type MadeStep, makeAgain, stepsBefore } from './pastSteps.ts';
import { secretsOf } from './stepCommand.ts';
import type { StepContext } from './stepContext.ts';

/**
 * Runs of the same command in which programs end in other ways, each in a copy in which the earlier steps of the session are made
 * again; none where these cannot be.
 */
export function branchesOf(
  context: StepContext,
  { command, gatekeeper, letsKnownIn, keepPath, isPatch }: MadeStep,
): Pick<ConcludeOptions, 'otherwise' | 'futures'> {
  const { parts, request, state } = context;
  const before = stepsBefore(context);
  if (!before || isPatch || !parts.canCopy()) return { otherwise: async () => [] };
  const { carried } = state;
  const isLater = before.length > 0;
  let cannotBegin = false;
  const env = isLater ? [...command.env, ...(carried?.env ?? [])] : command.env;
  const optionsOf = (shown: OtherwiseOptions['shown']): OtherwiseOptions => ({
    ...{ inert: parts.inert(), limits: request.limits, command: { ...command, env } },
    launch: isLater && state.supervised ? parts.launchSupervised : parts.launch,
    ...{ terminal: request.terminal, signal: request.signal, copiedAhead: state.copiedAhead },
    ...{ gatekeeper, letsKnownIn, keepPath, shown },
    ...(isLater
      ? {
          begin: async (launcher) => {
            if (cannotBegin) return false;
            await carried?.prepare(launcher, secretsOf(request));
            cannotBegin ||= !(await makeAgain(before, launcher));
            return !cannotBegin;
          },
        }
      : {}),
  });
  return {
    otherwise: (shown) => findOtherwise(optionsOf(shown)),
    futures: async (shown) => {
      const found = await findFutures(optionsOf(shown));
      // Of samples that nobody could follow nothing is counted.
      return cannotBegin ? [] : found;
    },
  };
}
