import * as vscode from 'vscode';
import type { Action } from '../../core/action/action.ts';
import type { StepChange } from '../../core/trajectory/file/lineEdit.ts';
import type { StepAttempt, StepObservation } from '../../core/trajectory/step/step.ts';
import type { DocumentReading } from './documentReading.ts';
import type { LabCore } from './labCore.ts';
import { createStepChanges } from './stepChanges.ts';

/** Changes of a trajectory's document: each is one step of undo, and replaces or adds only the lines that it is about. */
export interface TrajectoryEdits {
  /** Another text of an action. The sentence says why it cannot be. */
  editAction(id: string, text: string): Promise<string | undefined>;
  /** An empty text takes the observation away. */
  editObservation(id: string, text: string): Promise<string | undefined>;
  editNote(id: string, text: string): Promise<string | undefined>;
  /** A new step after this one; its id. */
  fork(id: string, text: string): Promise<{ ok: true; id: string } | { ok: false; message: string }>;
  /** What the engine saw becomes the observation. */
  observe(id: string, observation: StepObservation): Promise<string | undefined>;
  /** The first becomes the attempt that is shown; what was shown is kept. */
  addAttempts(id: string, attempts: readonly StepAttempt[]): Promise<string | undefined>;
  /** One of the attempts becomes the one that is shown; 0 is shown already. */
  showAttempt(id: string, attempt: number): Promise<string | undefined>;
}

const gone = 'This step is not in the file any more; choose another one.';

export function createTrajectoryEdits(
  document: vscode.TextDocument,
  reading: DocumentReading,
  core: LabCore,
): TrajectoryEdits {
  const now = () => new Date().toISOString();
  const find = (id: string) => reading.step(id);
  const { attemptsTo, wholeAttempts, observed } = createStepChanges(reading, core);

  const change = (changes: ReadonlyMap<string, StepChange>) => replaceSteps(document, reading, core, changes);

  return {
    async editAction(id, text) {
      const step = find(id);
      if (!step) return gone;
      const made = core.withActionText(step.action, text);
      if (!made.ok) return made.message;
      if (sameAction(made.action, step.action)) return undefined;
      return change(new Map([[id, { action: made.action, edited: { ...step.edited, action: now() } }]]));
    },
    async editObservation(id, text) {
      const step = find(id);
      if (!step) return gone;
      const { observation } = step;
      if (text === (observation?.text ?? '')) return undefined;
      const at = now();
      // What was changed by hand is nobody's observation any more, and least of all the engine's; its parts are in the text.
      const basis = observation ? ('assumed' as const) : ('observed' as const);
      const { facts: _, known: __, ...rest } = observation ?? {};
      const next = text === '' ? undefined : { ...rest, text, basis, source: 'hand', at };
      const edited = { ...step.edited, observation: at };
      return change(new Map([[id, { ...observed(step, next), edited }]]));
    },
    async editNote(id, text) {
      if (!find(id)) return gone;
      return change(new Map([[id, { note: text === '' ? undefined : text }]]));
    },
    async fork(id, text) {
      const step = find(id);
      const place = reading.place(id);
      if (!step || !place) return { ok: false, message: gone };
      const like = place.children[0] && find(place.children[0].step.id);
      const made = core.withActionText((like ?? step).action, text);
      if (!made.ok) return made;
      const forkId = core.newStepId(reading.tree().byId, like?.id ?? id);
      const { trajectory, domain } = step;
      const line = core.stepLine({ version: 1, id: forkId, trajectory, after: id, domain, action: made.action });
      const behind = core.insertBehind(place);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, document.lineAt(behind).range.end, `\n${line}`);
      const done = await vscode.workspace.applyEdit(edit);
      return done ? { ok: true, id: forkId } : { ok: false, message: 'The file cannot be changed; is it read-only?' };
    },
    async observe(id, observation) {
      const step = find(id);
      if (!step) return gone;
      return change(new Map([[id, observed(step, observation)]]));
    },
    async addAttempts(id, attempts) {
      const step = find(id);
      if (!step) return gone;
      const before = wholeAttempts(step).filter(({ prediction, reply }) => prediction || reply);
      return change(attemptsTo(step, [...attempts, ...before]));
    },
    async showAttempt(id, attempt) {
      const step = find(id);
      const all = step && wholeAttempts(step);
      const chosen = all?.[attempt];
      if (!step || !all || !chosen) return gone;
      return change(attemptsTo(step, [chosen, ...all.filter((one) => one !== chosen)]));
    },
  };
}

/** Replaces the lines of steps. A sentence: why it could not. */
async function replaceSteps(
  document: vscode.TextDocument,
  reading: DocumentReading,
  core: LabCore,
  changes: ReadonlyMap<string, StepChange>,
): Promise<string | undefined> {
  const edit = new vscode.WorkspaceEdit();
  for (const [id, fields] of changes) {
    const place = reading.place(id);
    if (!place || reading.text(place.index) !== lineText(document, place.index)) return gone;
    const text = core.changedLine(reading.text(place.index), fields);
    if (text !== reading.text(place.index)) edit.replace(document.uri, document.lineAt(place.index).range, text);
  }
  if (edit.size === 0) return undefined;
  return (await vscode.workspace.applyEdit(edit)) ? undefined : 'The file cannot be changed; is it read-only?';
}

function lineText(document: vscode.TextDocument, line: number): string | undefined {
  return line < document.lineCount ? document.lineAt(line).text : undefined;
}

function sameAction(a: Action, b: Action): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
