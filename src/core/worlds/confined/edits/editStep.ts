import { dirname } from 'node:path';
import type { ContentChange, EditAction, FileOperation } from '../../../action/action.ts';
import { makeCall } from '../../../action/edit/editTools.ts';
import { encodeText } from '../../../action/edit/textBytes.ts';
import { nodeError, type ToolOutcome, type ToolWrite } from '../../../action/edit/toolOutcome.ts';
import type { Doubt } from '../../../facts/doubt.ts';
import type { Failure } from '../../../facts/failure.ts';
import type { NoticeFact } from '../../../facts/notice.ts';
import type { Refusal } from '../../../facts/refusal.ts';
import { pathsOfEdit } from '../../../prediction/request.ts';
import { formatBytes, inSentence } from '../../../view/quantity.ts';
import { tellChangedMeanwhile } from '../certainty/changedMeanwhile.ts';
import { conclude } from '../conclude.ts';
import type { StepContext } from '../stepContext.ts';
import { openStepView } from '../stepView.ts';
import { type HeldView, held, nothingHeld } from '../views.ts';
import type { StreamName } from '../wire/codes.ts';
import { Launcher } from '../wire/launcher.ts';
import { emptyRecord, type RunRecord, streamBytes } from '../wire/runRecord.ts';
import { isFolder, isOfSystem, maxEditBytes, noFolder, runQuietly, toolPlace, writeFile } from './editFiles.ts';
import { replaceInFiles } from './editReplace.ts';

/** Predicts an edit that is not a patch: it is computed and written into the views of the session. */
export async function goEdit(context: StepContext, edit: EditAction): Promise<HeldView> {
  const { parts, state, request, channel, startedAt } = context;
  const views: Launcher[] = [];
  // A single edit needs no second view: nothing in it depends on the clock.
  for (const which of state.carried ? (['shown', 'checker'] as const) : (['shown'] as const)) {
    const launcher = await openStepView(context, which, {
      shifted: which === 'checker',
      corrects: false,
      letsIn: true,
      letsKnownIn: request.trusted && state.carried !== undefined,
    });
    if (!(launcher instanceof Launcher)) return failed(context, { kind: 'confinement', because: launcher.sentence });
    // What an earlier step changed is what this one finds; a new layer begins here. A run also makes ready the folders of other
    // owners above the paths that it names, which an ordinary user's copy could not take in later.
    const isLater = parts.usedLaunchers.has(launcher);
    if (isLater || request.userId !== 0) {
      await runQuietly(launcher, ['true', ...foldersOf(edit, request.workspaceFolders)], '/', isLater);
    }
    parts.usedLaunchers.add(launcher);
    views.push(launcher);
  }
  const [shown] = views;
  if (!shown) return failed(context, { kind: 'confinement', because: 'No view could be made; predict again.' });
  if (edit.cwd !== undefined && edit.calls && !(await isFolder(shown, edit.cwd)))
    return failed(context, { kind: 'told', code: 'cwd', message: noFolder(edit.cwd) });
  const writer = new EditWriter(shown, views, request.cwd);
  await tellChangedMeanwhile(shown, edit, channel);
  const problem = await writer.go(edit, request.signal);
  if (problem !== undefined) return failed(context, { kind: 'told', code: 'edit', message: problem });
  tellRefusals(writer, channel);
  const record = recordOf(writer, state);
  const listing = await shown.list(request.hash ? 'all' : 'new');
  // What changed since the last run is no change during this edit.
  listing.effects = listing.effects.filter(({ kind }) => kind !== 'changedMeanwhile');
  const keepPath = (path: string) => parts.keepPath(path) && !state.carried?.isOwn(path);
  state.changed ||= listing.changes.some((change) => keepPath(change.path));
  const outcome = { record, other: record, listing, held: held(shown) };
  context.hold(outcome.held);
  const { isOtherwise } = await conclude(outcome, {
    keepPath,
    keepsPieces: true,
    limits: request.limits,
    startedAt,
    made: state.made,
    script: '',
    isTerminal: false,
    isForeign: false,
    hasNoNetwork: false,
    startsTogether: false,
    showsStatus: false,
    inAnyOrder: false,
    packsInThreads: false,
    doubts: writer.doubts,
    push: (event) => channel.push(event),
    otherwise: async () => [],
  });
  state.steps += 1;
  if (isOtherwise) state.unsure ||= 'assumed';
  return outcome.held;
}

/** What the tools did not do, and what nobody can say of their answers. */
function tellRefusals(writer: EditWriter, channel: StepContext['channel']): void {
  for (const fact of writer.notices) channel.push({ type: 'notice', fact });
  for (const refusal of writer.refusals) {
    const { name } = refusal;
    channel.push({
      type: 'risk',
      level: 'caution',
      fact: { kind: 'fails', failure: { of: 'call', refusal } },
      evidence: name === '' ? [] : [{ kind: 'name', name }],
    });
  }
  if (writer.isWordless) channel.push({ type: 'notice', fact: { kind: 'toolWordless' } });
}

/** The edit as a run that was computed. */
function recordOf(writer: EditWriter, state: StepContext['state']): RunRecord {
  return {
    ...emptyRecord(),
    basis: 'computed',
    unsure: state.unsure,
    blind: state.blind,
    dependsOn: state.blind,
    output: writer.output.map((piece) => ({
      ...piece,
      unsure: state.unsure !== false,
      ...(state.blind.length > 0 ? { dependsOn: state.blind } : {}),
    })),
    finished: {
      type: 'finished',
      how: 'exited',
      exitCode: writer.exitCode,
      cwd: writer.cwd,
      wallMs: 0,
      cpuMs: 0,
      peakBytes: 0,
      outputCut: false,
      detail: '',
      leftRunning: [],
    },
  };
}

function failed({ parts, channel, startedAt }: StepContext, failure: Failure): HeldView {
  channel.push({ type: 'failed', failure, durationMs: Date.now() - startedAt.getTime() });
  return nothingHeld(parts.looker);
}

/** Computes an edit part by part, and writes each part into all views before the next is computed. */
class EditWriter {
  readonly output: { stream: StreamName; bytes: Uint8Array }[] = [];
  readonly notices: NoticeFact[] = [];
  readonly doubts: Doubt[] = [];
  readonly refusals: Refusal[] = [];
  /** What a tool answers is not known. */
  isWordless = false;
  exitCode = 0;
  readonly cwd: string;
  /** Why the edit as a whole cannot be predicted. */
  private problem: string | undefined;
  private readonly shown: Launcher;
  private readonly views: readonly Launcher[];

  constructor(shown: Launcher, views: readonly Launcher[], cwd: string) {
    this.shown = shown;
    this.views = views;
    this.cwd = cwd;
  }

  /** A problem, as a sentence, where the edit as a whole cannot be predicted. */
  async go(edit: EditAction, signal: AbortSignal): Promise<string | undefined> {
    for (const operation of edit.operations ?? []) await this.operate(operation);
    for (const change of edit.changes) {
      if (signal.aborted) return undefined;
      const problem = await this.change(change);
      if (problem !== undefined) return problem;
    }
    if (edit.replace) {
      const replaced = await replaceInFiles(this.shown, edit.replace, signal);
      if ('problem' in replaced) return replaced.problem;
      this.notices.push(...replaced.notices);
      for (const write of replaced.writes) this.refuse(write.path, await this.write(write));
      if (this.problem !== undefined) return this.problem;
    }
    for (const call of edit.calls ?? []) {
      if (signal.aborted) return undefined;
      const outcome = await makeCall(call, toolPlace(this.shown, this.cwd), edit);
      if (!outcome) return `There is no editing tool called ${call.name} here; give the edit as a patch.`;
      this.doubts.push(...outcome.doubts.map((clause): Doubt => ({ kind: 'tool', tool: call.name, clause })));
      await this.call(outcome);
      if (this.problem !== undefined) return this.problem;
    }
    return undefined;
  }

  /** Writes what a call would, and says what its tool says, where that is known. */
  private async call(outcome: ToolOutcome): Promise<void> {
    let { observation, exitCode } = outcome;
    if (outcome.refusal) this.refusals.push(outcome.refusal);
    for (const write of outcome.writes) {
      const code = await this.write(write);
      if (this.problem !== undefined) return;
      if (code === '') continue;
      observation = outcome.refused(write.path, code);
      this.refusals.push({ kind: 'unwritable', name: write.path });
      exitCode = 1;
      break;
    }
    if (observation === undefined) this.isWordless = true;
    else this.say('stdout', observation.endsWith('\n') ? observation : `${observation}\n`);
    if (exitCode !== 0) this.exitCode ||= exitCode;
    this.notices.push(...(outcome.notices ?? []).map((sentence): NoticeFact => ({ kind: 'tool', sentence })));
  }

  private say(stream: StreamName, text: string): void {
    this.output.push({ stream, bytes: Buffer.from(text) });
  }

  private refuse(path: string, code: string): void {
    if (code === '') return;
    this.say('stderr', `${nodeError(code, 'open', path)}\n`);
    this.exitCode = 1;
  }

  private async write(write: ToolWrite): Promise<string> {
    if (write.path.includes('\0')) this.problem = `${inSentence(write.path)} is no name of a file.`;
    else if (write.bytes && write.bytes.length > maxEditBytes) this.problem = tooLarge(write.path);
    else if (await isOfSystem(this.shown, write.path)) this.problem = partOfSystem(write.path);
    if (this.problem !== undefined) return 'EPERM';
    let first = '';
    for (const launcher of this.views) first ||= await writeFile(launcher, write);
    return first;
  }

  private async change(change: ContentChange): Promise<string | undefined> {
    const { path, after, mode } = change;
    if (after === null) {
      this.refuse(path, await this.write({ path, bytes: null, makesFolders: false }));
      return this.problem;
    }
    if (change.isSymlink && (await isOfSystem(this.shown, dirname(path)))) return partOfSystem(path);
    if (change.isSymlink) {
      await this.link(path, after);
      return undefined;
    }
    const bytes = encodeText(after, change.encoding);
    const bits = mode === undefined ? undefined : Number.parseInt(mode, 8);
    this.refuse(
      path,
      await this.write({ path, bytes, makesFolders: true, ...(bits === undefined ? {} : { mode: bits }) }),
    );
    return this.problem;
  }

  private async link(path: string, target: string): Promise<void> {
    for (const launcher of this.views) {
      if (await launcher.stat(path, 'after')) await launcher.put(path, 'delete', new Uint8Array());
      await launcher.put(path, 'symlink', Buffer.from(target));
    }
  }

  private async operate(operation: FileOperation): Promise<void> {
    const refusal = await this.refusalOf(operation);
    if (refusal !== undefined) {
      this.say('stderr', `${refusal}\n`);
      this.exitCode = 1;
      return;
    }
    for (const [index, launcher] of this.views.entries()) {
      for (const argv of commandsFor(operation)) {
        const record = await runQuietly(launcher, argv, '/');
        if (record.finished?.how === 'exited' && record.finished.exitCode === 0) continue;
        if (index > 0) break;
        const words = streamBytes(record, 'stderr').toString('utf8') || `${argv[0]} failed\n`;
        this.say('stderr', words);
        this.exitCode = 1;
        break;
      }
    }
  }

  /** What an explorer says before it begins. */
  private async refusalOf(operation: FileOperation): Promise<string | undefined> {
    const there = async (path: string) => (await this.shown.stat(path, 'after')) !== undefined;
    switch (operation.kind) {
      case 'delete':
        return (await there(operation.path)) ? undefined : `${operation.path} does not exist.`;
      case 'create':
        return (await there(operation.path)) ? `${operation.path} already exists.` : undefined;
      case 'rename':
      case 'copy':
        if (!(await there(operation.from))) return `${operation.from} does not exist.`;
        if (!operation.overwrite && operation.from !== operation.to && (await there(operation.to)))
          return `${operation.to} already exists.`;
        return undefined;
    }
  }
}

/** Where an edit may write, absolute; of many folders some. */
function foldersOf(edit: EditAction, workspaceFolders: readonly string[]): string[] {
  const { cwd, calls = [] } = edit;
  const called = calls.flatMap((call) => Object.values(call.arguments)).filter((value) => typeof value === 'string');
  const named = [...pathsOfEdit(edit), ...called.filter((value) => value.startsWith('/') && !/[\n\0]/.test(value))];
  const base = cwd === undefined ? [] : [cwd];
  const below = [...base, ...workspaceFolders].map((folder) => `${folder}/.`);
  return [...new Set([...below, ...named.map((file) => `${dirname(file)}/.`)])].slice(0, 64);
}

function commandsFor(operation: FileOperation): string[][] {
  const above = (path: string) => ['mkdir', '-p', '--', path.replace(/\/[^/]*\/*$/, '') || '/'];
  switch (operation.kind) {
    case 'delete':
      return [['rm', '-rf', '--', operation.path]];
    case 'create':
      return operation.isFolder
        ? [['mkdir', '-p', '--', operation.path]]
        : [above(operation.path), ['cp', '-T', '--', '/dev/null', operation.path]];
    case 'rename':
    case 'copy': {
      const { from, to, overwrite } = operation;
      const clear = overwrite && from !== to ? [['rm', '-rf', '--', to]] : [];
      const tool = operation.kind === 'rename' ? ['mv', '-f', '-T', '--'] : ['cp', '-a', '-T', '--'];
      return [...clear, above(to), [...tool, from, to]];
    }
  }
}

function tooLarge(path: string): string {
  return `${path} is larger than ${formatBytes(maxEditBytes)}, the most that an edit can predict; make the change with a command.`;
}

function partOfSystem(path: string): string {
  return `${path} is no file but a part of the running system; what a write there would do cannot be predicted.`;
}
