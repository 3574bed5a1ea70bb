import { type AgentCall, isAwaited, outcomeOf } from '../../core/hooks/calls/agentCall.ts';
import { readCallDetails } from '../../core/hooks/calls/callDetails.ts';
import { stepsOfCalls } from '../../core/hooks/calls/callSteps.ts';
import { callText } from '../../core/hooks/calls/callText.ts';
import { followCalls } from '../../core/hooks/calls/followCalls.ts';
import { forgetCalls } from '../../core/hooks/calls/forgetCalls.ts';
import { type CallSession, createCallReader, isMadeIn } from '../../core/hooks/calls/readCalls.ts';
import { hookFolder } from '../../core/hooks/hookFolder.ts';
import { agentSettings } from '../../core/hooks/settings/agentSettings.ts';
import { printable } from '../../core/prediction/text/printable.ts';
import { trajectoryText } from '../../core/trajectory/file/trajectoryFile.ts';
import { countOf, inSentence } from '../../core/view/quantity.ts';
import { callCountsText, callHeadlineText, callOutcomeText } from '../../core/words/agentCallText.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { readWord } from '../readArguments.ts';

/** What `foretell agents` needs of the process around it. */
export interface AgentsProcess {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  say(text: string): Promise<unknown>;
  tell(line: string): void;
  /** Ends following. */
  signal: AbortSignal;
}

const flags = {
  follow: { type: 'boolean', short: 'f', help: 'go on, with a line whenever a call comes or something is known of it' },
  everywhere: { type: 'boolean', help: 'calls in all folders (default: in the current one and below)' },
  last: { type: 'string', value: 'NUMBER', help: 'only the last NUMBER calls (default: 50)' },
  json: { type: 'boolean', help: 'one JSON object instead of text; with --follow one a line' },
  trajectory: { type: 'boolean', help: 'write them as a trajectory file, each session a trajectory of its own' },
  forget: { type: 'boolean', help: 'forget every call that was kept, in all folders' },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell agents [--follow]
       foretell agents CALL      (everything that is kept of one call)

Lists the calls of your agents that foretell hook was asked about: what was predicted, what the agent was answered, and how it
came out. They are kept for a week, without secrets, where only you can read them. foretell hooks install lets agents ask.

${optionsText({ Options: flags })}
Exit status
  0 done   3 there is no such call   64 wrong usage
`;

/** Whether the arguments of the command line ask for the calls of agents, not for a program that is called so. */
export function asksForAgents([first, second]: readonly string[]): boolean {
  return first === 'agents' && (second === undefined || second.startsWith('-') || isKey(second));
}

function isKey(text: string): boolean {
  return /^[0-9a-f]{6,20}$/.test(text);
}

interface Row {
  call: AgentCall;
  awaited: boolean;
}

/** Runs `foretell agents …`; `args` come after `agents`. Gives the exit status. */
export async function runAgents(args: string[], around: AgentsProcess): Promise<number> {
  const { say, tell, env, cwd, signal } = around;
  const read = await readWord(args, flags, { word: 'foretell agents', usage }, { say, tell });
  if ('status' in read) return read.status;
  const { values, positionals, wrong } = read;
  const [key, ...more] = positionals;
  if (more.length > 0 || (key !== undefined && !isKey(key)))
    return wrong('agents takes the name of one call; see foretell agents --help.');
  const most = Number(values.last ?? 50);
  if (!Number.isInteger(most) || most < 0) return wrong(`--last takes a number of calls, not ${values.last}.`);
  const folder = hookFolder(env);
  if (values.forget) {
    await say(`Forgot ${countOf(forgetCalls(folder), 'session')}.\n`);
    return 0;
  }
  const isEverywhere = values.everywhere === true || key !== undefined || cwd === '';
  const reader = createCallReader(folder, (one) => isEverywhere || isMadeIn(one, [cwd]));
  await reader.read();
  const rows = rowsOf(reader.sessions());
  if (key !== undefined) return showOne(rows, key, values.json === true, around);
  const lineOf = (row: Row) => (values.json ? `${JSON.stringify(jsonOf(row))}\n` : lineFor(row));
  const shown = most === 0 ? [] : rows.slice(-most);
  if (values.trajectory) {
    const chosen = new Set(shown.map(({ call }) => call));
    const sessions = reader.sessions().map((one) => ({ ...one, calls: one.calls.filter((call) => chosen.has(call)) }));
    const steps = sessions.flatMap((one) => stepsOfCalls(one, (name) => readCallDetails(folder, name)));
    await say(trajectoryText(steps));
    return 0;
  }
  if (values.json && !values.follow) {
    await say(`${JSON.stringify({ version: 1, calls: shown.map(jsonOf) })}\n`);
    return 0;
  }
  const none = 'No agent has asked about a call here. Let yours ask: foretell hooks install\n';
  await say(shown.length === 0 && !values.json ? none : shown.map(lineOf).join(''));
  if (!values.follow) return 0;
  const told = new Map(rows.map((row) => [row.call.asked.key, lineOf(row)]));
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
    if (signal.aborted) resolve();
    followCalls(
      folder,
      reader,
      (sessions) => {
        const found = rowsOf(reader.sessions().filter(({ id }) => sessions.has(id)));
        for (const row of found) {
          const line = lineOf(row);
          if (told.get(row.call.asked.key) === line) continue;
          told.set(row.call.asked.key, line);
          void say(line);
        }
      },
      signal,
    );
  });
  return 0;
}

/** Calls of all sessions, the oldest first. */
function rowsOf(sessions: readonly CallSession[]): Row[] {
  const rows = sessions.flatMap(({ calls }) =>
    calls.map((call, index): Row => ({ call, awaited: isAwaited(calls, index) })),
  );
  return rows.sort(({ call: one }, { call: other }) =>
    one.asked.at < other.asked.at ? -1 : one.asked.at > other.asked.at ? 1 : 0,
  );
}

function lineFor({ call, awaited }: Row): string {
  const { asked, answered } = call;
  const prediction = answered?.prediction;
  const at = new Date(asked.at).toLocaleTimeString('en-GB');
  const outcome = outcomeOf(call, Date.now(), awaited);
  const headline = (outcome.kind === 'predicting' ? '' : callHeadlineText(prediction?.headline)).padEnd(10);
  const counts = prediction ? callCountsText(prediction) : '';
  const title = inSentence(printable(asked.title), 120);
  const more = counts === '' ? '' : `, ${counts}`;
  return `${at}  ${asked.agent.padEnd(8)}  ${headline}  ${title}\n          ${callOutcomeText(outcome)}${more}  (${asked.key.slice(0, 8)})\n`;
}

function jsonOf({ call: { asked, answered, made }, awaited }: Row): Record<string, unknown> {
  const { is: _asked, call: _call, ...said } = asked;
  const { is: _answered, key: _key, version: _version, at: predictedAt, ...told } = answered ?? {};
  const outcome = outcomeOf(
    { asked, ...(answered ? { answered } : {}), ...(made ? { made } : {}) },
    Date.now(),
    awaited,
  );
  return {
    ...{ ...said, outcome },
    ...(answered ? { predictedAt, ...told } : {}),
    ...(made ? { made: { at: made.at, exitCode: made.exitCode, output: made.output, hits: made.hits } } : {}),
  };
}

async function showOne(
  rows: readonly Row[],
  key: string,
  isJson: boolean,
  { say, tell, env }: AgentsProcess,
): Promise<number> {
  const row = rows.find(({ call }) => call.asked.key.startsWith(key));
  if (!row) {
    tell(`foretell: There is no call ${key}; foretell agents --everywhere lists them.`);
    return 3;
  }
  const details = readCallDetails(hookFolder(env), row.call.asked.key);
  if (isJson) await say(`${JSON.stringify({ ...jsonOf(row), ...(details ? { details } : {}) })}\n`);
  else {
    const title = `${agentSettings[row.call.asked.agent].title}: ${printable(inSentence(row.call.asked.title))}`;
    await say(`${title}\n\n${callText(row.call, { now: Date.now(), awaited: row.awaited, details })}`);
  }
  return 0;
}
