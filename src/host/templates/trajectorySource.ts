import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandAction } from '../../core/action/action.ts';
import type { TrajectoryStep } from '../../core/trajectory/step/step.ts';

/** Steps of a file that can be predicted with a template. */
export interface TrajectorySource {
  file: string;
  /** All steps of the file, by id. */
  all: ReadonlyMap<string, TrajectoryStep>;
  /** Those of the domain that have something to be compared with, of which as many as wanted, evenly spread. */
  steps: TrajectoryStep[];
}

/** What was chosen already, by a keybinding or a test. `file` is absolute; `command`: the one that was predicted last. */
export interface TrajectoryChoice {
  file?: string;
  command?: boolean;
  most?: number;
}

const largestBytes = 400 * 1024 ** 2;
const mostFiles = 200;

/** Lets the user choose a trajectory and how many of its steps. Undefined: thought better of it; a problem is a sentence. */
export async function chooseTrajectory(
  domain: string,
  given: TrajectoryChoice,
  command: CommandAction | undefined,
): Promise<TrajectorySource | { command: CommandAction } | { problem: string } | undefined> {
  if (given.command && command) return { command };
  const file = given.file ?? (await chooseFile(command));
  if (typeof file !== 'string') return file;
  const name = path.basename(file);
  const { size } = await stat(file).catch(() => ({ size: -1 }));
  if (size < 0) return { problem: `${name} cannot be read; choose another file.` };
  if (size > largestBytes)
    return { problem: `${name} is larger than ${largestBytes / 1024 ** 2} MB; choose a part of it.` };
  const [{ importTrajectory }, { spread, stepsToTry, triedById }] = await Promise.all([
    import('../../core/trajectory/importTrajectory.ts'),
    import('../../core/bench/templates/tryTemplate.ts'),
  ]);
  const imported = await importTrajectory(await readFile(file, 'utf8'), { fileName: name });
  if ('failure' in imported) return { problem: `${name}: ${imported.failure.message}` };
  const fitting = stepsToTry(imported.steps, domain);
  if (fitting.length === 0) {
    const found = [...new Set(imported.steps.map((step) => step.domain))].join(', ');
    const why = found === '' ? 'It has no steps' : `Its steps are of ${found}`;
    return { problem: `${name} has no step of ${domain} with an observation. ${why}; choose another file.` };
  }
  const most = given.most ?? (await chooseCount(fitting.length));
  if (most === undefined) return undefined;
  return { file, all: triedById(imported.steps), steps: spread(fitting, most) };
}

type Item = vscode.QuickPickItem & { file?: string; command?: CommandAction };

async function chooseFile(
  command: CommandAction | undefined,
): Promise<string | { command: CommandAction } | undefined> {
  const found = await vscode.workspace.findFiles(
    '**/{*.trajectory.jsonl,*_test.jsonl}',
    '**/{node_modules,.git}/**',
    mostFiles,
  );
  const files: Item[] = found
    .filter(({ scheme }) => scheme === 'file')
    .map(({ fsPath }) => ({
      label: path.basename(fsPath),
      description: vscode.workspace.asRelativePath(path.dirname(fsPath)),
      file: fsPath,
    }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const [first = ''] = command?.script.split('\n') ?? [];
  const items: Item[] = [
    ...files,
    ...(command
      ? [{ label: `$(terminal) ${first}`, description: 'the command that was predicted last', command }]
      : []),
    { label: 'Another file…', alwaysShow: true },
  ];
  const placeHolder =
    files.length > 0 ? 'Whose steps?' : 'The workspace has no *.trajectory.jsonl and no *_test.jsonl; choose a file';
  const chosen = await vscode.window.showQuickPick(items, {
    ...{ title: 'Run Prompt on Trajectory', placeHolder, matchOnDescription: true },
  });
  if (!chosen) return undefined;
  if (chosen.command) return { command: chosen.command };
  if (chosen.file !== undefined) return chosen.file;
  const filters = { Trajectories: ['jsonl', 'json', 'cast', 'traj'] };
  const [other] = (await vscode.window.showOpenDialog({ openLabel: 'Run', canSelectMany: false, filters })) ?? [];
  return other?.fsPath;
}

async function chooseCount(all: number): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    title: 'Run Prompt on Trajectory',
    prompt: `How many of ${all.toLocaleString('en')} steps? They are taken evenly spread.`,
    value: String(Math.min(20, all)),
    validateInput: (text) =>
      /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= all ? undefined : `A number from 1 to ${all}.`,
  });
  return typed === undefined ? undefined : Number(typed);
}
