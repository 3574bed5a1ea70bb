import { isNewError } from '../../src/core/consequences/isNewError.ts';
import type { HeadlineKind } from '../../src/core/facts/headline.ts';
import { onlyLooks } from '../../src/core/facts/onlyLooks.ts';
import type { Prediction, Reason } from '../../src/core/prediction/prediction.ts';
import { headlineOf } from '../../src/core/verdict/headlineOf.ts';
import { headlineWord } from '../../src/core/words/headlineText.ts';
import { counted } from '../shared/format.ts';
import type { ChangeTotals, FileTree } from './fileTree.ts';

/** What came of a real run. */
type RealTone = 'differs' | 'asPredicted';

/** How the verdict line looks: a headline, or why there is none. */
export type VerdictTone = HeadlineKind | RealTone | 'running' | 'checking' | 'failed' | 'cancelled' | 'waiting';

/** What is known beside the prediction itself. */
export interface Beside {
  /** Of an edit: errors that are new, as language services say; `isOpen`: they are still asked. */
  checked?: { newErrors: number; isOpen: boolean } | undefined;
  /** What was asked has its answer. */
  answered?: boolean;
}

/** The verdict as it is read in one second. */
export interface Headline {
  tone: VerdictTone;
  /** One word. */
  word: string;
  /** The most important sentence. */
  sentence: string;
  /** The reason of the verdict whose sentence it is. */
  reason?: Reason | undefined;
  /** A second, calmer one: what the prediction rests on. */
  rests?: string;
}

const words: Record<Exclude<VerdictTone, HeadlineKind | RealTone>, string> = {
  running: 'PREDICTING',
  checking: 'CHECKING',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
  waiting: 'WAITING',
};

/** The verdict line of a prediction, finished or not, as long as it was not run for real: see `realHeadline`. */
export function headline(prediction: Prediction, tree: FileTree, { checked, answered }: Beside = {}): Headline {
  const tone = toneOf(prediction, checked);
  const newErrors = Math.max(checked?.newErrors ?? 0, (prediction.diagnostics ?? []).filter(isNewError).length);
  const base = { tone, word: isHeadline(tone) ? headlineWord(tone, newErrors) : words[tone] };
  if (tone === 'failed') return { ...base, sentence: prediction.endingReason ?? 'The prediction failed.' };
  if (tone === 'running' && prediction.asks !== undefined && !answered) {
    return { ...base, tone: 'waiting', word: words.waiting, sentence: 'A program waits for your answer.' };
  }
  if (tone === 'running') {
    return { ...base, sentence: prediction.progress?.text ?? 'Rehearsing the command on a copy …' };
  }
  const { level, reasons } = prediction.verdict;
  // What the headline is about comes first.
  const reason = reasons.find((each) => each.kind === tone) ?? reasons.find((each) => each.level === level);
  const changes = changeSentence(tree.all, tree.git);
  if (tone === 'checking') return { ...base, sentence: `${changes} Looking for errors that it would bring …` };
  if (tone === 'cancelled') return { ...base, sentence: `Stopped before its end. By then it had ${changed(tree)}` };
  // The headline says that already.
  const rests = restsOn(prediction, reason);
  if (reason && isOfAssumption(reason)) {
    const several = prediction.assumptions.length > 1 ? `${rests}.` : undefined;
    return { ...base, sentence: several ?? reason.text, reason };
  }
  const said = allLost(reason, prediction) ?? gitSentence(prediction, tree) ?? changes;
  // What fails can have lost or changed something all the same.
  const sentence =
    tone === 'fails' && prediction.ending === 'done' ? `${said} ${textOf(reasons.filter(isLoss)) || changes}` : said;
  return { ...base, sentence, reason, ...(rests === undefined ? {} : { rests }) };
}

/** The sentence of a reason; of files that are lost with those that are lost in other ways, or weigh less: the list below has all. */
function allLost(reason: Reason | undefined, { verdict }: Prediction): string | undefined {
  if (!reason || !isLoss(reason)) return reason?.text;
  const others = verdict.reasons.filter((other) => other !== reason && isLoss(other));
  return textOf([reason, ...others]);
}

const isLoss = ({ fact }: Reason) => fact?.kind === 'filesLost';
const textOf = (reasons: readonly Reason[]) => reasons.map(({ text }) => text).join(' ');

/** It says only that something is not known of a program that was not run. */
export function isOfAssumption({ fact }: Reason): boolean {
  return fact?.kind === 'incomplete' && fact.doubt?.kind === 'assumption';
}

/** `created 2 files and 1 folder.`: what is done. */
export function changed({ all, git }: FileTree): string {
  return changesText(all, git, 'd');
}

/** What git did, where nothing but its own files changed: `Commits 2 files to main.` */
function gitSentence(prediction: Prediction, tree: FileTree): string | undefined {
  if (tree.all.files + tree.all.folders > 0) return undefined;
  const details = prediction.effects.filter((effect) => effect.effect === 'git').map((effect) => effect.detail);
  const first = details[0];
  if (first === undefined) return undefined;
  const more = details.length > 1 ? `, and ${counted(details.length - 1, 'more change')} of git` : '';
  return upperFirst(`${first}${more}.`);
}

const isHeadline = (tone: Exclude<VerdictTone, RealTone>): tone is HeadlineKind => !Object.hasOwn(words, tone);

function toneOf(
  { ending, verdict, diagnostics }: Prediction,
  checked: Beside['checked'],
): Exclude<VerdictTone, RealTone> {
  // What is known to be dangerous is said at once, also of what was stopped; "safe" is said only at the end.
  if (verdict.level === 'danger') return 'danger';
  if (ending === 'failed' || ending === 'cancelled') return ending;
  if (ending === undefined) return 'running';
  const tone = headlineOf(verdict, diagnostics);
  if (tone === 'fails' || !checked) return tone;
  if (checked.newErrors > 0) return 'newErrors';
  return tone === 'safe' && checked.isOpen ? 'checking' : tone;
}

function restsOn(prediction: Prediction, reason: Reason | undefined): string | undefined {
  const count = prediction.assumptions.filter(({ cause }) => cause !== 'looked-at').length;
  if (onlyLooks(prediction.assumptions)) return 'Rests on what a server said';
  if (count > 0)
    return count > 1 ? `What ${counted(count, 'program')} do is not known` : 'What one program does is not known';
  const { ending, verdict } = prediction;
  // A reason that something is not complete says already what that is.
  const isSaid = ending === 'failed' && verdict.reasons.some(({ kind }) => kind === 'incomplete');
  if (ending === 'cancelled' || isSaid) return 'Not predicted to its end';
  if (ending !== 'done' && reason?.kind !== 'incomplete') return prediction.endingReason;
  return undefined;
}

/** `Creates 2 files, deletes 50,000 files and 12 folders.` or `Changes no file.` */
export function changeSentence(all: ChangeTotals, git: ChangeTotals): string {
  return upperFirst(changesText(all, git, 's'));
}

/** The same in small letters; `ending`: of each verb, `d` where all is over: `created 2 files.` */
function changesText(all: ChangeTotals, git: ChangeTotals, ending: 's' | 'd'): string {
  const kinds = [
    ['deleted', 'delete', ''],
    ['modified', 'modifie', ''],
    ['created', 'create', ''],
    ['renamed', 'rename', ''],
    ['mode', 'change', ' the mode of'],
  ] as const;
  const parts = kinds
    .filter(([kind]) => all[kind] > 0)
    .map(([kind, verb, of]) => {
      const folders = all.ofFolders[kind];
      const files = all[kind] - folders;
      const nouns = [files > 0 ? counted(files, 'file') : '', folders > 0 ? counted(folders, 'folder') : ''];
      return `${verb}${ending}${of} ${nouns.filter(Boolean).join(' and ')}`;
    });
  const updates = `update${ending}`;
  if (git.files + git.folders > 0) parts.push(parts.length > 0 ? `${updates} git` : `only ${updates} git’s own files`);
  return `${parts.join(', ') || `change${ending} no file`}.`;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
