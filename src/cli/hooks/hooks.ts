import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { EditAction } from '../../core/action/action.ts';
import { type Foretell, foldAll } from '../../core/foretell.ts';
import { hookAgents } from '../../core/hooks/hookAgents.ts';
import type { HookAgentName } from '../../core/hooks/hookCall.ts';
import { hookFolder } from '../../core/hooks/hookFolder.ts';
import { observedFolder } from '../../core/hooks/observedCalls.ts';
import { agentSettings, type SettingsScope, settingsFile } from '../../core/hooks/settings/agentSettings.ts';
import { type Installed, installed, withHooks, withoutHooks } from '../../core/hooks/settings/changeSettings.ts';
import { changedTexts } from '../../core/toolbox/changedTexts.ts';
import { predictionText } from '../../core/toolbox/predictionReply.ts';
import { calibrate, readCalibration } from '../../core/trajectory/calibration.ts';
import { createCalibrationStore } from '../../core/trajectory/calibrationStore.ts';
import { countOf, inSentence } from '../../core/view/quantity.ts';
import { isFolder } from '../../core/view/statusIfKnown.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { readWord } from '../readArguments.ts';
import { sharedProgram } from './hookProgram.ts';

/** What `foretell hooks` needs of the process around it. */
export interface HooksProcess {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  foretell(): Foretell;
  /** How the hook is called, as a line of sh, without the name of the agent. */
  program: string;
  /** Puts the program into its place, where it is not there anyway; false: it cannot be. */
  provide?(): boolean;
  say(text: string): Promise<unknown>;
  tell(line: string): void;
  /** Asks a person at the terminal; absent where nobody is there. */
  ask?(question: string): Promise<boolean>;
}

const words = ['install', 'status', 'remove'];

const flags = {
  user: { type: 'boolean', help: 'for all of your projects (default)' },
  project: {
    type: 'boolean',
    help: 'for the current folder, in a form that others can share: nothing happens where Foretell is not installed',
  },
  yes: { type: 'boolean', help: 'write without asking' },
  json: { type: 'boolean', help: 'status: one JSON object instead of text' },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell hooks [status]
       foretell hooks install [AGENT…]     (default: the agents that have a folder of yours)
       foretell hooks remove [AGENT…]

Lets agents ask Foretell before they run a command or edit a file (claude, codex, gemini, vscode, copilot, cursor, opencode).
It shows what it would write into each settings file, and writes it after a yes; everything else in the file stays as it is.

${optionsText({ Options: flags })}
Exit status
  0 done   1 not written   3 it could not be done   64 wrong usage
`;

/** Whether the arguments of the command line ask for the hooks of agents, not for a program that is called so. */
export function asksForHooks([first, second]: readonly string[]): boolean {
  return first === 'hooks' && (second === undefined || second.startsWith('-') || words.includes(second));
}

/** Runs `foretell hooks …`; `args` come after `hooks`. Gives the exit status. */
export async function runHooks(args: string[], around: HooksProcess): Promise<number> {
  const read = await readWord(args, flags, { word: 'foretell hooks', usage }, around);
  if ('status' in read) return read.status;
  const { values, positionals, wrong } = read;
  const [word = 'status', ...names] = positionals;
  const unknown = names.find((name) => !Object.hasOwn(hookAgents, name));
  if (unknown !== undefined)
    return wrong(`There are no hooks for ${unknown}; choose ${Object.keys(hookAgents).join(', ')}.`);
  if (values.user && values.project) return wrong('Give either --user or --project, not both.');
  const scope: SettingsScope = values.project ? 'project' : 'user';
  if (word === 'status') return status(values.json === true, around);
  const agents = names.length > 0 ? (names as HookAgentName[]) : agentsFor(word, scope, around);
  if (agents.length === 0) {
    if (word === 'remove') await around.say('No hooks of Foretell are installed there.\n');
    else around.tell('foretell: No agent was found; name one, for example: foretell hooks install claude.');
    return word === 'remove' ? 0 : 3;
  }
  let worst = 0;
  for (const agent of agents)
    worst = Math.max(worst, await changeOne(word === 'install', agent, scope, values.yes === true, around));
  return worst;
}

/** Where nobody says which: those that the user has, or those that have our hooks. */
function agentsFor(word: string, scope: SettingsScope, { env, cwd, program }: HooksProcess): HookAgentName[] {
  return allAgents().filter((agent) => {
    const { home, projectFile } = agentSettings[agent];
    if (word === 'remove') return stateOf(agent, scope, { env, cwd, program }).state !== 'no';
    const folder = scope === 'user' ? home(env) : path.join(cwd, projectFile.split('/')[0] ?? '');
    // Two agents share this folder; VS Code's own hooks are for whoever asks for them.
    return (agent !== 'vscode' || scope === 'project') && isFolder(folder);
  });
}

function allAgents(): HookAgentName[] {
  return Object.keys(hookAgents) as HookAgentName[];
}

/** How the hook is called: settings of a project belong to others too. */
function programFor(scope: SettingsScope, program: string): string {
  return scope === 'project' ? sharedProgram : program;
}

interface HookState {
  file: string;
  state: Installed;
}

function stateOf(
  agent: HookAgentName,
  scope: SettingsScope,
  { env, cwd, program }: Pick<HooksProcess, 'env' | 'cwd' | 'program'>,
): HookState {
  const file = settingsFile(agent, scope, cwd, env);
  const read = readText(file);
  const text = 'text' in read ? read.text : undefined;
  return { file, state: installed(agentSettings[agent], text, `${programFor(scope, program)} ${agent}`) };
}

async function status(isJson: boolean, around: HooksProcess): Promise<number> {
  const { env, say } = around;
  const scopes: SettingsScope[] = around.cwd === '' ? ['user'] : ['user', 'project'];
  const rows = allAgents().flatMap((agent) =>
    scopes.map((scope) => ({ agent, scope, ...stateOf(agent, scope, around) })),
  );
  const entries = readCalibration(await createCalibrationStore(observedFolder(hookFolder(env))).read());
  const { runs, parts } = calibrate(entries).all;
  if (isJson) {
    await say(`${JSON.stringify({ version: 1, hooks: rows, observed: { calls: runs, whole: parts.whole } })}\n`);
    return 0;
  }
  const told = rows.filter(({ state }) => state !== 'no');
  const lines = told.map(({ agent, scope, file, state }) => {
    const note =
      state === 'other'
        ? ', of another place or version: install again'
        : isTrusted(agent, file, env)
          ? ''
          : ', not trusted yet, so it is not called: type /hooks there';
    return `${agentSettings[agent].title}: ${scope === 'user' ? 'all projects' : 'this folder'} (${inSentence(file)}${note})`;
  });
  if (lines.length === 0) lines.push('No agent asks Foretell. Let one: foretell hooks install');
  const { hits, counted } = parts.whole;
  if (runs > 0)
    lines.push(
      `${countOf(runs, 'call')} of agents compared with their predictions: ${hits} of ${counted} as predicted.`,
    );
  await say(`${lines.join('\n')}\n`);
  return 0;
}

/** Whether the agent was told to trust hooks of this file, where it asks for that. */
function isTrusted(agent: HookAgentName, file: string, env: HooksProcess['env']): boolean {
  const { trustFile } = agentSettings[agent];
  if (!trustFile) return true;
  const read = readText(trustFile(env));
  return 'text' in read && (read.text ?? '').includes(`${file}:pre_tool_use:`);
}

const noProgram = 'would call a program that cannot be put into ~/.local/share/foretell/bin';

/** Shows what would be written into the settings of one agent, and writes it after a yes. */
async function changeOne(
  installs: boolean,
  agent: HookAgentName,
  scope: SettingsScope,
  isAgreed: boolean,
  around: HooksProcess,
): Promise<number> {
  const { cwd, env, program, say, tell, ask } = around;
  const settings = agentSettings[agent];
  const call = `${programFor(scope, program)} ${agent}`;
  const named = settingsFile(agent, scope, cwd, env);
  const cannot = (because: string) => {
    tell(`foretell: ${inSentence(named)} ${because}; mend it, or write the hook yourself (docs/agents.md).`);
    return 3;
  };
  const read = readText(named);
  if ('because' in read) return cannot(read.because);
  const { file, text: before } = read;
  if (!installs && before === undefined) {
    await say(`${settings.title}: no hooks of Foretell in ${inSentence(named)}.\n`);
    return 0;
  }
  const changed = installs ? withHooks(settings, before, call) : withoutHooks(settings, before ?? '');
  if ('because' in changed) return cannot(changed.because);
  const isMissing = () => installs && around.provide?.() === false;
  if (changed.text === before) {
    if (isMissing()) return cannot(noProgram);
    await say(
      `${settings.title}: ${installs ? 'installed already' : 'no hooks of Foretell'} in ${inSentence(named)}.\n`,
    );
    return 0;
  }
  await say(`${settings.title}\n${await predicted(file, changed.text, around)}\n`);
  if (!isAgreed && !(await ask?.(`Write ${inSentence(file)}? [y/N] `))) {
    tell(ask ? 'Not written.' : 'foretell: Nothing was written, because nobody could be asked; say --yes to write it.');
    return 1;
  }
  const now = readText(named);
  if (!('text' in now) || now.text !== before) return cannot('was changed meanwhile');
  if (isMissing()) return cannot(noProgram);
  const problem = write(file, changed.text);
  if (problem !== undefined) return cannot(problem);
  await say(
    `${installs ? 'Installed' : 'Removed'}. ${installs && settings.afterwards ? settings.afterwards : ''}\n`.replace(
      ' \n',
      '\n',
    ),
  );
  return 0;
}

/** What the change of the settings would do, predicted like any other edit. */
async function predicted(file: string, after: string | undefined, { foretell }: HooksProcess): Promise<string> {
  const cwd = nearestFolder(path.dirname(file));
  const action: EditAction =
    after === undefined
      ? { kind: 'edit', changes: [], cwd, operations: [{ kind: 'delete', path: file }] }
      : { kind: 'edit', changes: [{ path: file, after }], cwd };
  const engine = foretell();
  try {
    const { events, view } = engine.predict({ action, signal: new AbortController().signal });
    const prediction = await foldAll(action, events);
    const changed = await changedTexts(prediction.files, view, cwd);
    const text = await predictionText({ prediction, changed, cwd }, 8_000, { hasOutput: false });
    await view.close();
    return text;
  } finally {
    await engine.dispose();
  }
}

function nearestFolder(folder: string): string {
  let at = folder;
  while (!isFolder(at) && at !== path.dirname(at)) at = path.dirname(at);
  return at;
}

/** The text of a settings file, and where it really is; `text` is absent where there is none. */
function readText(named: string): { file: string; text: string | undefined } | { because: string } {
  try {
    // Settings are often links to where a user keeps them.
    const file = fs.lstatSync(named, { throwIfNoEntry: false }) ? fs.realpathSync(named) : named;
    const status = fs.statSync(file, { throwIfNoEntry: false });
    if (!status) return { file, text: undefined };
    if (!status.isFile() || status.size > 4 * 1024 ** 2) return { because: 'is no settings file' };
    const text = fs.readFileSync(file, 'utf8');
    return text.includes('\ufffd') ? { because: 'is not UTF-8' } : { file, text };
  } catch (error) {
    return { because: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

/** Writes all of it or nothing; `undefined` takes the file away. Gives what is wrong. */
function write(file: string, text: string | undefined): string | undefined {
  const aside = path.join(path.dirname(file), `.foretell-${randomBytes(6).toString('hex')}`);
  try {
    if (text === undefined) {
      fs.unlinkSync(file);
      return undefined;
    }
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const mode = fs.statSync(file, { throwIfNoEntry: false })?.mode;
    fs.writeFileSync(aside, text, { flag: 'wx' });
    if (mode !== undefined) fs.chmodSync(aside, mode & 0o7777);
    fs.renameSync(aside, file);
    return undefined;
  } catch (error) {
    return `cannot be written (${(error as NodeJS.ErrnoException).code})`;
  } finally {
    fs.rmSync(aside, { force: true });
  }
}
