import type { Keystrokes, TurnAction } from '../../../../action/turnAction.ts';
import type { Observation, WorkspaceContext } from '../../../../context/workspaceContext.ts';
import { quoteWord } from '../../../../shell/quoteWord.ts';
import type { Dialect, Turn } from './turn.ts';
import { type PromptStyle, quickstartShellTool } from './turnText.ts';
import { exitCodeQuestion, promptText, renderScreen, type TerminalPlace } from './turnTextScreen.ts';
import { renderShellReply } from './turnTextShell.ts';
import {
  listAction,
  parseListing,
  readAction,
  renderListReply,
  renderReadReply,
  shellAction,
} from './turnTextTools.ts';

/** How the observations are to be worded. */
export interface GroundingOptions {
  domain: 'terminal' | 'swe';
  /** Default `benchmark`. */
  style?: PromptStyle;
  /** Names of the tools, for `swe`. */
  dialect: Dialect;
  /** Who sits at the terminal, and where; `cwd` is also the root of the workspace for the tools. */
  place: TerminalPlace;
}

/**
 * The observations of the workspace as earlier turns, in the order of the context: what hardly changes stands first.
 *
 * `list` is taken as `ls -1Ap` prints it (a name a line, `/` after folders). A text that begins with `total` (`ls -l`) or
 * has paths of several parts (a tree) becomes a command instead of a listing tool. `read` is taken exactly, also whether
 * its last line ends; `list` and `run` end with a line break.
 */
export function groundingTurns(context: WorkspaceContext, options: GroundingOptions): Turn[] {
  return context.observations.map((observation) => {
    const note = `${titleOf(observation, options.place)}, because ${observation.why}`;
    return { ...turnOf(observation, options), part: 'grounding' as const, note };
  });
}

function turnOf(observation: Observation, options: GroundingOptions): { action: TurnAction; observation: string } {
  const { look } = observation;
  const { domain, style = 'benchmark', dialect, place } = options;
  if (domain === 'terminal' || style === 'quickstart') {
    const text = look.kind === 'read' ? observation.text : ended(observation.text);
    return commandTurn(observation, commandFor(observation, place), text, options);
  }
  if (look.kind === 'read') {
    const { firstLine, lastLine, totalLines, gaps } = look;
    // The whole file is asked for as such, also where lines in its middle are left out.
    const isWhole = (firstLine ?? 1) === 1 && lastLine === totalLines;
    const range = isWhole ? {} : defined({ firstLine, lastLine });
    const action = readAction(dialect, absolute(look.path, place), range);
    return {
      action,
      observation: renderReadReply(dialect, observation.text, {
        ...defined({ firstLine, lastLine, totalLines }),
        ...(gaps === undefined ? {} : { gaps }),
      }),
    };
  }
  if (look.kind === 'list' && isPlainListing(observation.text)) {
    const folder = absolute(look.path, place);
    const entries = parseListing(observation.text);
    return { action: listAction(dialect, folder), observation: renderListReply(dialect, folder, entries) };
  }
  const command = look.kind === 'list' ? commandFor(observation, place) : look.command;
  const cwd = look.kind === 'run' && look.cwd !== place.cwd ? { cwd: look.cwd } : {};
  const exitCode = look.kind === 'run' ? look.exitCode : 0;
  const stdout = ended(observation.text);
  return {
    action: shellAction(dialect, command, cwd.cwd),
    observation: renderShellReply(dialect, { command, ...cwd, stdout, exitCode }),
  };
}

/** A look as something typed at a terminal. What failed is followed by `echo $?`, so that the failure can be seen. */
function commandTurn(observation: Observation, command: string, text: string, options: GroundingOptions) {
  const { look } = observation;
  const failed = look.kind === 'run' && look.exitCode !== 0 ? look.exitCode : undefined;
  if (options.style === 'quickstart') {
    const action: TurnAction = { kind: 'tool', name: quickstartShellTool, arguments: { command } };
    return { action, observation: text };
  }
  const keystrokes: Keystrokes[] = [{ keystrokes: `${command}\n`, duration: 0.1 }];
  if (failed !== undefined) keystrokes.push({ keystrokes: `${exitCodeQuestion}\n`, duration: 0.1 });
  const asked = failed === undefined ? {} : { exitCode: failed };
  return {
    action: { kind: 'keystrokes' as const, keystrokes },
    observation: renderScreen(options.place, command, text, asked),
  };
}

function commandFor(observation: Observation, place: TerminalPlace): string {
  const { look } = observation;
  if (look.kind === 'run') {
    // In brackets, so that the shell of the terminal stays where it is.
    return look.cwd === place.cwd ? look.command : `(cd ${quoteWord(relative(look.cwd, place))} && ${look.command})`;
  }
  const shown = relative(look.path, place);
  const file = quoteWord(shown.startsWith('-') ? `./${shown}` : shown);
  if (look.kind === 'read') {
    const { firstLine = 1, lastLine, totalLines } = look;
    if (firstLine === 1)
      return lastLine === undefined || lastLine === totalLines ? `cat ${file}` : `head -n ${lastLine} ${file}`;
    return `sed -n '${firstLine},${lastLine ?? '$'}p' ${file}`;
  }
  const folder = shown === '.' ? '' : ` ${file}`;
  if (/^total \d/.test(observation.text)) return `ls -la${folder}`;
  return isPlainListing(observation.text) ? `ls -1Ap${folder}` : `find ${file} -type f | sort`;
}

/** Names without a path in front of them. */
function isPlainListing(text: string): boolean {
  return !/^total \d/.test(text) && !text.split('\n').some((line) => /\/./.test(line));
}

function titleOf({ look }: Observation, place: TerminalPlace): string {
  if (look.kind === 'run') return look.command;
  if (look.kind === 'list') return `${relative(look.path, place)}/`.replace(/\/+$/, '/');
  const { firstLine = 1, lastLine, totalLines } = look;
  const isWhole = firstLine === 1 && (lastLine === undefined || lastLine === totalLines);
  return `${relative(look.path, place)}${isWhole ? '' : `:${firstLine}-${lastLine ?? ''}`}`;
}

function relative(file: string, { cwd }: TerminalPlace): string {
  if (file === cwd) return '.';
  return file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file;
}

function absolute(file: string, { cwd }: TerminalPlace): string {
  if (file === '.' || file === '') return cwd;
  return /^(?:\/|[A-Za-z]:[\\/])/.test(file) ? file : `${cwd}/${file}`;
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Leaves out what is undefined: an optional field is absent, never undefined. */
function defined<T extends Record<string, number | undefined>>(fields: T): { [K in keyof T]?: number } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: number;
  };
}

/** The screen before the first turn, for `currentState` of a terminal prompt. */
export function terminalState(place: TerminalPlace): string {
  return promptText(place);
}
