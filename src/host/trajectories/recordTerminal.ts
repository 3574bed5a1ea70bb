import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { TrajectoryStep } from '../../core/trajectory/step/step.ts';
import type { Engine } from '../engine/engine.ts';
import { usualFolder } from '../predict/selection.ts';
import { readSettings } from '../settings.ts';
import { isTold } from '../terminal/commandRing.ts';
import { folderOf, placeOf } from '../terminal/terminals.ts';
import { isOutputTold, withoutMarks } from '../terminal/terminalText.ts';
import { wholeLine } from '../terminal/wholeLine.ts';

/** What is kept of an output, in UTF-16 units; the rest is counted. */
const keptOutput = 200_000;
/** How long is waited at most for output that comes after the end of its command. */
const drainMs = 2_000;

/** Where a recording goes, and what it was told about. */
interface Recording extends vscode.Disposable {
  file: string;
  /** Waits until everything that ended is written; gives the number of commands, and of lines that were left out. */
  finish(): Promise<{ count: number; leftOut: number }>;
}

/**
 * "Record Terminal Commands": with the user's consent, every command that is run in a terminal with shell integration
 * becomes a step of a trajectory file, without secrets, until it is stopped. `ownFolder`: commands that name it are ours.
 */
export function registerRecording(engine: Engine, ownFolder: string, log: vscode.LogOutputChannel): vscode.Disposable {
  let recording: Recording | undefined;
  const item = vscode.window.createStatusBarItem('foretell.recording', vscode.StatusBarAlignment.Left, 1);
  item.name = 'Foretell: Recording';
  item.command = 'foretell.stopRecording';
  const show = (count: number) => {
    const what = `${count} ${count === 1 ? 'command' : 'commands'}`;
    item.text = `$(record) Recording ${what}`;
    item.tooltip = `Terminal commands are recorded in ${recording?.file ?? ''}. Click to stop.`;
    item.accessibilityInformation = {
      label: `Foretell records terminal commands, ${what} so far. Stop recording.`,
      role: 'button',
    };
    item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    item.show();
  };

  async function start(): Promise<void> {
    if (recording) return stop();
    const name = `terminal-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`;
    const usual = path.join(usualFolder(), `${name}.trajectory.jsonl`);
    const file = await askForConsent(usual);
    if (file === undefined || recording) return;
    try {
      await mkdir(path.dirname(file), { recursive: true });
      await appendFile(file, '', { mode: 0o600 });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      void vscode.window.showErrorMessage(
        `${file} cannot be written (${code}), so nothing is recorded. Choose another file.`,
      );
      return;
    }
    recording = record({ engine, file, name, ownFolder, log, changed: show });
    void vscode.commands.executeCommand('setContext', 'foretell.recording', true);
    show(0);
  }

  async function stop(): Promise<void> {
    const ended = recording;
    recording = undefined;
    if (!ended) return;
    item.hide();
    void vscode.commands.executeCommand('setContext', 'foretell.recording', false);
    const { count, leftOut } = await ended.finish();
    ended.dispose();
    const open = 'Open';
    const sentence = `${count} ${count === 1 ? 'command is' : 'commands are'} recorded in ${path.basename(ended.file)}.${leftOutText(leftOut)}`;
    // Not awaited: whoever does not answer must not hold up anything.
    void vscode.window.showInformationMessage(sentence, open).then((answer) => {
      if (answer === open) void vscode.commands.executeCommand('vscode.open', vscode.Uri.file(ended.file));
    });
  }

  return vscode.Disposable.from(
    item,
    vscode.commands.registerCommand('foretell.recordTerminal', start),
    vscode.commands.registerCommand('foretell.stopRecording', stop),
    { dispose: () => recording?.dispose() },
  );
}

/** Why lines are missing in a recording, and what to do; empty where none is. */
function leftOutText(count: number): string {
  if (count === 0) return '';
  const what = count === 1 ? '1 line is' : `${count} lines are`;
  return ` ${what} left out, of which VS Code was told a part alone; in bash, take HISTCONTROL out of your .bashrc to have them.`;
}

/** Says what would be recorded and where; the file, where the user agrees. */
async function askForConsent(usual: string): Promise<string | undefined> {
  const here = 'Record';
  const elsewhere = 'Record to Another File…';
  const detail = [
    'Until you stop it, every command that you run in a terminal with shell integration is recorded: the command, its folder, exit code and time, what it printed, and a digest of the workspace before it.',
    '',
    'Secrets that are found are taken out first. Nothing is sent anywhere. It is stored in:',
    usual,
  ].join('\n');
  try {
    const answer = await vscode.window.showInformationMessage(
      'Record your terminal commands?',
      { modal: true, detail },
      here,
      elsewhere,
    );
    if (answer === here) return usual;
    if (answer !== elsewhere) return undefined;
    const chosen = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.file(usual),
      filters: { Trajectories: ['trajectory.jsonl', 'jsonl'] },
      title: 'Record Terminal Commands',
    });
    return chosen?.fsPath;
  } catch {
    // VS Code shows no dialogs to test runs; without consent nothing is recorded.
    return undefined;
  }
}

interface RecordOptions {
  engine: Engine;
  file: string;
  /** Names of trajectories begin with it. */
  name: string;
  ownFolder: string;
  log: vscode.LogOutputChannel;
  changed(count: number): void;
}

interface Running {
  /** `undefined`: VS Code was told a part of it. */
  line: Promise<string | undefined>;
  place: ReturnType<typeof placeOf>;
  at: Date;
  raw: string;
  leftOut: number;
  context: Promise<TrajectoryStep['context']>;
  /** Everything was read. */
  reading: Promise<void>;
}

/** The file that is recorded into: each terminal is a trajectory of its own. */
function createRecordedFile(file: string, name: string) {
  const terminals = new Map<vscode.Terminal, { trajectory: string; last: TrajectoryStep | undefined }>();
  let count = 0;

  async function write(
    command: string,
    ended: Running,
    terminal: vscode.Terminal,
    exitCode: number | undefined,
    durationMs: number,
  ): Promise<void> {
    const [{ recordedCommand, stepOfCommand }, { redactSteps }, { stepLine }] = await Promise.all([
      import('../../core/trajectory/formats/terminalCommands.ts'),
      import('../../core/trajectory/step/redactStep.ts'),
      import('../../core/trajectory/file/trajectoryFile.ts'),
    ]);
    const { at, raw, leftOut } = ended;
    const { cwd, shell } = await ended.place;
    const printed = {
      command,
      cwd,
      shell,
      raw: isOutputTold(raw) ? withoutMarks(raw) : undefined,
      exitCode,
      at: at.toISOString(),
      durationMs,
      leftOut,
    };
    const known = terminals.get(terminal) ?? {
      trajectory: terminals.size === 0 ? name : `${name}-${terminals.size + 1}`,
      last: undefined,
    };
    const step = stepOfCommand(recordedCommand(printed), { trajectory: known.trajectory, before: known.last });
    const context = await ended.context;
    const [kept] = (await redactSteps([context ? { ...step, context } : step])).steps;
    if (!kept) return;
    await appendFile(file, `${stepLine(kept)}\n`);
    terminals.set(terminal, { ...known, last: kept });
    count += 1;
  }

  return { write, count: () => count };
}

function record({ engine, file, name, ownFolder, log, changed }: RecordOptions): Recording {
  const running = new Map<vscode.TerminalShellExecution, Running>();
  const abort = new AbortController();
  const recorded = createRecordedFile(file, name);
  let leftOut = 0;
  // One line after the other.
  let writing: Promise<void> = Promise.resolve();
  /** The workspace as it was before the command that comes next. */
  let before = lookAround(engine, file, abort.signal);

  const listeners = vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(({ execution, terminal }) => {
      if (!isTold(execution.commandLine.value, ownFolder)) return;
      const one: Running = {
        line: wholeLine(execution, terminal),
        place: placed(execution, terminal),
        at: new Date(),
        raw: '',
        leftOut: 0,
        context: before,
        reading: Promise.resolve(),
      };
      running.set(execution, one);
      one.reading = (async () => {
        for await (const piece of execution.read()) {
          const room = Math.max(0, keptOutput - one.raw.length);
          one.raw += piece.slice(0, room);
          one.leftOut += Math.max(0, piece.length - room);
        }
      })();
    }),
    vscode.window.onDidEndTerminalShellExecution(({ execution, terminal, exitCode }) => {
      const ended = running.get(execution);
      const durationMs = ended ? Date.now() - ended.at.getTime() : 0;
      running.delete(execution);
      before = lookAround(engine, file, abort.signal);
      if (!ended) return;
      writing = writing
        .then(() => Promise.race([ended.reading, new Promise((resolve) => setTimeout(resolve, drainMs))]))
        .then(() => ended.line)
        .then(async (line) => {
          if (line === undefined) leftOut += 1;
          else if (isTold(line, ownFolder)) await recorded.write(line.trim(), ended, terminal, exitCode, durationMs);
        })
        .then(() => changed(recorded.count()))
        .catch((error: unknown) => {
          log.error(`A command could not be recorded: ${error instanceof Error ? error.message : String(error)}`);
        });
    }),
  );
  return {
    file,
    async finish() {
      listeners.dispose();
      await writing;
      return { count: recorded.count(), leftOut };
    },
    dispose() {
      listeners.dispose();
      abort.abort();
    },
  };
}

async function placed(execution: vscode.TerminalShellExecution, terminal: vscode.Terminal): ReturnType<typeof placeOf> {
  // The folder is asked at once: the command may change it.
  const cwd = execution.cwd?.fsPath ?? (await folderOf(terminal));
  const place = await placeOf(terminal, readSettings());
  return cwd === undefined ? place : { ...place, cwd };
}

/** A digest of the workspace without the recording itself, where there is an engine to look with. */
async function lookAround(engine: Engine, file: string, signal: AbortSignal): Promise<TrajectoryStep['context']> {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (workspace === undefined || !(await engine.status()).available) return undefined;
  const [{ stepContext }, { looker }] = await Promise.all([
    import('../../core/trajectory/step/stepContext.ts'),
    engine.load(),
  ]);
  const ignores = path.basename(file);
  return stepContext({ looker, workspace, cwd: workspace, ignores, signal }).catch(() => undefined);
}
