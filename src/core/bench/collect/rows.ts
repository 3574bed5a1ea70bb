import { setMaxListeners } from 'node:events';
import path from 'node:path';
import type { CommandAction, RecordedTurn } from '../../action/action.ts';
import { type ContextMemory, createContextMemory } from '../../context/gather/contextMemory.ts';
import { ownEnvironment, userOf } from '../../context/user.ts';
import { type Foretell, foldAll } from '../../foretell.ts';
import { messagesOf } from '../../prediction/question.ts';
import type { TrajectoryStep } from '../../trajectory/step/step.ts';
import { shownObservation } from '../../trajectory/step/stepPrompt.ts';
import { chainTo } from '../../trajectory/step/turnOfAction.ts';
import type { ChatMessage, LanguageProvider } from '../../worlds/language/client/provider.ts';
import type { LanguageRequest } from '../../worlds/language/imagine/languageRequest.ts';
import { type AgentWorldRow, toAgentWorldRow } from '../../worlds/language/prompt/promptRow.ts';
import { terminalState } from '../../worlds/language/prompt/turns/groundingTurns.ts';
import { groundingOf } from '../../worlds/language/prompt/turns/trajectory.ts';
import type { Turn } from '../../worlds/language/prompt/turns/turn.ts';
import { commandOf } from '../../worlds/language/prompt/turns/turnText.ts';

/** Which language request a prompt is made with; nobody is asked. */
export type PromptSettings = Omit<LanguageRequest, 'provider' | 'turn' | 'whole'>;

/** What rows are made with. */
export interface RowsOptions {
  foretell: Pick<Foretell, 'predict' | 'looker'>;
  language: PromptSettings;
  /** Turns that show the workspace stand before those of the trajectory; default true. */
  isGrounded?: boolean;
  /** Rows that are made at once; default 4. */
  concurrency?: number;
  onRow(row: AgentWorldRow, step: TrajectoryStep): Promise<void>;
  onLeftOut?(step: TrajectoryStep, why: string): void;
  signal: AbortSignal;
}

/** How many rows were made, and how many steps gave none. */
export interface RowsCounts {
  rows: number;
  leftOut: number;
}

/** What a model would be shown for the last turn of a trajectory, and what really followed. */
export interface ShownStep {
  messages: readonly ChatMessage[];
  /** The earlier turns, and the one that is asked. */
  turns: readonly Turn[];
  currentState?: string;
}

/**
 * Makes rows of AgentWorldBench out of steps with a true observation: turns that show the workspace as it is now, the
 * steps before in the same trajectory, and the step; all laid out by the code that makes every prompt. In the order of
 * the steps. Other domains than `terminal` and `swe` have no workspace to look at, and get the steps alone.
 */
export async function makeRows(steps: readonly TrajectoryStep[], options: RowsOptions): Promise<RowsCounts> {
  setMaxListeners(0, options.signal);
  const counts: RowsCounts = { rows: 0, leftOut: 0 };
  const byId = new Map(steps.map((step) => [step.id, step]));
  const shower = createStepShower(options);
  const wanted = steps.filter(({ observation }) => observation);
  counts.leftOut = steps.length - wanted.length;
  const made = new Map<number, { row: AgentWorldRow; step: TrajectoryStep } | undefined>();
  let next = 0;
  let written = 0;
  let writing: Promise<void> = Promise.resolve();
  const writeReady = async () => {
    for (; made.has(written); written += 1) {
      const one = made.get(written);
      made.delete(written);
      if (!one) continue;
      counts.rows += 1;
      await options.onRow(one.row, one.step);
    }
  };
  async function work(): Promise<void> {
    for (let index = next++; index < wanted.length && !options.signal.aborted; index = next++) {
      const step = wanted[index];
      if (!step?.observation) return;
      const shown = await shower(step, byId);
      if ('why' in shown) {
        counts.leftOut += 1;
        options.onLeftOut?.(step, shown.why);
        made.set(index, undefined);
      } else {
        const { domain } = shown;
        const row = toAgentWorldRow({
          domain,
          id: step.id,
          messages: shown.messages,
          observation: step.observation.text,
        });
        made.set(index, { row, step });
      }
      writing = writing.then(writeReady);
      await writing;
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency ?? 4) }, work));
  return counts;
}

/** Says what a model is shown for a step; `byId` has the steps before it. */
export type StepShower = (
  step: TrajectoryStep,
  byId: ReadonlyMap<string, TrajectoryStep>,
) => Promise<(ShownStep & { domain: 'terminal' | 'swe' }) | { why: string }>;

/** Says what a model is shown for a step, without asking one. */
export function createStepShower(
  options: Pick<RowsOptions, 'foretell' | 'language' | 'isGrounded' | 'signal'>,
): StepShower {
  const { foretell, signal, isGrounded = true } = options;
  // What the machine is does not change; what was shown for another command must not decide what is shown for this one.
  const machine: Pick<ContextMemory, 'machine'> = {};

  async function groundingFor(command: string, cwd: string, folder: string, domain: 'terminal' | 'swe') {
    const memory = createContextMemory();
    if (machine.machine !== undefined) memory.machine = machine.machine;
    const action: CommandAction = { kind: 'command', script: command, shell: 'bash', cwd };
    const grounds = {
      language: { ...options.language, provider: nobody },
      action,
      looker: foretell.looker,
      workspaceFolders: [folder],
      ...userOf(ownEnvironment(command)),
      signal,
    };
    const grounding = await groundingOf(grounds, domain, { cwd: domain === 'swe' ? folder : cwd, memory });
    if (memory.machine !== undefined) machine.machine = memory.machine;
    return grounding;
  }

  return async (step, byId) => {
    const { domain, action } = step;
    if (domain !== 'terminal' && domain !== 'swe')
      return { why: `There is no workspace to look at in the domain ${domain}.` };
    if (action.kind !== 'turn') return { why: 'It is no turn: an action of an agent is needed.' };
    const before = chainTo(byId, step).slice(0, -1);
    const silent = before.find((one) => shownObservation(one, false) === undefined);
    if (silent) return { why: `The step before it (${silent.id}) has no observation.` };
    const command = commandOf(action.turn);
    const first = before[0] ?? step;
    const start = first.action.kind === 'turn' ? first.action.cwd : undefined;
    const cwd = start ?? step.context?.folder;
    const turns: Turn[] = [];
    let currentState = first.state;
    if (isGrounded) {
      if (cwd === undefined || command === undefined) return { why: 'It does not tell where it was done.' };
      const folder = step.context?.folder ?? path.resolve(cwd);
      const grounding = await groundingFor(command, cwd, folder, domain);
      turns.push(...grounding.turns);
      if (domain === 'terminal') currentState ??= terminalState(grounding.place);
    }
    for (const one of before) {
      if (one.action.kind !== 'turn') return { why: `The step before it (${one.id}) is no turn.` };
      turns.push({ action: one.action.turn, observation: shownObservation(one, false) ?? '', part: 'history' });
    }
    turns.push({ action: action.turn, part: 'action' });
    const turn = { turns, ...(currentState === undefined ? {} : { currentState }) };
    const prompt = await promptOfTurn(foretell, action, { ...options.language, turn }, signal);
    return 'problem' in prompt ? { why: prompt.problem } : { ...prompt, ...turn, domain };
  };
}

/**
 * The messages that a prediction of a turn would send. It is predicted as always, by a provider that sends nothing, so
 * that there is no second way to make a prompt.
 */
async function promptOfTurn(
  foretell: Pick<Foretell, 'predict'>,
  action: RecordedTurn,
  language: Omit<LanguageRequest, 'provider'>,
  signal: AbortSignal,
): Promise<{ messages: ChatMessage[] } | { problem: string }> {
  const { events } = foretell.predict({ action, language: { ...language, samples: 1, provider: nobody }, signal });
  const { questions, endingReason } = await foldAll(action, events);
  const [question] = questions;
  return question ? { messages: messagesOf(questions, question) } : { problem: endingReason ?? 'It was cancelled.' };
}

/** Answers nothing: a prompt is wanted, no reply. */
const nobody: LanguageProvider = {
  status: async () => ({ ok: false, code: 'nobody', message: 'Nobody is asked.' }),
  async *complete() {
    yield { type: 'failed', code: 'nobody', message: 'Nobody is asked.' };
  },
  countTokens: async () => ({ tokens: 0, exact: false }),
};
