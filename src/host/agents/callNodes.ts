import path from 'node:path';
import * as vscode from 'vscode';
import type { CallOutcome } from '../../core/facts/callOutcome.ts';
import type { HeadlineKind } from '../../core/facts/headline.ts';
import { isLostForGood } from '../../core/facts/recovery.ts';
import type { AgentCall } from '../../core/hooks/calls/agentCall.ts';
import { printable } from '../../core/prediction/text/printable.ts';
import { countOf, inSentence } from '../../core/view/quantity.ts';
import {
  callCountsText,
  callHeadlineText,
  callOutcomeSentence,
  callOutcomeText,
} from '../../core/words/agentCallText.ts';
import { lostTitle } from '../../core/words/recoveryText.ts';
import { headlineIcons } from '../headlineIcons.ts';

/** Colours that themes have for it; the rest has none. */
const colours: Partial<Record<HeadlineKind, string>> = {
  safe: 'testing.iconPassed',
  caution: 'problemsWarningIcon.foreground',
  fails: 'problemsWarningIcon.foreground',
  newErrors: 'problemsWarningIcon.foreground',
  danger: 'problemsErrorIcon.foreground',
};

const outcomeIcons: Readonly<Record<CallOutcome['kind'], string>> = {
  predicting: 'loading~spin',
  unpredicted: 'question',
  denied: 'circle-slash',
  madeAnyway: 'alert',
  waiting: 'watch',
  untold: 'question',
  agrees: 'check',
  differs: 'diff',
  unchecked: 'dash',
};

/** What one row below a call says. */
export interface CallFact {
  label: string;
  description?: string;
  icon: vscode.ThemeIcon;
  /** Of a file whose texts are kept: absolute. */
  diff?: string;
  command?: vscode.Command;
  contextValue?: string;
}

/** The row of a call. What agents write is text: neither an icon nor a link is made of it. */
export function callItem(call: AgentCall, outcome: CallOutcome): vscode.TreeItem {
  const { asked, answered } = call;
  const prediction = answered?.prediction;
  const at = new Date(asked.at).toLocaleTimeString();
  const headline = callHeadlineText(prediction?.headline);
  const counts = prediction ? callCountsText(prediction) : '';
  const title = asText(asked.title);
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
  const isEarly = outcome.kind === 'predicting';
  const said = [...(isEarly ? [] : [headline]), callOutcomeText(outcome), ...(counts === '' ? [] : [counts])];
  item.id = asked.key;
  item.description = [...said, at].join(' · ');
  item.iconPath = headlineIcon(prediction?.headline, outcome);
  item.contextValue = contextOf(call);
  item.command = { command: 'foretell.agents.openCall', title: 'Show Kept Prediction', arguments: [asked.key] };
  const kind = asked.kind === 'command' ? 'Command' : 'Edit';
  item.accessibilityInformation = { label: `${said.join(', ')}. ${kind}: ${title}. ${at}` };
  return item;
}

/** The hover of a call: all text. */
export function callHover({ asked, answered }: AgentCall, outcome: CallOutcome): string {
  const prediction = answered?.prediction;
  const deed = asked.deed?.kind === 'command' ? asked.deed.script : asked.title;
  const loss = (prediction?.loss ?? []).slice(0, 5).map(({ path: name, why, recoverable, recovery }) => {
    const way = isLostForGood({ recovery }) ? lostTitle([{ recovery }]).toLowerCase() : `recoverable: ${recoverable}`;
    return `${asText(name)} (${why}); ${way}`;
  });
  const more = (prediction?.lossCount ?? 0) - loss.length;
  return [
    printable(deed.slice(0, 1_000), true),
    '',
    ...(prediction ? [asText(prediction.verdict)] : []),
    ...(prediction?.reasons ?? [])
      .slice(0, 5)
      .flatMap(({ evidence }) => evidence.slice(0, 3).map((one) => `    ${shownPath(asked.cwd, one)}`)),
    ...loss,
    ...(loss.length > 0 && more > 0 ? [`and ${countOf(more, 'more', 'more')}`] : []),
    callOutcomeSentence(outcome),
  ].join('\n');
}

/** What stands below a call: what came of it, why, what is lost, the files. */
export function callFacts(call: AgentCall, outcome: CallOutcome): CallFact[] {
  const { asked, answered } = call;
  const prediction = answered?.prediction;
  const facts: CallFact[] = [
    { label: callOutcomeSentence(outcome), icon: new vscode.ThemeIcon(outcomeIcons[outcome.kind]) },
  ];
  if (answered?.code !== undefined && outcome.kind === 'denied')
    facts.push({
      label: `foretell allow ${answered.code}`,
      description: 'in a terminal of your own lets exactly this effect through, once; it is copied when chosen',
      icon: new vscode.ThemeIcon('key'),
      command: { command: 'foretell.agents.copyRelease', title: 'Copy Release', arguments: [asked.key] },
    });
  if (answered?.net !== undefined)
    facts.push({
      label: 'What it loses is kept',
      description: 'for a week; choose it to restore',
      icon: new vscode.ThemeIcon('history'),
      command: { command: 'foretell.agents.restore', title: 'Restore', arguments: [asked.key] },
    });
  if (!prediction) return facts;
  const { reasons, loss, lossCount, files, fileCount } = prediction;
  for (const { level, text } of reasons) facts.push({ label: asText(text), icon: levelIcon(level) });
  for (const { path: name, why, recoverable, recovery } of loss)
    facts.push({
      label: shownPath(asked.cwd, name),
      description: `${why}; ${isLostForGood({ recovery }) ? lostTitle([{ recovery }]).toLowerCase() : `recoverable: ${recoverable}`}`,
      icon: isLostForGood({ recovery }) ? new vscode.ThemeIcon('trash') : new vscode.ThemeIcon('discard'),
    });
  facts.push(...restOf(loss.length, lossCount, 'would be lost'));
  for (const { path: name, change, from, hasTexts } of files)
    facts.push({
      label: shownPath(asked.cwd, name),
      description: from === undefined ? change : `${change} from ${shownPath(asked.cwd, from)}`,
      icon: new vscode.ThemeIcon('file'),
      ...(hasTexts
        ? {
            diff: name,
            contextValue: 'file',
            command: {
              command: 'foretell.agents.openDiff',
              title: 'Open Predicted Diff',
              arguments: [asked.key, name],
            },
          }
        : {}),
    });
  facts.push(...restOf(files.length, fileCount, 'change'));
  return facts;
}

function restOf(shown: number, all: number, what: string): CallFact[] {
  if (all <= shown) return [];
  return [{ label: `and ${countOf(all - shown, 'more path')} that ${what}`, icon: new vscode.ThemeIcon('ellipsis') }];
}

/** What can be done with a call, for `when` clauses. */
function contextOf({ asked, answered }: AgentCall): string {
  const words = ['call'];
  if (asked.deed) words.push('whole');
  if (answered?.prediction?.files.some(({ hasTexts }) => hasTexts)) words.push('diff');
  if (answered?.net !== undefined) words.push('kept');
  if (answered?.code !== undefined) words.push('release');
  return words.join(' ');
}

function headlineIcon(headline: HeadlineKind | undefined, outcome: CallOutcome): vscode.ThemeIcon {
  if (headline === undefined) return new vscode.ThemeIcon(outcome.kind === 'predicting' ? 'loading~spin' : 'question');
  const colour = colours[headline];
  return new vscode.ThemeIcon(headlineIcons[headline], colour ? new vscode.ThemeColor(colour) : undefined);
}

function levelIcon(level: 'safe' | 'caution' | 'danger'): vscode.ThemeIcon {
  return headlineIcon(level, { kind: 'unchecked' });
}

function shownPath(cwd: string, file: string): string {
  return asText(file.startsWith(`${cwd}/`) ? path.relative(cwd, file) : file);
}

/** On one line, with what would paint or turn it made visible. */
function asText(text: string): string {
  return inSentence(printable(text), 300);
}
