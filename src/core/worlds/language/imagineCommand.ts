import fs from 'node:fs/promises';
import path from 'node:path';
import type { CommandAction } from '../../action/action.ts';
import { redactForPrompt } from '../../context/redactForPrompt.ts';
import type { Redacted } from '../../context/workspaceContext.ts';
import type { PredictionEvent } from '../../prediction/event.ts';
import type { Rehearsal } from '../../prediction/worldModel.ts';
import type { FileChange } from '../../view/fileChange.ts';
import { defaultMaxBytes, realView } from '../../view/realView.ts';
import { type Asked, createAsker } from './ask.ts';
import { terminalState } from './groundingTurns.ts';
import { type ImaginationEnding, imagination, sentence } from './imagination.ts';
import { addScriptChanges, changedFiles, changesCommand, mostFiles, realChanges } from './imaginedChanges.ts';
import { pathsOfSession, type SessionSoFar } from './session.ts';
import { type Grounds, groundingOf } from './trajectory.ts';
import type { Turn } from './turn.ts';
import { parseScreen, promptText, typeCommand } from './turnTextScreen.ts';
import { shellWord } from './turnTextTools.ts';

/**
 * The model alone predicts a whole command: what the terminal shows, the exit code, and what looks at the workspace would
 * show afterwards. Everything is `imagined`. Never rejects; failures are events.
 */
export function imagineCommand(grounds: Grounds, action: CommandAction): Rehearsal {
  const contents = new Map<string, Uint8Array | null>();
  const real = realView();
  const changedBefore = pathsOfSession(grounds.session?.steps ?? []);
  return {
    events: imagination(grounds.signal, (push) => imagine(grounds, action, contents, push)),
    view: {
      async read(place, moment, maxBytes = defaultMaxBytes) {
        const said = contents.get(place);
        if (moment === 'after' && said !== undefined) return said?.subarray(0, maxBytes);
        // Before the command there is what the earlier steps of the session leave.
        const isChanged = changedBefore.has(place);
        return isChanged ? grounds.session?.readFile(place, maxBytes) : real.read(place, moment, maxBytes);
      },
      async close() {
        contents.clear();
      },
    },
    // There is no copy to look at: what git says of the state afterwards is the model's word, and told as such.
    inView: grounds.looker,
  };
}

async function imagine(
  grounds: Grounds,
  action: CommandAction,
  contents: Map<string, Uint8Array | null>,
  push: (event: PredictionEvent) => void,
): Promise<ImaginationEnding> {
  const { signal, looker } = grounds;
  const { cwd } = action;
  const asker = createAsker(grounds.language, push);
  const grounding = await groundingOf(grounds, 'terminal', { cwd });
  const secrets: Redacted[] = [];
  const script = await redactForPrompt(action.script);
  for (const { kind, count } of script.found) secrets.push({ where: 'the command', kind, count });
  const turns: Turn[] = [];

  async function ask(purpose: 'command' | 'changes' | 'content', title: string, command: string): Promise<Asked> {
    const asksExitCode = purpose === 'command';
    turns.push({ action: typeCommand(command, { asksExitCode }), part: 'action', note: title });
    const asked = await asker.ask({
      purpose,
      title,
      domain: 'terminal',
      turns: [...grounding.turns, ...turns],
      currentState: terminalState(grounding.place),
      leftOut: grounding.context.leftOut,
      redacted: [...grounding.context.redacted, ...secrets],
      sampled: purpose === 'command',
      signal,
    });
    if (asked.ok) turns[turns.length - 1] = { ...lastOf(turns), observation: asked.observation, part: 'history' };
    else turns.pop();
    return asked;
  }

  const prompt = promptText(grounding.place);
  const read = (asked: Asked & { ok: true }, command: string, asksExitCode: boolean) =>
    parseScreen(asked.observation, typeCommand(command, { asksExitCode }).keystrokes, { prompt });

  const before = realChanges(looker, cwd, signal, grounding.context.observations).then((known) => {
    for (const step of grounds.session?.steps ?? []) addScriptChanges(known, step.changes);
    return known;
  });
  const asked = await ask('command', 'the whole command', script.text);
  if (!asked.ok) {
    const at = action.script;
    if (asked.code === 'unknown') return { type: 'abstained', reason: sentence(asked.message), at };
    return { type: 'failed', code: asked.code, message: asked.message };
  }
  const screen = read(asked, script.text, true);
  if (screen.output !== '') push({ type: 'output', stream: 'stdout', text: screen.output, basis: 'imagined' });
  if (screen.exitCode !== undefined) push({ type: 'exit', code: screen.exitCode, basis: 'imagined' });
  else push({ type: 'notice', text: 'The model does not say how the command ends.' });

  const status = await ask('changes', 'what changed', changesCommand);
  if (status.ok) {
    const said = read(status, changesCommand, false).output;
    const where = { cwd, workspaceFolders: grounds.workspaceFolders };
    const { written, deleted } = await changedFiles(await before, said, where, async (title, command) => {
      const found = await ask('changes', title, command);
      return found.ok ? read(found, command, false).output : undefined;
    });
    for (const place of deleted) contents.set(place, null);
    for (const [index, place] of written.entries()) {
      const command = `cat ${shellWord(path.relative(cwd, place))}`;
      const found = index < mostFiles ? await ask('content', path.relative(cwd, place), command) : undefined;
      contents.set(place, Buffer.from(found?.ok ? read(found, command, false).output : ''));
    }
    for (const place of contents.keys())
      push({ type: 'file', change: await changeOf(place, contents, grounds.session), basis: 'imagined' });
  }
  return { type: 'done' };
}

function lastOf(turns: readonly Turn[]): Turn {
  const last = turns.at(-1);
  if (!last) throw new Error('there is no turn');
  return last;
}

async function changeOf(
  place: string,
  contents: ReadonlyMap<string, Uint8Array | null>,
  session: SessionSoFar | undefined,
): Promise<FileChange> {
  const after = contents.get(place) ?? null;
  const there = await fileBefore(place, session);
  const mode = there?.mode ?? '0644';
  return {
    path: place,
    change: after === null ? 'deleted' : there ? 'modified' : 'created',
    type: 'file',
    mode,
    sizeBytes: after === null ? (there?.sizeBytes ?? 0) : after.length,
    volatile: false,
    ...(there && after !== null ? { before: { type: 'file' as const, ...there } } : {}),
  };
}

/** The file before the command: as the session leaves it, else as it really is. */
async function fileBefore(
  place: string,
  session: SessionSoFar | undefined,
): Promise<{ mode: string; sizeBytes: number } | undefined> {
  const last = session?.steps
    .flatMap(({ changes }) => changes)
    .findLast((one) => one.path === place || one.from === place);
  if (last) {
    const isGone = last.change === 'deleted' || last.path !== place;
    return isGone ? undefined : { mode: last.mode, sizeBytes: last.sizeBytes };
  }
  const real = await fs.lstat(place).catch(() => undefined);
  return real && { mode: (real.mode & 0o7777).toString(8).padStart(4, '0'), sizeBytes: real.size };
}
