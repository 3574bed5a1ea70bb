import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { TrajectoryStep } from '../../core/trajectory/step/step.ts';
import { folderMeant } from '../predict/selection.ts';
import type { LoopOptions } from './registerLoop.ts';
import { offerConnection, openTrajectory, signalOf, tell } from './trajectoryOutput.ts';

/** What the command can be given instead of asking. */
const AgentWishes = z.object({
  task: z.string(),
  turns: z._default(z.number(), 10),
  domain: z._default(z.enum(['swe', 'terminal']), 'swe'),
  world: z._default(z.string(), ''),
});
type AgentWishes = z.infer<typeof AgentWishes>;

/** Asks for a task, lets an agent work on it in a simulated environment, rehearses what it did and opens both. */
export async function runAgentCommand(
  options: LoopOptions & { folder: vscode.Uri },
  given: unknown,
): Promise<vscode.Uri | undefined> {
  const cwd = folderMeant();
  if (cwd === undefined) return tell('Open a folder first: the environment is grounded in it.');
  const request = options.language.request();
  if (!request) return offerConnection('A simulated environment needs a language model, and none is connected.');
  const read = AgentWishes.safeParse(given);
  const wishes = read.success ? read.data : await askWishes();
  if (!wishes) return undefined;
  const [foretell, { createEnvironment }, { runAgent }, { replay }] = await Promise.all([
    options.engine(),
    import('../../core/loop/environment.ts'),
    import('../../core/loop/runAgent.ts'),
    import('../../core/loop/replay.ts'),
  ]);
  const steps: TrajectoryStep[] = [];
  const { whole: _, turn: __, ...language } = request;
  const environment = createEnvironment(foretell, {
    language: { ...language, samples: 1 },
    workspace: cwd,
    recordsMessages: true,
    record: (step) => void steps.push(step),
  });
  const dialect = language.dialect ?? 'qwen';
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: 'Agent in a simulated environment',
    cancellable: true,
  };
  try {
    const { run, compared } = await vscode.window.withProgress(progress, async (shown, token) => {
      const signal = signalOf(token);
      const run = await runAgent({
        provider: language.provider,
        environment,
        task: wishes.task,
        turns: wishes.turns,
        start: {
          domain: wishes.domain,
          dialect,
          cwd,
          ...(wishes.world.trim() === '' ? {} : { fictionalWorld: wishes.world }),
        },
        onTurn: ({ turn }, call) =>
          shown.report({ message: `turn ${turn} of ${wishes.turns}: ${call.name}`, increment: 100 / wishes.turns }),
        signal,
      });
      shown.report({ message: 'rehearsing the same actions' });
      const compared =
        steps.length > 0 && !signal.aborted ? await replay(steps, { foretell, cwd, dialect, signal }) : undefined;
      return { run, compared };
    });
    options.log.info(`Agent: ${run.outcome} after ${run.turns} turns.`);
    if (steps.length === 0) return tell(run.sentence);
    const file = await openTrajectory(options.folder, 'agent', compared?.steps.map(({ step }) => step) ?? steps);
    const parting =
      compared?.partsAt !== undefined
        ? ` Imagination and the confined rehearsal part at action ${compared.partsAt + 1}.`
        : compared && compared.compared > 0
          ? ` Imagination and the confined rehearsal say the same of the ${compared.compared} actions that can be compared.`
          : '';
    void vscode.window.showInformationMessage(`${run.sentence}${parting}`);
    return file;
  } finally {
    environment.dispose();
  }
}

async function askWishes(): Promise<AgentWishes | undefined> {
  const title = 'Run Agent in a Simulated Environment';
  const task = await vscode.window.showInputBox({
    title,
    prompt: 'What is the agent to do? Nothing is really run.',
    ignoreFocusOut: true,
  });
  if (!task?.trim()) return undefined;
  const forms = [
    { label: 'Tools', description: 'runs commands, reads and edits files by calling tools', domain: 'swe' as const },
    { label: 'Terminal', description: 'types at a terminal and reads its screen', domain: 'terminal' as const },
  ];
  const form = await vscode.window.showQuickPick(forms, {
    title,
    placeHolder: 'How does it act?',
    ignoreFocusOut: true,
  });
  if (!form) return undefined;
  const turns = await vscode.window.showInputBox({
    title,
    prompt: 'How many actions at most?',
    value: '10',
    ignoreFocusOut: true,
    validateInput: (text) => (/^[1-9]\d{0,2}$/.test(text.trim()) ? undefined : 'A number from 1 to 999.'),
  });
  if (turns === undefined) return undefined;
  const world = await vscode.window.showInputBox({
    title,
    prompt: 'What is different in its world? Leave it empty for this workspace as it is.',
    placeHolder: 'for example: the tests fail because the clock is a year ahead',
    ignoreFocusOut: true,
  });
  return world === undefined ? undefined : { task, turns: Number(turns), domain: form.domain, world };
}
