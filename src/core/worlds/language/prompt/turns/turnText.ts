import type { Keystrokes, TurnAction } from '../../../../action/turnAction.ts';
import type { Domain } from './turn.ts';

/**
 * How a prompt is laid out. `benchmark`: numbered turns with marked actions and observations, as in AgentWorldBench.
 * `quickstart`: the bare `Action: … / Command: …` of the model's README.
 */
export type PromptStyle = 'benchmark' | 'quickstart';

/** What stands before every earlier observation of the benchmark style. */
export const observationMarker = '**Environment Observation:**';

/** The name that the quickstart style gives to a shell command. */
export const quickstartShellTool = 'execute_bash';

// `<|im_end|>`, `<|endoftext|>` …: servers turn these into control tokens wherever they stand.
const controlToken = /<\|(?=[A-Za-z_]+\|>)/g;

/**
 * The text without chat control tokens: `<|im_end|>` becomes `< |im_end|>`. A file of the workspace could otherwise end
 * its message and begin one of its own, because servers look for these tokens in the text of messages too.
 */
export function withoutControlTokens(text: string): string {
  return text.replace(controlToken, '< |');
}

/** The action as the benchmark writes it in its json fence: indent 2, durations as floats, arguments as a JSON string. */
export function renderAction(action: TurnAction): string {
  if (action.kind === 'text') return action.text;
  if (action.kind === 'keystrokes') return renderKeystrokes(action.keystrokes);
  return JSON.stringify({ name: action.name, arguments: spacedJson(action.arguments) }, null, 2);
}

/**
 * The user's message of a turn, benchmark style. `number` counts from 1; `currentState` is the screen before the first
 * turn and is given with that one only.
 */
export function renderTurn(number: number, action: TurnAction, currentState?: string): string {
  const state = currentState === undefined ? '' : `**Current State:**\n${currentState}\n\n`;
  const head = `### Turn ${number}\n${state}**Action:**\n`;
  if (action.kind === 'text') return `${head}${action.text}`;
  // A line of JSON never begins with a backtick, so nothing in it can close the fence.
  return `${head}\`\`\`json\n${renderAction(action)}\n\`\`\``;
}

/** The assistant's message of an earlier turn, benchmark style. */
export function renderObservation(observation: string): string {
  return `${observationMarker}\n${observation}`;
}

/** The user's message of a turn, quickstart style: keystrokes and shell tools as a command, other tools with arguments. */
export function renderQuickstartTurn(action: TurnAction): string {
  const command = commandOf(action);
  if (command !== undefined) return `Action: ${quickstartShellTool}\nCommand: ${command}`;
  if (action.kind === 'text') return `Action: ${action.text}`;
  if (action.kind === 'keystrokes') return '';
  return `Action: ${action.name}\nArguments: ${spacedJson(action.arguments)}`;
}

/** The shell command of an action, without the line break that runs it; undefined for tools that are no shell. */
export function commandOf(action: TurnAction): string | undefined {
  if (action.kind === 'text') return undefined;
  if (action.kind === 'keystrokes') return typedText(action.keystrokes);
  const { command } = action.arguments;
  // `bash` is what SWE-agent and others call theirs.
  const isShell = ['run_shell_command', 'Bash', 'bash', quickstartShellTool].includes(action.name);
  return isShell && typeof command === 'string' ? command : undefined;
}

/**
 * What the last user message asks for, benchmark style: reasoning, and the observation between tags. `saysUnknown` adds
 * how to answer when the outcome cannot be known; templates of other people do not explain that. `predicted`: numbers of the
 * turns whose observations are predictions; here it is said, because turns have the form that the model was trained on.
 */
export function renderSuffix(
  domain: Domain,
  saysUnknown: boolean,
  { predicted = [], formWords }: { predicted?: readonly number[]; formWords?: string } = {},
): string {
  const what = observationNames[domain];
  const unknown = saysUnknown
    ? '\nIf what it would be cannot be known from anything shown above, put `[[unknown: reason]]` between the tags instead, with the reason in one short sentence.'
    : '';
  const form = formWords === undefined ? '' : `\n${formWords}`;
  return (
    `\n\n${predictedText(predicted)}Work out step by step what this action does in the state that the turns above have led to. ` +
    `Then give ${what}, complete and exactly as it would appear, between \`<predicted_observation>\` and ` +
    `\`</predicted_observation>\`. Nothing but the observation itself stands between these tags.${form}${unknown}`
  );
}

/** Which turns are no observations: `Turns 4, 6 and 7 are predictions`. */
function predictedText(numbers: readonly number[]): string {
  if (numbers.length === 0) return '';
  const ranges: string[] = [];
  for (let at = 0; at < numbers.length; at += 1) {
    const first = numbers[at] ?? 0;
    while (numbers[at + 1] === (numbers[at] ?? 0) + 1) at += 1;
    const last = numbers[at] ?? 0;
    ranges.push(last > first + 1 ? `${first} to ${last}` : last > first ? `${first}, ${last}` : `${first}`);
  }
  const all = ranges.length < 2 ? ranges.join('') : `${ranges.slice(0, -1).join(', ')} and ${ranges.at(-1)}`;
  const isOne = numbers.length === 1;
  return `The observation${isOne ? '' : 's'} of turn${isOne ? '' : 's'} ${all} ${isOne ? 'is a prediction' : 'are predictions'}: take ${isOne ? 'it' : 'them'} for what happened, and where another turn shows something else, that is right.\n`;
}

const observationNames: Record<Domain, string> = {
  terminal: 'what the terminal shows after these keystrokes',
  swe: "the tool's reply",
  mcp: "the tool's reply",
  search: "the tool's reply",
  android: 'the screen after this action',
  web: 'the page after this action',
  os: 'the desktop after this action',
};

/** The text without the line breaks at its end. (A regular expression for it takes quadratic time.) */
export function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

/** JSON on one line with a blank after `:` and `,`, as the tool calls of agents are usually recorded. */
export function spacedJson(value: unknown): string {
  // In indented JSON a raw line break is never inside a string.
  return (JSON.stringify(value, null, 1) ?? 'null').replace(/,\n\s*/g, ', ').replace(/\n\s*/g, '');
}

function renderKeystrokes(keystrokes: readonly Keystrokes[]): string {
  if (keystrokes.length === 0) return '[]';
  const entries = keystrokes.map(
    (one) =>
      `  {\n    "keystrokes": ${JSON.stringify(one.keystrokes)},\n    "duration": ${floatText(one.duration)}\n  }`,
  );
  return `[\n${entries.join(',\n')}\n]`;
}

function floatText(seconds: number): string {
  return Number.isInteger(seconds) ? seconds.toFixed(1) : String(seconds);
}

function typedText(keystrokes: readonly Keystrokes[]): string {
  return withoutLastBreaks(keystrokes.map((one) => one.keystrokes).join(''));
}
