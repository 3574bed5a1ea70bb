import type { Action, LiveAction, ShellName } from '../action/action.ts';
import { isEditCall } from '../action/edit/editTools.ts';
import { editTitle } from '../action/edit/patchCommand.ts';
import { consentFile, consentFor } from '../consent/consentStore.ts';
import { type Foretell, foldAll } from '../foretell.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { netFolder } from '../safetyNet/keptEntry.ts';
import { quoteWord } from '../shell/quoteWord.ts';
import { changedTexts, noTexts } from '../toolbox/changedTexts.ts';
import { predictionText, verdictLine } from '../toolbox/predictionReply.ts';
import { inSentence } from '../view/quantity.ts';
import type { View } from '../view/view.ts';
import type { MemoryUse } from '../worlds/remembered/memoryStore.ts';
import { effectDigest } from './effectDigest.ts';
import type { HookAnswer, HookCall } from './hookCall.ts';
import { hookFolder } from './hookFolder.ts';
import { type CallJudgement, judgeCall, type TellWhen } from './judgeCall.ts';
import { createOwnWork, type OwnWork } from './ownWork.ts';
import { createReleases } from './release.ts';

/** Longest text for an agent, in characters: more is cut by some of them. */
const mostCharacters = 8_000;
/** A longer command is not predicted: it could not be in time. In characters. */
const longestScript = 256 * 1024;

/** What a hook needs of the process around it. */
export interface HookSurroundings {
  foretell: Foretell;
  env: Readonly<Record<string, string | undefined>>;
  /** Where a call is made whose event does not say it; absolute. */
  cwd: string;
  shell: ShellName;
  tell: TellWhen;
  memory?: MemoryUse | undefined;
  /** How long the rehearsal may take, in milliseconds. */
  wallMs: number;
  signal: AbortSignal;
  now(): number;
  /** What was predicted of a call that is let through; its view is open until this has ended. */
  kept?(call: HookCall, prediction: Prediction): void | Promise<void>;
}

/** An answer, and what is to be done behind it. */
export interface HookOutcome {
  answer: HookAnswer;
  /** Ends the prediction; never rejects. */
  close(): Promise<void>;
}

const nothing: HookOutcome = { answer: { kind: 'nothing' }, close: async () => {} };

/** Predicts a call that an agent is about to make, and says what it is answered. */
export async function answerHook(call: HookCall, around: HookSurroundings): Promise<HookOutcome> {
  const cwd = call.cwd ?? around.cwd;
  const { deed } = call;
  if (deed.kind === 'edit' && !isEditCall(deed.call, deed.agent)) return nothing;
  if (deed.kind === 'command' && deed.script.length > longestScript)
    return {
      ...nothing,
      answer: noteOf('The command is too long to be predicted in time, so nothing is known of it.'),
    };
  const action: LiveAction =
    deed.kind === 'command'
      ? { kind: 'command', script: deed.script, shell: around.shell, cwd }
      : { kind: 'edit', changes: [], cwd, calls: [deed.call], agent: deed.agent };
  const { events, view } = around.foretell.predict({
    action,
    hash: true,
    trusted: true,
    ...(deed.kind === 'command' ? consentOf(around.env, cwd) : {}),
    memory: around.memory,
    limits: { wallMs: around.wallMs },
    signal: around.signal,
  });
  const prediction = await foldAll(action, events);
  const answer = await answerTo(prediction, view, { ...around, call, cwd });
  if (answer.kind !== 'deny') await around.kept?.(call, prediction);
  return { answer, close: () => view.close().catch(() => {}) };
}

function consentOf(env: HookSurroundings['env'], cwd: string) {
  const { consent } = consentFor(consentFile(env), cwd);
  return consent ? { consent } : {};
}

interface Asked extends HookSurroundings {
  call: HookCall;
  cwd: string;
}

/** What the prediction means for the call. */
async function answerTo(prediction: Prediction, view: View, asked: Asked): Promise<HookAnswer> {
  const { call, cwd, env, now } = asked;
  const folder = hookFolder(env);
  const releases = createReleases(folder);
  const own = createOwnWork(folder, call.id?.split(' ')[0] ?? cwd);
  const isDanger = prediction.verdict.level === 'danger';
  const digest = isDanger ? effectDigest(prediction, cwd) : '';
  const grounds = {
    tell: asked.tell,
    isOwnWork: own.isAllOwn(prediction),
    isReleased: isDanger && releases.take(digest, call.id, now()),
    guarded: [folder, netFolder(env), consentFile(env)],
  };
  const judged = judgeCall(prediction, grounds);
  await keepOwn(own, judged, prediction, view, now());
  if (judged === 'pass') return { kind: 'nothing' };
  const first = verdictLine(prediction);
  if (judged === 'guard') return denied(guardText, 'Denied: only you may change what Foretell lets through.');
  const changed = isShown(prediction) ? await changedTexts(prediction.files, view, cwd) : noTexts;
  const text = await predictionText({ prediction, changed, cwd }, mostCharacters - 1_000, { hasOutput: false });
  if (judged === 'tell') {
    const released = grounds.isReleased ? 'The user has let exactly this effect through, once.\n' : '';
    return { kind: 'note', toAgent: `Foretell predicted this call.\n${released}${text}`, toUser: `Foretell: ${first}` };
  }
  const title = inSentence(titleOf(prediction.action));
  const code = releases.offer({ digest, folder: cwd, title, verdict: first }, now());
  return denied(
    denialText(text, prediction, code),
    `Foretell denied \`${title}\`. ${first}${code ? ` To let it through once: foretell allow ${code}` : ''}`,
  );
}

async function keepOwn(
  own: OwnWork,
  judged: CallJudgement,
  prediction: Prediction,
  view: View,
  now: number,
): Promise<void> {
  if (judged === 'pass' || judged === 'tell') await own.passes(prediction, view, now);
}

/** An agent knows the edit that it makes itself. */
function isShown({ action }: Prediction): boolean {
  return action.kind === 'command';
}

function denied(toAgent: string, toUser: string): HookAnswer {
  return { kind: 'deny', toAgent, toUser };
}

function noteOf(text: string): HookAnswer {
  return { kind: 'note', toAgent: `Foretell: ${text}`, toUser: `Foretell: ${text}` };
}

const guardText =
  'Foretell denied this call; nothing was touched. It would change what Foretell itself lets through, and only the user may do that.';

function denialText(text: string, { loss }: Prediction, code: string | undefined): string {
  const lost = loss.filter(({ recovery, going }) => recovery.kind === 'none' && going !== undefined);
  const names = lost.slice(0, 10).map(({ path }) => quoteWord(path));
  const keep =
    names.length === 0
      ? ''
      : `A safer way: keep the content somewhere else first (mv or cp -a ${names.join(' ')}${lost.length > names.length ? ' …' : ''}), or leave these paths out.\n`;
  const release =
    code === undefined
      ? ''
      : `\nIf the user wants exactly this effect, ask them to type this in a terminal of their own: foretell allow ${code}\nIt counts once, for this folder, for ten minutes; then make the same call again. It is refused to agents.`;
  return `Foretell denied this call; nothing was touched. What it would do:\n${text}\n${keep}Do not look for another command with the same effect: it is the effect that is denied.${release}`;
}

function titleOf(action: Action): string {
  return action.kind === 'command' ? action.script : action.kind === 'edit' ? editTitle(action) : 'a turn';
}
