import { printable } from '../../prediction/text/printable.ts';
import { patchText } from '../../view/patchText.ts';
import { countOf } from '../../view/quantity.ts';
import { callHeadlineText, callOutcomeSentence } from '../../words/agentCallText.ts';
import { agentSettings } from '../settings/agentSettings.ts';
import { type AgentCall, outcomeOf } from './agentCall.ts';
import type { CallDetails } from './callDetails.ts';

/** When a call was made, where, and what else is around it. */
export interface CallTextOptions {
  /** Milliseconds since 1970. */
  now: number;
  /** See `isAwaited`. */
  awaited: boolean;
  details: CallDetails | undefined;
}

/** Everything that is kept of a call, as a text for people. */
export function callText(call: AgentCall, { now, awaited, details }: CallTextOptions): string {
  const { asked, answered, made } = call;
  const { deed, secrets, cwd } = asked;
  const head = [
    `${agentSettings[asked.agent].title}, ${new Date(asked.at).toLocaleString()}, in ${printable(cwd)}`,
    callOutcomeSentence(outcomeOf(call, now, awaited)),
    ...(answered?.code === undefined
      ? []
      : [`To let exactly this effect through once, type in a terminal of your own: foretell allow ${answered.code}`]),
    ...(answered?.net === undefined ? [] : [`What it loses is kept: foretell restore ${answered.net}`]),
    ...(secrets > 0 ? [`${countOf(secrets, 'secret')} taken out.`] : []),
  ];
  const deedText =
    deed === undefined
      ? asked.title
      : deed.kind === 'command'
        ? deed.script
        : `${deed.call.name}\n${JSON.stringify(deed.call.arguments, null, 2)}`;
  const parts = [
    head.join('\n'),
    section(asked.kind === 'command' ? 'Command' : 'Edit', deedText),
    predictionPart(call),
    details ? diffPart(details, cwd) : '',
    details ? section('Predicted output', details.step.output.map(({ text = '' }) => text).join('')) : '',
    section('Observed output', made?.output?.map(({ text }) => text).join('') ?? ''),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function predictionPart({ answered, asked }: AgentCall): string {
  const prediction = answered?.prediction;
  if (!prediction) return '';
  const name = (file: string) => printable(nameIn(asked.cwd, file));
  const { reasons, loss, lossCount, files, fileCount, exitCode, verdict, headline } = prediction;
  const more = (shown: number, all: number) => (all > shown ? [`  and ${countOf(all - shown, 'more', 'more')}`] : []);
  const lines = [
    verdict === '' ? callHeadlineText(headline) : printable(verdict),
    ...reasons.flatMap(({ text, evidence }) => [`  ${printable(text)}`, ...evidence.map((one) => `    ${name(one)}`)]),
    ...(loss.length > 0 ? ['Loss'] : []),
    ...loss.map(({ path, why, recoverable }) => `  ${name(path)} (${why}); recoverable: ${recoverable}`),
    ...more(loss.length, lossCount),
    ...(files.length > 0 ? ['Files'] : []),
    ...files.map(
      ({ path, change, from }) => `  ${change} ${from === undefined ? '' : `${name(from)} → `}${name(path)}`,
    ),
    ...more(files.length, fileCount),
    ...(exitCode === undefined ? [] : [`Exit code ${exitCode}`]),
  ];
  return section('Predicted', lines.join('\n'));
}

function diffPart({ texts }: CallDetails, cwd: string): string {
  const diffs = texts.map(({ path, before, after }) => patchText(nameIn(cwd, path), before, after).text);
  return section('Predicted difference', diffs.join(''));
}

function nameIn(cwd: string, file: string): string {
  return file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file;
}

function section(title: string, text: string): string {
  return text.trim() === ''
    ? ''
    : `${title}\n${'─'.repeat(title.length)}\n${printable(text.replace(/\n+$/, ''), true)}`;
}
