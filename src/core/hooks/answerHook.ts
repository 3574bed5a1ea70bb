import type { LiveAction, ShellName } from '../action/action.ts';
import { isEditCall } from '../action/edit/editTools.ts';
import { liveTitle } from '../action/edit/patchCommand.ts';
import { consentFile, consentFor } from '../consent/consentStore.ts';
import type { Consent } from '../facts/consent.ts';
import { type Foretell, foldAll, type PredictedInputs } from '../foretell.ts';
import type { Policies } from '../policy/decide.ts';
import { confirmed, mayAllow, policyDecision } from '../policy/policyDecision.ts';
import { policyRoot, readPolicies } from '../policy/readPolicies.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { changedTexts, noTexts } from '../toolbox/changedTexts.ts';
import { predictionText, verdictLine } from '../toolbox/predictionReply.ts';
import { inSentence } from '../view/quantity.ts';
import type { View } from '../view/view.ts';
import { decisionText } from '../words/policyText.ts';
import type { MemoryUse } from '../worlds/remembered/memoryStore.ts';
import { denialText, guardText, saferInTime } from './denial.ts';
import { effectDigest } from './effectDigest.ts';
import { guardedPlaces } from './guardedPlaces.ts';
import type { HookAnswer, HookCall } from './hookCall.ts';
import { hookFolder } from './hookFolder.ts';
import { type CallJudgement, isUnweighed, judgeCall, type TellWhen } from './judgeCall.ts';
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
  /** When it is aborted, what is known by then has to do. */
  due?: AbortSignal | undefined;
  now(): number;
  /** What was predicted of a call that is let through; its view is open until this has ended. */
  kept?(call: HookCall, prediction: Prediction): void | Promise<void>;
  /** What was predicted and answered, asked when the answer has been given; the view is open until this has ended. */
  behind?(prediction: Prediction, view: View, answer: HookAnswer): Promise<void>;
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
  if (deed.kind === 'edit' && !isEditCall(deed.call, deed.agent)) {
    // Of a server's tool only the name sounds like an edit; an agent's own tool is one.
    if (deed.agent === 'mcp') return nothing;
    const text = `What ${deed.call.name} would write cannot be told from this call, so nothing is known of it.`;
    return { ...nothing, answer: noteOf(text) };
  }
  if (deed.kind === 'command' && deed.script.length > longestScript)
    return {
      ...nothing,
      answer: noteOf('The command is too long to be predicted in time, so nothing is known of it.'),
    };
  const action: LiveAction =
    deed.kind === 'command'
      ? { kind: 'command', script: deed.script, shell: around.shell, cwd }
      : { kind: 'edit', changes: [], cwd, calls: [deed.call], agent: deed.agent };
  const beganAt = performance.now();
  const policies = readPolicies({ env: around.env, cwd, trusted: true });
  const consent = deed.kind === 'command' ? consentFor(consentFile(around.env), cwd).consent : undefined;
  const predicted = around.foretell.predict({
    action,
    hash: true,
    trusted: true,
    ...(consent ? { consent } : {}),
    compared: mayAllow(policies),
    memory: around.memory,
    limits: { wallMs: around.wallMs },
    signal: around.signal,
    due: around.due,
  });
  const { view } = predicted;
  const prediction = await foldAll(action, predicted.events);
  let inputs: PredictedInputs | undefined;
  const answer = await answerTo(prediction, view, {
    ...{ ...around, call, cwd, policies, consent },
    inputs: () => {
      inputs = predicted.inputs?.(prediction.files.map((file) => file.path));
      return inputs;
    },
    leftMs: () => around.wallMs - (performance.now() - beganAt),
  });
  if (answer.kind !== 'deny') await around.kept?.(call, prediction);
  // Keeping takes its time.
  const isOther = answer.kind === 'allow' && inputs && 'changed' in inputs && inputs.changed().length > 0;
  const said: HookAnswer = isOther ? { kind: 'nothing' } : answer;
  return {
    answer: said,
    async close() {
      await around.behind?.(prediction, view, said).catch(() => {});
      await view.close().catch(() => {});
    },
  };
}

interface Asked extends HookSurroundings {
  call: HookCall;
  cwd: string;
  policies: Policies;
  consent: Consent | undefined;
  /** What the prediction was made of. */
  inputs(): PredictedInputs | undefined;
  /** What is left for the prediction, in milliseconds. */
  leftMs(): number;
}

/** What the prediction means for the call. */
async function answerTo(prediction: Prediction, view: View, asked: Asked): Promise<HookAnswer> {
  const { call, cwd, env, now, policies } = asked;
  const folder = hookFolder(env);
  const releases = createReleases(folder);
  const own = createOwnWork(folder, call.id?.split(' ')[0] ?? cwd);
  const isOwnWork = own.isAllOwn(prediction);
  const said = policyDecision(prediction, { policies, ...policyRoot({ env, cwd }), isOwnWork });
  const decision = confirmed(said, said.kind === 'allow' ? asked.inputs() : undefined);
  const isHeld = decision.kind === 'ask' || decision.kind === 'unreadable';
  const isWorrying = prediction.verdict.level === 'danger' || isUnweighed(prediction);
  const mayBeReleased = isHeld || (isWorrying && decision.kind === 'none');
  const digest = mayBeReleased ? effectDigest(prediction, cwd) : '';
  const grounds = {
    tell: asked.tell,
    isOwnWork,
    isReleased: mayBeReleased && releases.take(digest, call.id, now()),
    guarded: guardedPlaces({ env, cwd }),
    decision: decision.kind,
  };
  const judged = judgeCall(prediction, grounds);
  await keepOwn(own, judged, prediction, view, now());
  if (judged === 'pass') return { kind: 'nothing' };
  if (judged === 'allow') return { kind: 'allow', toUser: `Foretell: ${decisionText(decision)}` };
  const first = verdictLine(prediction);
  if (judged === 'guard') return denied(guardText, 'Denied: only you may change what Foretell lets through.');
  const proving =
    judged === 'deny' ? saferInTime(prediction, { ...asked, leftMs: asked.leftMs(), now: now() }) : undefined;
  const changed = isShown(prediction) ? await changedTexts(prediction.files, view, cwd) : noTexts;
  const text = await predictionText({ prediction, changed, cwd }, mostCharacters - 1_500, { hasOutput: false });
  if (judged === 'tell') {
    const released = grounds.isReleased ? 'The user has let exactly this effect through, once.\n' : '';
    return { kind: 'note', toAgent: `Foretell predicted this call.\n${released}${text}`, toUser: `Foretell: ${first}` };
  }
  const title = inSentence(liveTitle(prediction.action));
  const rule = isHeld || decision.kind === 'deny' ? decisionText(decision) : '';
  // What a rule denies nobody lets through but who changes the rule.
  const code =
    decision.kind === 'deny' ? undefined : releases.offer({ digest, folder: cwd, title, verdict: first }, now());
  const safer = await proving;
  const toUser = `Foretell denied \`${title}\`. ${rule === '' ? first : rule}${code ? ` To let it through once: foretell allow ${code}` : ''}`;
  const toAgent = denialText({ rule, text, prediction, safer, code });
  return { kind: 'deny', toAgent, toUser, ...(code === undefined ? {} : { code }) };
}

async function keepOwn(
  own: OwnWork,
  judged: CallJudgement,
  prediction: Prediction,
  view: View,
  now: number,
): Promise<void> {
  if (judged === 'pass' || judged === 'tell' || judged === 'allow') await own.passes(prediction, view, now);
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
