import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { ShellName } from '../../action/action.ts';
import { readArguments } from '../../action/edit/callArguments.ts';
import { editTitle } from '../../action/edit/patchCommand.ts';
import { redactAtOnce } from '../../context/secrets/redactForPrompt.ts';
import { createRedactor } from '../../context/secrets/redactValue.ts';
import { isLostForGood } from '../../facts/recovery.ts';
import type { Prediction } from '../../prediction/prediction.ts';
import { verdictLine } from '../../toolbox/predictionReply.ts';
import type { CalibrationEntry } from '../../trajectory/calibration.ts';
import { type StepPrediction, stepPrediction } from '../../trajectory/step/step.ts';
import { headlineOf } from '../../verdict/headlineOf.ts';
import { inSentence } from '../../view/quantity.ts';
import { isPrivateFolder } from '../../view/statusIfKnown.ts';
import type { View } from '../../view/view.ts';
import type { HookAnswer, HookCall, ObservedCall, Speaker } from '../hookCall.ts';
import { keptFiles } from '../hookFolder.ts';
import { type CallDetails, keptTexts } from './callDetails.ts';
import {
  type AskedLine,
  type CallLine,
  callDetailsFolder,
  callLogFolder,
  type KeptDeed,
  type PredictedLine,
} from './callLine.ts';

/** A log is put aside at this size, and what was put aside before it goes. In bytes. */
const mostLogBytes = 4 * 1024 ** 2;
/** Logs together, and details together, keep to so much; the oldest go. In bytes. */
const mostBytes = 64 * 1024 ** 2;
/** What is older goes. In milliseconds: a week. */
const keptMs = 7 * 24 * 3_600_000;
/** A longer call is kept by its title. In characters of JSON. */
const longestDeed = 64 * 1024;
/** Longer outputs are not kept. In characters. */
const mostOutput = 16_000;
const mostFiles = 100;
const mostRows = 20;

/** Keeps what agents ask about, what is predicted and what comes of it. Whatever cannot be kept is not: nothing here throws. */
export interface CallLog {
  /** A call is asked about. Gives its key, by which the rest of it is kept; `undefined`: it is not kept. */
  asked(call: HookCall, place: { cwd: string; shell: ShellName }, now: number): string | undefined;
  /** What was predicted and answered. `net`: the entry of the safety net. Its texts are read from the view. */
  predicted(key: string, said: { prediction: Prediction; view: View; net?: string }, answer: CallAnswer): Promise<void>;
  /** The call was answered without a prediction. */
  answered(key: string, answer: CallAnswer): void;
  /** It was made. */
  made(call: HookCall, observed: ObservedCall, entry: CalibrationEntry | undefined, now: number): void;
}

/** What an agent was answered. */
export interface CallAnswer {
  answer: HookAnswer;
  /** The agent did not wait for it. */
  isLate: boolean;
  /** Milliseconds since 1970. */
  now: number;
}

/** The log of this agent's session. `folder`: see `hookFolder`. */
export function createCallLog(folder: string, by: Speaker, cwd: string): CallLog {
  const place = callLogFolder(folder);
  const file = path.join(place, `${logName(by, cwd)}.jsonl`);
  const details = keptFiles(callDetailsFolder(folder));
  const add = (line: CallLine): boolean => {
    try {
      return append(file, line);
    } catch {
      return false;
    }
  };
  return {
    asked(call, { cwd: folderOfCall, shell }, now) {
      const key = randomBytes(10).toString('hex');
      return add(askedLine(call, by, { key, cwd: folderOfCall, shell, now })) ? key : undefined;
    },
    async predicted(key, { prediction, view, net }, answer) {
      const texts = await keptTexts(prediction.files, view).catch(() => []);
      const kept: CallDetails = { step: await keptStep(prediction), texts };
      forgetOld(callDetailsFolder(folder), answer.now);
      const isKept = details.write(key, kept);
      const told = isKept ? new Set(texts.map((one) => one.path)) : new Set<string>();
      add({
        ...answeredLine(key, answer),
        prediction: kernelOf(prediction, told),
        ...(net === undefined ? {} : { net }),
      });
    },
    answered: (key, answer) => void add(answeredLine(key, answer)),
    made({ id }, observed, entry, now) {
      if (id === undefined) return;
      const { output, exitCode } = observed;
      const length = output?.reduce((sum, { text }) => sum + text.length, 0) ?? 0;
      const kept = output?.map((piece) => ({ ...piece, text: redactAtOnce(piece.text).text }));
      add({
        ...{ version: 1, is: 'made', call: digestOf(id), at: new Date(now).toISOString() },
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(kept && length <= mostOutput ? { output: kept } : {}),
        hits: {
          output: entry?.output ?? 'unknown',
          exitCode: entry?.exitCode ?? 'unknown',
          files: entry?.files ?? 'unknown',
        },
      });
    },
  };
}

/** A session has a log of its own; where an agent has no name for it, a folder has one. */
function logName({ agent, session }: Speaker, cwd: string): string {
  return `${agent}-${digestOf(session ?? `folder ${cwd}`).slice(0, 24)}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}

function append(file: string, line: CallLine): boolean {
  const folder = path.dirname(file);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isPrivateFolder(folder)) return false;
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = fs.constants;
  const descriptor = fs.openSync(file, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
  try {
    const { size } = fs.fstatSync(descriptor);
    // One write: lines of several hooks do not mix.
    fs.writeSync(descriptor, `${JSON.stringify(line)}\n`);
    if (size === 0) forgetOld(folder, Date.parse(line.at));
    // Whoever has it open goes on writing there.
    if (size > mostLogBytes) fs.renameSync(file, file.replace(/\.jsonl$/, '.old.jsonl'));
  } finally {
    fs.closeSync(descriptor);
  }
  return true;
}

/** Takes away what is older than a week, and the oldest beyond the room that there is. */
function forgetOld(folder: string, now: number): void {
  try {
    const files = fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (!entry.isFile()) return [];
      const { mtimeMs, size } = fs.lstatSync(path.join(folder, entry.name));
      return [{ name: entry.name, mtimeMs, size }];
    });
    let room = mostBytes;
    for (const { name, mtimeMs, size } of files.sort((one, other) => other.mtimeMs - one.mtimeMs)) {
      room -= size;
      if (room < 0 || mtimeMs < now - keptMs) fs.rmSync(path.join(folder, name), { force: true });
    }
  } catch {
    // What cannot be listed is nothing that grows.
  }
}

function askedLine(
  { deed, id }: HookCall,
  { agent, session }: Speaker,
  { key, cwd, shell, now }: { key: string; cwd: string; shell: ShellName; now: number },
): AskedLine {
  const { kept, secrets } = deed.kind === 'command' ? keptCommand(deed.script, shell) : keptEdit(deed.call, deed.agent);
  const title = kept.kind === 'command' ? kept.script.slice(0, 4_000) : titleOfEdit(kept, cwd);
  return {
    ...{ version: 1, is: 'asked', key, at: new Date(now).toISOString(), agent },
    ...(id === undefined ? {} : { call: digestOf(id) }),
    ...(session === undefined ? {} : { session: session.slice(0, 200) }),
    ...{ cwd, kind: deed.kind, title: inSentence(title.trim(), 400) },
    ...(JSON.stringify(kept).length > longestDeed ? {} : { deed: kept }),
    secrets,
  };
}

function titleOfEdit({ call }: KeptDeed & { kind: 'edit' }, cwd: string): string {
  const file = readArguments(call).path;
  if (file === undefined) return editTitle({ kind: 'edit', changes: [], cwd, calls: [call] });
  return `${call.name} ${file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file}`;
}

function keptCommand(script: string, shell: ShellName): { kept: KeptDeed; secrets: number } {
  const { text, found } = redactAtOnce(script);
  return { kept: { kind: 'command', script: text, shell }, secrets: countIn(found) };
}

function keptEdit(
  call: KeptDeed extends infer Deed ? (Deed extends { call: infer Call } ? Call : never) : never,
  agent: (KeptDeed & { kind: 'edit' })['agent'],
): { kept: KeptDeed & { kind: 'edit' }; secrets: number } {
  const { path: file } = readArguments(call);
  let secrets = 0;
  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const { text, found } = redactAtOnce(value, file);
      secrets += countIn(found);
      return text;
    }
    if (Array.isArray(value)) return value.map(redact);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redact(one)]));
  };
  const kept = redact(call.arguments) as Record<string, unknown>;
  return { kept: { kind: 'edit', call: { name: call.name, arguments: kept }, agent }, secrets };
}

function countIn(found: readonly { count: number }[]): number {
  return found.reduce((sum, { count }) => sum + count, 0);
}

function answeredLine(key: string, { answer, isLate, now }: CallAnswer): PredictedLine {
  const told = 'toUser' in answer ? redactAtOnce(inSentence(answer.toUser, 600)).text : undefined;
  return {
    ...{ version: 1, is: 'predicted', key, at: new Date(now).toISOString(), answer: isLate ? 'late' : answer.kind },
    ...(told === undefined || isLate ? {} : { told }),
    ...(answer.kind === 'deny' && answer.code !== undefined && !isLate ? { code: answer.code } : {}),
  };
}

/** What of a prediction a row says. */
function kernelOf(prediction: Prediction, hasTexts: ReadonlySet<string>): NonNullable<PredictedLine['prediction']> {
  const { verdict, files, loss, exitCode, ending, diagnostics, durationMs } = prediction;
  const worst = { danger: 0, caution: 1, safe: 2 };
  const clean = (text: string) => redactAtOnce(inSentence(text, 600)).text;
  const lost = [...loss].sort((one, other) => Number(isLostForGood(other)) - Number(isLostForGood(one)));
  return {
    ending: ending ?? 'failed',
    headline: headlineOf(verdict, diagnostics),
    ...(verdict.level === undefined ? {} : { level: verdict.level }),
    verdict: verdictLine(prediction),
    reasons: [...verdict.reasons]
      .sort((one, other) => worst[one.level] - worst[other.level])
      .slice(0, mostRows)
      .map(({ level, text, evidence }) => ({
        level,
        text: clean(text),
        evidence: evidence.slice(0, 10).map(clean),
      })),
    ...(exitCode === undefined ? {} : { exitCode }),
    files: files.slice(0, mostFiles).map(({ path: name, change, from, type }) => ({
      ...{ path: name, change, type },
      ...(from === undefined ? {} : { from }),
      ...(hasTexts.has(name) ? { hasTexts: true } : {}),
    })),
    fileCount: files.length,
    loss: lost.slice(0, mostRows).map(({ path: name, why, recoverable, recovery }) => ({
      ...{ path: name, why: clean(why), recoverable: clean(recoverable), recovery },
    })),
    lossCount: loss.length,
    lostCount: loss.filter(isLostForGood).length,
    durationMs: durationMs ?? 0,
  };
}

/** The prediction as a trajectory has it, without secrets. */
async function keptStep(prediction: Prediction): Promise<StepPrediction> {
  const step = stepPrediction(prediction);
  const length = step.output.reduce((sum, { text = '' }) => sum + text.length, 0);
  const short = { ...step, output: length > mostOutput ? [] : step.output, files: step.files.slice(0, 2 * mostFiles) };
  return (await createRedactor().redact(short)) as StepPrediction;
}
