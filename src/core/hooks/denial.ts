import { mayBeSafer, proveSafer, type Safer } from '../alternatives/proveSafer.ts';
import { keepingStamp } from '../alternatives/saferCandidates.ts';
import { homeFolder } from '../context/user.ts';
import type { Consent } from '../facts/consent.ts';
import { isLostForGood } from '../facts/recovery.ts';
import type { Foretell } from '../foretell.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { quoteWord } from '../shell/quoteWord.ts';
import { saferText } from '../words/alternativeText.ts';
import { isUnweighed } from './judgeCall.ts';

/** Below this nothing can be proven. In milliseconds. */
const leastMs = 250;

/** What is left of the time of a call, and what it is predicted with. */
export interface SaferGrounds {
  foretell: Foretell;
  env: Readonly<Record<string, string | undefined>>;
  consent?: Consent | undefined;
  /** Milliseconds. */
  leftMs: number;
  signal: AbortSignal;
  now: number;
}

/** A command in the place of a denied one that a rehearsal proves to lose nothing; `undefined`: none, or not in time. */
export async function saferInTime(prediction: Prediction, grounds: SaferGrounds): Promise<Safer | undefined> {
  const { foretell, env, consent, leftMs, now } = grounds;
  if (leftMs < leastMs || !mayBeSafer(prediction)) return undefined;
  const abort = new AbortController();
  const signal = AbortSignal.any([grounds.signal, abort.signal]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), leftMs);
  });
  const shared = { trusted: true, ...(consent ? { consent } : {}), limits: { wallMs: leftMs }, signal };
  const place = { home: homeFolder(env), stamp: keepingStamp(new Date(now)) };
  try {
    const proving = proveSafer(foretell, prediction, shared, place, { isOfNow: true, enough: 1 }).catch(() => []);
    const found = await Promise.race([proving, late]);
    return found?.find(({ level }) => level !== 'danger');
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}

/** What an agent is told whose call is denied. */
export interface Denial {
  /** Why: the sentence of a rule, or empty where the verdict says it. */
  rule: string;
  /** The prediction in words. */
  text: string;
  prediction: Prediction;
  safer: Safer | undefined;
  /** With which the user lets it through; absent: nobody does. */
  code: string | undefined;
}

/** The text of a denial, for the agent. */
export function denialText({ rule, text, prediction, safer, code }: Denial): string {
  const why = rule === '' ? '' : `${rule}\n`;
  const release =
    code === undefined
      ? ''
      : `\nIf the user wants exactly this effect, ask them to type this in a terminal of their own: foretell allow ${code}\nIt counts once, for this folder, for ten minutes; then make the same call again. It is refused to agents.`;
  return `Foretell denied this call; nothing was touched. ${why}What it would do:\n${text}\n${adviceText(prediction, safer)}${onwardText(prediction)}${release}`;
}

function onwardText(prediction: Prediction): string {
  return prediction.verdict.level !== 'danger' && isUnweighed(prediction)
    ? 'There was no time to find out whether what it deletes or changes exists elsewhere too. Make the same call again: mostly it is known by then.'
    : 'Do not look for another command with the same effect: it is the effect that is denied.';
}

function adviceText({ loss }: Prediction, safer: Safer | undefined): string {
  if (safer) return `A safer command: ${safer.script}\n${saferText(safer.keeps, safer.saves)}\n`;
  const lost = loss.filter((one) => isLostForGood(one) && one.going !== undefined);
  const names = lost.slice(0, 10).map(({ path }) => quoteWord(path));
  if (names.length === 0) return '';
  return `A safer way: keep the content somewhere else first (mv or cp -a ${names.join(' ')}${lost.length > names.length ? ' …' : ''}), or leave these paths out.\n`;
}

/** Of a call that would change what Foretell lets through. */
export const guardText =
  'Foretell denied this call; nothing was touched. It would change what Foretell itself lets through, and only the user may do that.';
