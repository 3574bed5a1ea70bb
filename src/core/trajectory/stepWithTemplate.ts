import type { RecordedTurn } from '../action/action.ts';
import { redactForPrompt } from '../context/redactForPrompt.ts';
import type { TurnPrompt } from '../worlds/language/languageRequest.ts';
import { knownValues, valuesIn } from '../worlds/language/placeholderValues.ts';
import { fillTemplate, type Placeholder } from '../worlds/language/templates.ts';
import { type Dialect, type Domain, domains, type Turn } from '../worlds/language/turn.ts';
import { redactSteps } from './redactStep.ts';
import { messagesOf, type TrajectoryStep } from './step.ts';
import { chainTo, turnOfAction } from './turnOfAction.ts';

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
 * The prompt of a step with `template` in the place of the system prompt. A prompt that the step was kept with (a row of a
 * benchmark, an import) keeps its other messages word for word; else the turns before it are laid out anew. What the
 * placeholders stand for is read out of the kept prompt, by the templates that it may have been made of (`known`), or is
 * known of the domain. Secrets are taken out of everything but the rows of a benchmark, which are data. Rejects when the
 * scanner for secrets cannot be loaded.
 */
export async function stepWithTemplate(
  steps: ReadonlyMap<string, TrajectoryStep>,
  step: TrajectoryStep,
  of: { template: string; known: readonly string[]; dialect: Dialect },
): Promise<StepQuestion | StepProblem> {
  const domain = domains.find((name) => name === step.domain);
  if (!domain) return problem(`there is no domain called ${step.domain}.`);
  const isData = step.row !== undefined || step.observation?.source === 'agentworldbench';
  const turn = turnOfAction(step.action, domain, of.dialect);
  if (!turn) return problem('its action cannot be written as a turn.');
  const messages = messagesOf(steps, step);
  const system = messages?.[0]?.role === 'system' ? messages[0].content : undefined;
  const values = valuesOf(domain, of, system, chainTo(steps, step));
  if (messages) {
    const filled = fillTemplate(of.template, values);
    if (!filled.ok) return problem(`${filled.message} Add the folder of the prompts that it was made with.`);
    const rest = messages.slice(system === undefined ? 0 : 1);
    const shown = isData
      ? rest
      : await Promise.all(rest.map(async (one) => ({ ...one, ...(await redacted(one.content)) })));
    const action: RecordedTurn = { kind: 'turn', domain, turn };
    return { ok: true, action, prompt: { messages: [{ role: 'system', content: filled.text }, ...shown] } };
  }
  const chain = chainTo(steps, step);
  const clean = isData ? chain : (await redactSteps(chain)).steps;
  const turns: Turn[] = [];
  for (const [index, one] of clean.entries()) {
    const action = turnOfAction(one.action, domain, of.dialect);
    if (!action) return problem(`the action of the step ${one.id} before it cannot be written as a turn.`);
    const isLast = index === clean.length - 1;
    const observation = one.observation?.text ?? one.prediction?.text;
    if (!isLast && observation === undefined) return problem(`the step ${one.id} before it has no observation.`);
    turns.push({
      action,
      part: isLast ? 'action' : 'history',
      ...(isLast || observation === undefined ? {} : { observation }),
    });
  }
  const state = clean[0]?.state;
  const asked = turns.at(-1)?.action ?? turn;
  return {
    ok: true,
    action: { kind: 'turn', domain, turn: asked },
    prompt: { turns, template: of.template, values, ...(state === undefined ? {} : { currentState: state }) },
  };
}

function valuesOf(
  domain: Domain,
  of: { known: readonly string[]; dialect: Dialect },
  system: string | undefined,
  chain: readonly TrajectoryStep[],
): Partial<Record<Placeholder, string>> {
  for (const template of system === undefined ? [] : of.known) {
    const values = valuesIn(system ?? '', template);
    if (values && Object.keys(values).length > 0) return values;
  }
  const tools = chain.find(({ agent }) => agent?.chat?.['tools'])?.agent?.chat?.['tools'];
  return {
    ...(tools === undefined ? {} : { tool_definitions: JSON.stringify(tools, null, 2), demonstrations: '' }),
    ...knownValues(domain, of.dialect),
  };
}

async function redacted(text: string): Promise<{ content: string }> {
  return { content: (await redactForPrompt(text)).text };
}

function problem(sentence: string): StepProblem {
  return { ok: false, problem: sentence };
}
