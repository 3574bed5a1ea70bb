import type { ChatMessage } from '../client/provider.ts';
import { fillTemplate, type Placeholder } from '../template/templates.ts';
import { type Conditions, renderConditions } from './conditions.ts';
import { knownValues } from './placeholderValues.ts';
import type { Dialect, Domain, PromptBlock, Turn } from './turns/turn.ts';
import {
  commandOf,
  type PromptStyle,
  renderObservation,
  renderQuickstartTurn,
  renderSuffix,
  renderTurn,
  withoutControlTokens,
} from './turns/turnText.ts';
import { unknownPrefix } from './turns/turnTextUnknown.ts';

/** Everything that a prompt is made of. */
export interface PromptRequest {
  domain: Domain;
  style: PromptStyle;
  /** Names of the tools in the `swe` domain. */
  dialect: Dialect;
  /** The system prompt, verbatim. The quickstart style has one of its own, one line long, that is used where this is absent. */
  template?: string;
  /** Values of placeholders. Those of the `swe` domain are known where absent: the tools and demonstrations of the dialect. */
  values?: Readonly<Partial<Record<Placeholder, string>>>;
  /** What the screen shows before the first turn. */
  currentState?: string;
  /** In the order of time. All but the last have an observation; that of the last, if there is one, is not sent. */
  turns: readonly Turn[];
  conditions?: Conditions;
  /** In what form the answer is wanted, where no turn has shown it: whole sentences. Not of the quickstart style. */
  formWords?: string;
  /** What the last turn asks for, verbatim, in the place of our own words. Not of the quickstart style. */
  suffix?: string | undefined;
  /** Asks for the marker of `parseUnknown` where the template does not. Default: true in the benchmark style. */
  allowsUnknown?: boolean;
}

/** A prompt and what its parts are: the blocks cover every character of every message, in order, without gaps. */
export interface RenderedPrompt {
  ok: true;
  messages: ChatMessage[];
  blocks: PromptBlock[];
}

/** A prompt that cannot be made. `message`: one sentence with a next step. */
export interface PromptFailure {
  ok: false;
  code: 'no-turns' | 'no-template' | 'turn-without-observation' | 'unfilled-placeholder';
  message: string;
}

/** The system prompt of the quickstart style where no template is given. */
const quickstartSystemPrompt =
  'You are a language world model that simulates a Linux terminal. Predict exactly what the terminal prints for the command of the user.';

/**
 * Makes the messages for one prediction: one system message, the earlier turns as user and assistant messages, and the
 * last turn, which is to be predicted.
 *
 * Servers keep the prefix of a prompt that they have seen, so what changes stands as late as possible: template, tools and
 * demonstrations (the same for everybody), conditions, grounding from stable to volatile, history, action, suffix. The
 * conditions close the system message although a change of them makes everything behind them be read again. The
 * alternatives are worse: Qwen's chat template refuses a system message that is not the first; a user turn has a fixed
 * form that the model was trained on; and in the last turn they would stand among words of the workspace, which must not
 * be able to claim the same rank. Between two predictions the conditions hardly ever change, the action always does.
 */
export function renderPrompt(request: PromptRequest): RenderedPrompt | PromptFailure {
  const last = request.turns.at(-1);
  if (!last) return failure('no-turns', 'There is nothing to predict: give at least one turn, the action.');
  const silent = request.turns.findIndex(
    (turn, index) => index < request.turns.length - 1 && turn.observation === undefined,
  );
  if (silent >= 0) {
    return failure(
      'turn-without-observation',
      `Turn ${silent + 1} has no observation; only the last turn may lack one, so run or predict it first.`,
    );
  }
  const pieces: Piece[] = [];
  const unfilled = addSystem(pieces, request);
  if (unfilled) return unfilled;
  request.turns.forEach((turn, index) => {
    addTurn(pieces, request, turn, index, turn === last && index === request.turns.length - 1);
  });
  return { ok: true, ...assemble(pieces) };
}

/** A stretch of a message; a piece with a role begins a new message. */
interface Piece {
  role?: ChatMessage['role'];
  part: PromptBlock['part'];
  title: string;
  text: string;
}

function addSystem(pieces: Piece[], request: PromptRequest): PromptFailure | undefined {
  const { domain, style, dialect } = request;
  const template = request.template ?? (style === 'quickstart' ? quickstartSystemPrompt : undefined);
  if (template === undefined) {
    return failure('no-template', `There is no system prompt for the domain ${domain}; give a template.`);
  }
  const filled = fillTemplate(template, { ...knownValues(domain, dialect), ...request.values });
  if (!filled.ok) return filled;
  pieces.push({ role: 'system', part: 'template', title: 'System prompt', text: '' });
  let from = 0;
  for (const { name, start, end } of filled.parts) {
    pieces.push({ part: 'template', title: 'System prompt', text: filled.text.slice(from, start) });
    const isTools = name === 'tool_definitions';
    pieces.push({
      part: isTools ? 'tools' : 'demonstrations',
      title: isTools ? 'Tools' : 'Demonstrations',
      text: filled.text.slice(start, end),
    });
    from = end;
  }
  pieces.push({ part: 'template', title: 'System prompt', text: filled.text.slice(from) });
  const conditions = withoutControlTokens(renderConditions(request.conditions ?? {}));
  if (conditions !== '') {
    const names = (request.conditions?.presets ?? []).map((one) => one.title);
    if (request.conditions?.fictionalWorld?.trim()) names.unshift('Fictional world');
    if (request.conditions?.freeText?.trim()) names.push('Own words');
    const gap = filled.text.endsWith('\n') ? '\n' : '\n\n';
    pieces.push({ part: 'condition', title: names.join(', '), text: `${gap}${conditions}` });
  }
  return undefined;
}

function addTurn(pieces: Piece[], request: PromptRequest, turn: Turn, index: number, isLast: boolean): void {
  const { style } = request;
  const title = turn.note ?? titleOf(turn);
  const state = index === 0 ? request.currentState : undefined;
  const isQuickstart = style === 'quickstart';
  const asked = isQuickstart ? renderQuickstartTurn(turn.action) : renderTurn(index + 1, turn.action, state);
  pieces.push({ role: 'user', part: turn.part, title, text: withoutControlTokens(asked) });
  if (!isLast) {
    const observation = turn.observation ?? '';
    const seen = isQuickstart ? observation : renderObservation(observation);
    pieces.push({ role: 'assistant', part: turn.part, title, text: withoutControlTokens(seen) });
    return;
  }
  const explains = request.template?.includes(unknownPrefix) === true;
  const saysUnknown = request.allowsUnknown ?? !isQuickstart;
  if (!isQuickstart) {
    const text = request.suffix ?? suffixOf(request, saysUnknown && !explains);
    pieces.push({ part: 'suffix', title: 'What is asked for', text });
  }
}

/** What is asked for, and which of the turns are no observations. */
function suffixOf({ domain, turns, formWords }: PromptRequest, saysUnknown: boolean): string {
  const predicted = turns.flatMap(({ isPredicted }, index) =>
    isPredicted && index < turns.length - 1 ? [index + 1] : [],
  );
  return renderSuffix(domain, saysUnknown, { predicted, ...(formWords === undefined ? {} : { formWords }) });
}

function titleOf({ action }: Turn): string {
  const command = commandOf(action)?.trim();
  if (command) return command;
  if (action.kind === 'text') return action.text.trim().split('\n')[0]?.slice(0, 200) ?? '';
  return action.kind === 'tool' && action.name !== '' ? action.name : 'Waiting';
}

function assemble(pieces: readonly Piece[]): { messages: ChatMessage[]; blocks: PromptBlock[] } {
  const messages: ChatMessage[] = [];
  const blocks: PromptBlock[] = [];
  for (const piece of pieces) {
    if (piece.role) messages.push({ role: piece.role, content: '' });
    const message = messages.at(-1);
    if (!message || piece.text === '') continue;
    const start = message.content.length;
    message.content += piece.text;
    const end = message.content.length;
    blocks.push({ part: piece.part, title: piece.title, message: messages.length - 1, start, end });
  }
  return { messages, blocks };
}

function failure(code: PromptFailure['code'], message: string): PromptFailure {
  return { ok: false, code, message };
}
