import { homeFolder } from '../../../context/user.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { FileChange } from '../../../view/fileChange.ts';
import { realView } from '../../../view/realView.ts';
import type { Looker, View } from '../../../view/view.ts';
import { programEvents } from '../wire/events.ts';
import { emptyRecord, type RunRecord } from '../wire/runRecord.ts';
import { planRest } from './plan.ts';

/** A run that ended before the script did. */
export interface UnfinishedRun {
  record: RunRecord;
  /** What has happened to the files already. */
  changed: readonly FileChange[];
  isUntouched: boolean;
  view: View;
  looker: Looker;
  script: string;
  cwd: string;
  /** `NAME=value` strings. */
  env: readonly string[];
  signal: AbortSignal;
  /** The command has ended; these processes, by their arguments, go on without it. */
  leftRunning?: readonly (readonly string[])[];
  /** It went on to its end, and might have gone another way. */
  goesOn?: boolean;
  push(event: FactEvent): void;
}

/**
 * Tells the programs of a run that ended early, and what the script would still do to files as far as its words and the
 * real disk tell. Returns the view in which that has happened, and the first program that would still be started.
 */
export async function tellUnfinished(run: UnfinishedRun): Promise<{ view: View; next: readonly string[] | undefined }> {
  const env = Object.fromEntries(run.env.map((entry) => entry.split(/=(.*)/s, 2) as [string, string]));
  const { script, cwd, changed, isUntouched, view, looker, signal, leftRunning } = run;
  const started = run.record.programs;
  const plan = await planRest({
    script,
    cwd,
    home: homeFolder(env),
    env,
    started,
    changed,
    isUntouched,
    view,
    looker,
    signal,
    ...(leftRunning === undefined ? {} : { leftRunning }),
    goesOn: run.goesOn === true,
  });
  // They did not get to do what they do: nothing that they would do was rehearsed.
  for (const [program, basis] of plan.atWork) program.answeredBy = basis;
  for (const event of programEvents(run.record)) run.push(event);
  for (const [index, { argv, cwd: folder, inside, basis }] of plan.ahead.entries()) {
    const id = started.length + index + 1;
    // By then something else may have changed.
    const known = leftRunning === undefined ? basis : 'assumed';
    run.push({ type: 'program', id, argv, cwd: folder, basis: known, ...(inside ? { lookedThrough: true } : {}) });
  }
  for (const change of plan.files) run.push({ type: 'file', change, basis: plan.basis });
  const { facts, loss } = plan.git;
  for (const git of facts) run.push({ type: 'effect', git, basis: 'assumed' });
  for (const one of loss) run.push({ type: 'loss', ...one });
  if (plan.files.length + facts.length > 0 || plan.isCut) {
    run.push({ type: 'notice', fact: { kind: 'computedRest', isCut: plan.isCut } });
  }
  return { view: plan.view, next: plan.next };
}

/** The same where nothing could be run at all. */
export async function tellUnrun(
  run: Omit<UnfinishedRun, 'record' | 'changed' | 'isUntouched' | 'view'>,
): Promise<View> {
  const told = await tellUnfinished({
    ...run,
    record: emptyRecord(),
    changed: [],
    isUntouched: true,
    view: realView(),
  });
  return told.view;
}
