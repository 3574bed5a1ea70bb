import type { RecordedTurn } from '../../action/action.ts';
import type { TurnPrompt } from '../../worlds/language/imagine/languageRequest.ts';
import { knownValues, valuesIn } from '../../worlds/language/prompt/placeholderValues.ts';
import { type Dialect, type Domain, domains } from '../../worlds/language/prompt/turns/turn.ts';
import { fillTemplate, type Placeholder } from '../../worlds/language/template/templates.ts';
import { promptThatCame } from '../attempts/keptAttempts.ts';
import { stepMessagesOf, type TrajectoryStep } from './step.ts';
import { stepPrompt } from './stepPrompt.ts';
import { chainTo } from './turnOfAction.ts';
import { turnActionOf } from './turnOfStep.ts';

/** A step as it is asked with another system prompt. */
export interface StepQuestion {
  ok: true;
  action: RecordedTurn;
  prompt: TurnPrompt;
}

/** A step that cannot be asked. `problem`: one sentence. */
export interface StepProblem {
  ok: false;
  problem: string;
}

/**
 * The prompt of a step with `template` in the place of the system prompt; the rest as `stepPrompt` has it. What the
 * placeholders stand for is read out of the prompt that the step was kept with, by the templates that it may have been
 * made of (`known`), or is known of the domain or the agent's tools. Rejects when the scanner for secrets cannot be loaded.
 */
export async function stepWithTemplate(
  steps: ReadonlyMap<string, TrajectoryStep>,
  step: TrajectoryStep,
  of: { template: string; known: readonly string[]; dialect: Dialect },
): Promise<StepQuestion | StepProblem> {
  const domain = domains.find((name) => name === step.domain);
  if (!domain) return { ok: false, problem: `there is no domain called ${step.domain}.` };
  const chain = chainTo(steps, step);
  const [system] = stepMessagesOf(steps, step) ?? [];
  const values = valuesOf(domain, of, system?.role === 'system' ? system.content : '', chain);
  const filled = fillTemplate(of.template, values);
  if (!filled.ok) {
    return { ok: false, problem: `${filled.message} Add the folder of the prompts that it was made with.` };
  }
  const prompt = await stepPrompt({
    path: chain.map((one) => ({ step: one, observationIsOld: false })),
    messages: promptThatCame(step, steps),
    restsOnEdited: false,
    template: filled.text,
  });
  const action: RecordedTurn = { kind: 'turn', domain, turn: turnActionOf(step.action, domain) };
  if ('messages' in prompt) return { ok: true, action, prompt };
  return { ok: true, action, prompt: { ...prompt, template: of.template, values } };
}

function valuesOf(
  domain: Domain,
  of: { known: readonly string[]; dialect: Dialect },
  system: string,
  chain: readonly TrajectoryStep[],
): Partial<Record<Placeholder, string>> {
  for (const template of system === '' ? [] : of.known) {
    const values = valuesIn(system, template);
    if (values && Object.keys(values).length > 0) return values;
  }
  const tools = chain.find(({ agent }) => agent?.chat?.['tools'])?.agent?.chat?.['tools'];
  return {
    ...(tools === undefined ? {} : { tool_definitions: JSON.stringify(tools, null, 2), demonstrations: '' }),
    ...knownValues(domain, of.dialect),
  };
}
