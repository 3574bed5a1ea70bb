import type { TurnAction } from '../../action/turnAction.ts';
import { redactForPrompt } from '../../context/secrets/redactForPrompt.ts';
import type { ChatMessage } from '../../worlds/language/client/provider.ts';
import type { TurnPrompt } from '../../worlds/language/imagine/languageRequest.ts';
import { type Conditions, renderConditions } from '../../worlds/language/prompt/conditions.ts';
import { type Domain, domains, type Turn } from '../../worlds/language/prompt/turns/turn.ts';
import { renderSuffix, renderTurn } from '../../worlds/language/prompt/turns/turnText.ts';
import { answerText } from '../attempts/answerGroups.ts';
import type { StepMessage, TrajectoryStep } from './step.ts';
import { turnActionOf } from './turnOfStep.ts';

/** A step of the branch that a prompt is made of. */
export interface PromptStep {
  step: TrajectoryStep;
  /** Its observation belongs to what was before an edit. */
  observationIsOld: boolean;
}

/** How a step is to be asked. */
export interface StepPromptOptions {
  /** From the first step of the branch to the one that is asked. */
  path: readonly PromptStep[];
  /** The whole prompt that came with the step, see `promptThatCame`; undefined: none. */
  messages?: readonly StepMessage[] | undefined;
  /** Something before it, or its action, was edited after the prompt was made. */
  restsOnEdited: boolean;
  /** Another system prompt, verbatim. */
  template?: string | undefined;
  /** Other conditions than the prompt was made under; the ones of the request otherwise. */
  conditions?: Conditions | undefined;
  /** Of a made-up world. */
  fictionalWorld?: string | undefined;
}

/**
 * What a model is shown of a step. A prompt that came with the step (a row of a benchmark, an import) is sent as it is,
 * with another system prompt or conditions where they are asked for; else the turns of the branch are laid out anew.
 * Secrets are taken out of everything but the rows of a benchmark, which are data. Rejects when the scanner for secrets
 * cannot be loaded: then nothing may be sent.
 */
export async function stepPrompt(options: StepPromptOptions): Promise<TurnPrompt> {
  const { path, messages, restsOnEdited, template } = options;
  const last = path.at(-1)?.step;
  const [system] = messages ?? [];
  if (messages && last && (!restsOnEdited || path.length === 1)) {
    const kept = restsOnEdited ? withAction(messages, last) : messages;
    return { messages: await redacted(conditioned(kept, options), last) };
  }
  const turns: Turn[] = [];
  for (const [index, { step, observationIsOld }] of path.entries()) {
    const isAsked = index === path.length - 1;
    const observation = isAsked ? undefined : shownObservation(step, observationIsOld);
    turns.push({
      action: await redactedAction(turnActionOf(step.action, step.domain)),
      part: isAsked ? 'action' : 'history',
      ...(observation === undefined ? {} : { observation: (await redactForPrompt(observation)).text }),
    });
  }
  const own = template ?? (system?.role === 'system' ? system.content : undefined);
  const state = path[0]?.step.state;
  return {
    turns,
    ...(state === undefined ? {} : { currentState: (await redactForPrompt(state)).text }),
    ...(own === undefined ? {} : { template: own }),
    ...(options.fictionalWorld === undefined ? {} : { fictionalWorld: options.fictionalWorld }),
  };
}

/** What an agent has seen after a step: the observation; where that is old or there is none, what is predicted. */
export function shownObservation(
  { observation, prediction }: Pick<TrajectoryStep, 'observation' | 'prediction'>,
  observationIsOld: boolean,
): string | undefined {
  const predicted = prediction?.ending === 'done' ? answerText(prediction) : undefined;
  return observationIsOld ? (predicted ?? observation?.text) : (observation?.text ?? predicted);
}

function conditioned(messages: readonly StepMessage[], options: StepPromptOptions): StepMessage[] {
  const { template, conditions, fictionalWorld } = options;
  const world = fictionalWorld === undefined ? {} : { fictionalWorld };
  const words = renderConditions({ ...conditions, ...world });
  if (template === undefined && words === '') return [...messages];
  const [first, ...rest] = messages;
  const hasSystem = first?.role === 'system';
  const content = [template ?? (hasSystem ? first.content : ''), words].filter((text) => text !== '').join('\n\n');
  return [{ role: 'system', content }, ...(hasSystem ? rest : messages)];
}

/** The prompt with the action as it is now. */
function withAction(messages: readonly StepMessage[], step: TrajectoryStep): StepMessage[] {
  const asked = messages.at(-1)?.content ?? '';
  const number = Number(/^### Turn (\d+)/m.exec(asked)?.[1] ?? 1);
  const state = /\*\*Current State:\*\*\n([\s\S]*?)\n\n\*\*Action:\*\*/.exec(asked)?.[1];
  const domain: Domain = domains.find((name) => name === step.domain) ?? 'terminal';
  const turn = renderTurn(number, turnActionOf(step.action, step.domain), state);
  return [...messages.slice(0, -1), { role: 'user', content: `${turn}${renderSuffix(domain, false)}` }];
}

async function redacted(messages: readonly StepMessage[], step: TrajectoryStep): Promise<ChatMessage[]> {
  if (step.row || step.observation?.source === 'agentworldbench') return [...messages];
  return Promise.all(
    messages.map(async ({ role, content }) => ({ role, content: (await redactForPrompt(content)).text })),
  );
}

async function redactedAction(action: TurnAction): Promise<TurnAction> {
  return (await redactedValue(action)) as TurnAction;
}

async function redactedValue(value: unknown): Promise<unknown> {
  if (typeof value === 'string') return (await redactForPrompt(value)).text;
  if (Array.isArray(value)) return Promise.all(value.map(redactedValue));
  if (typeof value !== 'object' || value === null) return value;
  const entries = await Promise.all(
    Object.entries(value).map(async ([name, inner]) => [name, await redactedValue(inner)] as const),
  );
  return Object.fromEntries(entries);
}
