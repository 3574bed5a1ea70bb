import fs from 'node:fs/promises';
import path from 'node:path';
import type { CommandAction } from '../../../action/action.ts';
import { redactForPrompt } from '../../../context/secrets/redactForPrompt.ts';
import type { Redacted } from '../../../context/workspaceContext.ts';
import type { Doubt } from '../../../facts/doubt.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { Rehearsal } from '../../../prediction/rehearsal.ts';
import { quoteWord } from '../../../shell/quoteWord.ts';
import type { FileChange } from '../../../view/fileChange.ts';
import { defaultMaxBytes, realView } from '../../../view/realView.ts';
import { assumptionReasonText } from '../../../words/assumptionText.ts';
import { terminalState } from '../prompt/turns/groundingTurns.ts';
import { pathsOfSession, type SessionSoFar } from '../prompt/turns/session.ts';
import { type Grounds, groundingOf } from '../prompt/turns/trajectory.ts';
import type { Turn } from '../prompt/turns/turn.ts';
import { promptText, typeCommand } from '../prompt/turns/turnTextScreen.ts';
import { unknownMarker } from '../prompt/turns/turnTextUnknown.ts';
import {
  type AnswerForm,
  contentScreen,
  listingScreen,
  type SaidContent,
  type SaidScreen,
  screenForm,
} from '../reply/answerForms.ts';
import { createAsker } from './ask.ts';
import type { Asked } from './asking.ts';
import { type ImaginationEnding, imagination } from './imagination.ts';
import { addScriptChanges, changesCommand, realChanges } from './imaginedChanges.ts';
import { imaginedFiles } from './imaginedFiles.ts';
import { failureOfUnanswered } from './outcome.ts';

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
  push: (event: FactEvent) => void,
): Promise<ImaginationEnding> {
  const { signal } = grounds;
  const { cwd } = action;
  const asker = createAsker(grounds.language, push);
  const grounding = await groundingOf(grounds, 'terminal', { cwd });
  const secrets: Redacted[] = [];
  const script = await redactForPrompt(action.script);
  for (const { kind, count } of script.found) secrets.push({ where: 'the command', kind, count });
  const turns: Turn[] = [];

  const prompt = promptText(grounding.place);
  const style = grounds.language.style ?? 'benchmark';

  async function ask<T>(
    purpose: 'command' | 'changes' | 'content',
    title: string,
    command: string,
    formOf: (screen: AnswerForm<SaidScreen>) => AnswerForm<T>,
  ): Promise<Asked<T>> {
    const typed = typeCommand(command, { asksExitCode: purpose === 'command' });
    turns.push({ action: typed, part: 'action', note: title });
    const asked = await asker.ask({
      purpose,
      title,
      domain: 'terminal',
      form: formOf(screenForm(typed.keystrokes, prompt, { style })),
      turns: [...grounding.turns, ...grounding.later, ...turns],
      currentState: terminalState(grounding.place),
      leftOut: grounding.context.leftOut,
      redacted: [...grounding.context.redacted, ...secrets],
      sampled: purpose !== 'content',
      signal,
    });
    const observation = asked.ok ? asked.observation : unknownMarker(assumptionReasonText(asked.because));
    turns[turns.length - 1] = { ...lastOf(turns), observation, part: 'history' };
    return asked;
  }

  const before = changesBefore(grounds, cwd, grounding);
  const asked = await ask('command', 'the whole command', script.text, (screen) => screen);
  const screen = asked.ok ? asked.value : undefined;
  if (!asked.ok || !screen) {
    if (asked.ok) {
      const message = 'The model gave no answer; predict again.';
      return { type: 'failed', failure: { kind: 'told', code: 'internal', message } };
    }
    const { because } = asked;
    if (because.kind === 'unknown')
      return { type: 'abstained', doubt: { kind: 'modelUnknown', of: action.script, says: because.says } };
    return { type: 'failed', failure: failureOfUnanswered(because) };
  }
  const argv = [action.script];
  const { script: whole } = action;
  const doubts: Doubt[] = tellScreen(screen, whole, push);
  const said = await imaginedFiles({
    known: await before,
    cwd,
    workspaceFolders: grounds.workspaceFolders,
    readFile: async (place) => ((await fileBefore(place, grounds.session)) ? new Uint8Array() : undefined),
    looks: {
      status: () => ask('changes', 'what changed', changesCommand, (one) => listingScreen(one, 'status')),
      files: (title, command) => ask('changes', title, command, (one) => listingScreen(one, 'files')),
      async contents(places) {
        const contents: Asked<SaidContent>[] = [];
        for (const place of places) {
          const name = path.relative(cwd, place);
          contents.push(await ask('content', name, `cat ${quoteWord(name)}`, (one) => contentScreen(one, place)));
        }
        return contents;
      },
    },
  });
  for (const { path: place, after } of said.changes) contents.set(place, after);
  for (const place of contents.keys())
    push({ type: 'file', change: await changeOf(place, contents, grounds.session), basis: 'imagined' });
  for (const fact of said.notes) push({ type: 'notice', fact });
  if (said.assumes.length > 0) {
    const { assumes, because = { kind: 'noAnswer' } } = said;
    push({ type: 'assumption', id: 0, argv, assumes, because });
    doubts.push({ kind: 'assumption', script: whole, assumes });
  }
  const [doubt] = doubts;
  return doubt === undefined ? { type: 'done' } : { type: 'abstained', doubt };
}

/** What is changed already when the command starts. */
async function changesBefore(
  { looker, signal, session }: Grounds,
  cwd: string,
  { context }: Awaited<ReturnType<typeof groundingOf>>,
) {
  const known = await realChanges(looker, cwd, signal, context.observations);
  for (const step of session?.steps ?? []) addScriptChanges(known, step.changes);
  return known;
}

/** Tells what the model says of the terminal; what it leaves open is a doubt. */
function tellScreen(screen: SaidScreen, script: string, push: (event: FactEvent) => void): Doubt[] {
  if (screen.output !== '') push({ type: 'output', stream: 'stdout', text: screen.output, basis: 'imagined' });
  if (screen.exitCode !== undefined) push({ type: 'exit', code: screen.exitCode, basis: 'imagined' });
  else if (screen.waits) {
    push({ type: 'effect', fact: { kind: 'neverEnds' }, basis: 'imagined' });
    return [{ kind: 'modelNeverEnds', script }];
  } else {
    push({ type: 'notice', fact: { kind: 'endUnsaid' } });
    return [{ kind: 'modelEndUnsaid', script }];
  }
  return [];
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
