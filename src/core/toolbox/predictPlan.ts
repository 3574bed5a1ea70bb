import * as z from 'zod/mini';
import type { LiveAction } from '../action/action.ts';
import { editTitle } from '../action/edit/patchCommand.ts';
import { emptyPrediction } from '../prediction/fold.ts';
import { predictionSections } from '../prediction/text/renderPrediction.ts';
import { countOf, inSentence } from '../view/quantity.ts';
import { changedTexts } from './changedTexts.ts';
import { compositeFiles } from './composite.ts';
import { fitText, type TextPart } from './fitText.ts';
import { inOwnSession, type Place, placeOf, predictAction } from './predictIn.ts';
import { diffData, isFailed, type Predicted, predictionData, wordPainter } from './predictionReply.ts';
import { cwdArgument, editArgument, readEditArgument, rehearseArgument } from './predictTools.ts';
import { toolOf } from './readInput.ts';
import { shortJson } from './shortJson.ts';
import type { BadArguments, ToolAround, ToolReply } from './tool.ts';

/** A plan of more steps is predicted in parts. */
const mostSteps = 20;

const PlanStep = z.strictObject({
  command: z.optional(z.string().check(z.minLength(1), z.describe('A shell command or script.'))),
  edit: z.optional(editArgument),
});

/** Shows what several steps would do, one after the other. */
export const predictPlan = toolOf(
  {
    name: 'predict_plan',
    title: 'Predict plan',
    description:
      'Shows what several commands and edits would do one after the other, each on what the one before leaves, without doing any of them: each step with its verdict, exit code and losses, the first dangerous step, and the diff of the whole. Files and the working directory go on from step to step, variables do not. Nothing is touched. Use it to check a sequence before its first step.',
  },
  z.strictObject({
    steps: z
      .array(PlanStep)
      .check(
        z.minLength(1),
        z.maxLength(mostSteps),
        z.describe('In their order; each has either a command or an edit (a patch, or the call of an editing tool).'),
      ),
    cwd: cwdArgument,
    rehearse: rehearseArgument,
  }),
  async ({ steps, cwd, rehearse = true }, around) => {
    const place = placeOf(cwd === undefined ? {} : { cwd }, around);
    if ('problem' in place) return place;
    const actions: LiveAction[] = [];
    for (const [at, step] of steps.entries()) {
      const read = actionOf(step, at + 1, place.cwd, around);
      if ('problem' in read) return read;
      actions.push(read.action);
    }
    return inOwnSession(around, (session) => predictSteps(actions, { ...place, session }, around, rehearse));
  },
);

function actionOf(
  { command, edit }: z.infer<typeof PlanStep>,
  number: number,
  cwd: string,
  { shell }: ToolAround,
): { action: LiveAction } | BadArguments {
  if ((command === undefined) === (edit === undefined))
    return {
      problem: `Step ${number} has ${command === undefined ? 'neither a command nor' : 'both a command and'} an edit; give one of them.`,
    };
  if (edit === undefined) return { action: { kind: 'command', script: command ?? '', shell, cwd } };
  const read = readEditArgument(edit, cwd, undefined);
  return 'problem' in read ? { problem: `Step ${number}: ${read.problem}` } : read;
}

async function predictSteps(
  actions: readonly LiveAction[],
  { cwd, session }: Place,
  around: ToolAround,
  rehearse: boolean,
): Promise<ToolReply> {
  const predicted: Predicted[] = [];
  for (const [at, action] of actions.entries()) {
    around.progress(`step ${at + 1} of ${actions.length}`);
    const folder = session?.cwd ?? cwd;
    const step = await predictAction({ ...action, cwd: folder }, { cwd: folder, session }, around, rehearse);
    predicted.push(step);
    if (isFailed(step.prediction)) break;
  }
  return planReply(actions, predicted, cwd, around.mostCharacters);
}

async function planReply(
  actions: readonly LiveAction[],
  predicted: readonly Predicted[],
  cwd: string,
  mostCharacters: number,
): Promise<ToolReply> {
  const last = predicted.findLast(({ prediction }) => !isFailed(prediction));
  const composite = last
    ? await compositeFiles(
        predicted.map(({ prediction }) => prediction.files),
        last.view,
      )
    : undefined;
  const changed = composite
    ? await changedTexts(composite.files, composite.view, cwd)
    : { lineCounts: new Map(), diff: '', untold: 0 };
  const danger = predicted.findIndex(({ prediction }) => prediction.verdict.level === 'danger');
  const whole = { ...emptyPrediction({ kind: 'edit', changes: [] }), files: composite?.files ?? [] };
  const { files } = predictionSections(whole, wordPainter, { all: false, cwd, lineCounts: changed.lineCounts });
  const parts: TextPart[] = [
    { lines: [`${countOf(actions.length, 'step')}, ${dangerText(danger, actions)}`], mostCharacters: 400 },
    ...actions.map((action, at) => ({
      lines: stepLines(action, at, predicted[at]),
      mostCharacters: Math.floor((mostCharacters * 0.6) / actions.length),
    })),
    {
      lines: files.length > 0 ? ['In the end', ...files] : ['In the end no file is different.'],
      mostCharacters: Math.floor(mostCharacters * 0.12),
    },
  ];
  const limits = { mostItems: 50, mostEvidence: 5, mostCharacters: 4_000 };
  const { value, omitted } = await shortJson({ files: composite?.files ?? [] });
  return {
    text: await fitText(parts, mostCharacters, changed.diff === '' ? '' : `Diff of the whole\n${changed.diff}`),
    structured: {
      version: 1,
      steps: await Promise.all(predicted.map((step) => predictionData(step, limits))),
      ...(danger < 0 ? {} : { firstDanger: danger + 1 }),
      composite: { ...value, ...diffData(changed.diff, omitted) },
    },
    ...(predicted.length < actions.length || predicted.some(({ prediction }) => isFailed(prediction))
      ? { isError: true }
      : {}),
  };
}

function dangerText(at: number, actions: readonly LiveAction[]): string {
  const action = actions[at];
  return action ? `first danger: step ${at + 1} (${titleOf(action)})` : 'none is dangerous';
}

function titleOf(action: LiveAction): string {
  return action.kind === 'edit' ? editTitle(action) : inSentence(action.script, 120);
}

/** One step: its verdict, how it ends, what is lost, what is not known. */
function stepLines(action: LiveAction, at: number, predicted: Predicted | undefined): string[] {
  const title = `${at + 1}. ${titleOf(action)}`;
  if (!predicted) return [title, '  not predicted, because an earlier step could not be'];
  const { prediction, changed, cwd } = predicted;
  const sections = predictionSections(prediction, wordPainter, { all: false, cwd, lineCounts: changed.lineCounts });
  const lines = [
    ...sections.verdict,
    ...sections.files.slice(0, 1),
    ...sections.loss,
    ...sections.assumptions,
    ...sections.end,
  ];
  return [title, ...lines.map((line) => `  ${line}`)];
}
