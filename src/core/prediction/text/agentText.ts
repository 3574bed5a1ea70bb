import { isNewError } from '../../consequences/isNewError.ts';
import { redactAtOnce } from '../../context/secrets/redactForPrompt.ts';
import { isLostForGood } from '../../facts/recovery.ts';
import { headlineOf } from '../../verdict/headlineOf.ts';
import type { FileChange } from '../../view/fileChange.ts';
import { countOf, formatBytes, inSentence } from '../../view/quantity.ts';
import type { View } from '../../view/view.ts';
import { notKnownClause } from '../../words/assumptionText.ts';
import { headlineWord } from '../../words/headlineText.ts';
import { programText } from '../../words/programText.ts';
import { wayBack } from '../../words/recoveryText.ts';
import type { Prediction } from '../prediction.ts';
import { cutLines, unifiedDiff } from './unifiedDiff.ts';

/** How many paths of a list are named; the others are counted. */
const mostNamed = 10;
/** A file that is larger is told by its size. In bytes. */
const mostFileBytes = 256 * 1024;
const mostDiffs = 20;

/** What of a prediction is told to an agent. */
export interface AgentTextOptions {
  /** Absolute; paths below it are told relative to it. */
  cwd: string;
  /** Longest text, in characters. */
  most: number;
  /** Where contents are read from; without it there is no difference. */
  view?: View;
}

/** What an action would do, short and in plain text, for whoever reads it instead of a person: a model. Without secrets. */
export async function agentText(prediction: Prediction, { cwd, most, view }: AgentTextOptions): Promise<string> {
  const head = [
    ...verdictLines(prediction),
    ...lossLines(prediction, cwd),
    ...unknownLines(prediction),
    ...fileLines(prediction, cwd),
  ];
  const text = cutLines(head, most);
  const room = most - text.length - 1;
  const diff = view && room > 200 ? await diffText(prediction, { cwd, most: room, view }) : '';
  return diff === '' ? text : `${text}\n${diff}`;
}

/** The verdict with its reasons: the first line says the word. */
export function verdictLines({ verdict, diagnostics = [], endingReason }: Prediction): string[] {
  if (verdict.level === undefined) return [endingReason ?? 'There is no verdict.'];
  const word = headlineWord(headlineOf(verdict, diagnostics), diagnostics.filter(isNewError).length);
  const [first, ...others] = verdict.reasons.map(({ text }) => redactAtOnce(inSentence(text, 600)).text);
  return [`${word}: ${first ?? endingReason ?? ''}`, ...others.map((text) => `Also: ${text}`)];
}

/** What is lost for good, path by path, and from where the rest comes back. */
function lossLines({ loss }: Prediction, cwd: string): string[] {
  const lost = loss.filter(isLostForGood);
  const lines = lost.slice(0, mostNamed).map((one) => {
    const size = !one.lines ? formatBytes(one.sizeBytes) : countOf(one.lines, 'line');
    return `- ${short(one.path, cwd)} (${size}, ${redactAtOnce(one.why).text})`;
  });
  if (lost.length > mostNamed) lines.push(`- and ${countOf(lost.length - mostNamed, 'more path', 'more paths')}`);
  if (lines.length > 0) lines.unshift('Lost for good:');
  const ways = new Map<string, number>();
  for (const { recovery } of loss) {
    if (recovery.kind === 'none') continue;
    const { command } = recovery;
    const way = wayBack(recovery);
    const told = command === undefined || way.includes(command) ? way : `${way}: ${command}`;
    ways.set(told, (ways.get(told) ?? 0) + 1);
  }
  if (ways.size > 0) lines.push('Can be brought back:');
  for (const [way, count] of [...ways].slice(0, mostNamed))
    lines.push(`- ${countOf(count, 'path')} ${inSentence(way)}`);
  return lines;
}

function unknownLines({ assumptions, otherwise }: Prediction): string[] {
  const lines = assumptions
    .slice(0, mostNamed)
    .map(({ assumes, assumed, notKnown = assumed, unknown, why, ...program }) => {
      const clause = assumes === undefined ? notKnown : notKnownClause('it', assumes, unknown);
      return `- ${inSentence(redactAtOnce(programText(program)).text)}: ${clause} (${why})`;
    });
  if (assumptions.length > mostNamed) lines.push(`- and ${countOf(assumptions.length - mostNamed, 'more program')}`);
  for (const { detail, programExit = 1, ...program } of otherwise.slice(0, mostNamed)) {
    const ended = programExit === 0 ? 'succeeded' : 'failed';
    lines.push(`- if ${inSentence(redactAtOnce(programText(program)).text)} ${ended}: ${inSentence(detail)}`);
  }
  return lines.length === 0 ? [] : ['Not known:', ...lines];
}

const badges: Record<FileChange['change'], string> = {
  created: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  mode: 'mode',
};

function fileLines({ files }: Prediction, cwd: string): string[] {
  if (files.length === 0) return [];
  const lines = files.slice(0, 2 * mostNamed).map(({ change, path, from, mode, before, basis, volatile }) => {
    const moved = from === undefined ? '' : `${short(from, cwd)} → `;
    const modes = change === 'mode' ? ` ${before?.mode ?? ''} → ${mode}` : '';
    const unsure =
      basis === 'unknown' || basis === 'assumed' ? ` (${basis})` : volatile ? ' (differs from run to run)' : '';
    return `${badges[change]} ${moved}${short(path, cwd)}${modes}${unsure}`;
  });
  if (files.length > lines.length) lines.push(`and ${countOf(files.length - lines.length, 'more path')}`);
  return ['Files:', ...lines];
}

async function diffText({ files }: Prediction, { cwd, most, view }: Required<AgentTextOptions>): Promise<string> {
  const parts: string[] = [];
  let room = most;
  const changed = files.filter(
    ({ type, change, basis }) => type === 'file' && change !== 'mode' && basis !== 'unknown',
  );
  for (const { path, from = path, change } of changed.slice(0, mostDiffs)) {
    if (room < 200) break;
    const before = change === 'created' ? undefined : await textAt(view, from, 'before');
    const after = change === 'deleted' ? undefined : await textAt(view, path, 'after');
    if (before === null || after === null || (before === undefined && after === undefined)) continue;
    const [old, now] = [before, after].map((text) => text && redactAtOnce(text, path).text);
    const body = unifiedDiff(old, now, room - 2 * path.length - 20);
    if (body === '') continue;
    const name = (side: string, at: string, text: string | undefined) =>
      text === undefined ? '/dev/null' : `${side}/${short(at, cwd)}`;
    const part = `--- ${name('a', from, before)}\n+++ ${name('b', path, after)}\n${body}`;
    parts.push(part);
    room -= part.length + 1;
  }
  return parts.join('\n');
}

/** `null`: it is no text, or too large; `undefined`: no file is there. */
async function textAt(view: View, path: string, moment: 'before' | 'after'): Promise<string | null | undefined> {
  const bytes = await view.read(path, moment, mostFileBytes + 1);
  if (bytes === undefined) return undefined;
  if (bytes.length > mostFileBytes) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function short(path: string, cwd: string): string {
  return inSentence(path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path);
}
