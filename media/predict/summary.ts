import type { Prediction } from '../../src/core/prediction/prediction.ts';
import type { Observed } from '../../src/protocol.ts';
import { counted } from '../shared/format.ts';
import type { ChangeTotals, FileTree } from './fileTree.ts';

/** How the verdict line looks: a level, or why there is none. */
export type VerdictTone =
  | ('safe' | 'caution' | 'danger' | 'fails' | 'newErrors' | 'unknown')
  | ('differs' | 'running' | 'failed' | 'cancelled');

/** The verdict as it is read in one second. */
export interface Headline {
  tone: VerdictTone;
  /** One word. */
  word: string;
  /** The most important sentence. */
  sentence: string;
  /** A second, calmer one: what the prediction rests on. */
  rests?: string;
}

const words: Record<VerdictTone, string> = {
  safe: 'SAFE',
  caution: 'CAUTION',
  danger: 'DANGER',
  running: 'PREDICTING',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
  unknown: 'UNKNOWN',
  fails: 'FAILS',
  newErrors: 'NEW ERRORS',
  differs: 'DIFFERS',
};

/** The verdict line of a prediction, finished or not. What really happened counts more than any prediction. */
export function headline(prediction: Prediction, tree: FileTree, observed?: Observed): Headline {
  if (observed?.differs?.length) return differsFrom(prediction, observed);
  const tone = toneOf(prediction);
  const base = { tone, word: words[tone] };
  if (tone === 'failed') return { ...base, sentence: prediction.endingReason ?? 'The prediction failed.' };
  if (tone === 'running' && prediction.asks !== undefined) {
    return { ...base, word: 'WAITING', sentence: 'A program waits for your answer.' };
  }
  if (tone === 'running') {
    return { ...base, sentence: prediction.progress?.text ?? 'Rehearsing the command on a copy …' };
  }
  const reason = prediction.verdict.reasons.find((each) => each.level === prediction.verdict.level);
  const changes = changeSentence(tree.all, tree.git);
  if (tone === 'cancelled') return { ...base, sentence: `Stopped before its end. Until then: ${lowerFirst(changes)}` };
  const sentence = reason?.text || gitSentence(prediction, tree) || changes;
  const rests = restsOn(prediction);
  return rests === undefined ? { ...base, sentence } : { ...base, sentence, rests };
}

function differsFrom(prediction: Prediction, { differs = [], exitCode, files = [] }: Observed): Headline {
  const wrong = files.filter((file) => !file.agrees).length;
  const parts = differs.map((what) => {
    if (what === 'exitCode') return `exit code ${exitCode} instead of ${prediction.exitCode}`;
    return what === 'output' ? 'another output' : `${counted(wrong, 'path')} not as predicted`;
  });
  const what = prediction.action.kind === 'edit' ? 'What was applied' : 'The real run';
  return {
    tone: 'differs',
    word: words.differs,
    sentence: `${what} differs from the prediction: ${parts.join(', ')}.`,
  };
}

/** What git did, where nothing but its own files changed: `Commits 2 files to main.` */
function gitSentence(prediction: Prediction, tree: FileTree): string | undefined {
  if (tree.all.files + tree.all.folders > 0) return undefined;
  const details = prediction.effects.filter((effect) => effect.effect === 'git').map((effect) => effect.detail);
  const first = details[0];
  if (first === undefined) return undefined;
  const more = details.length > 1 ? `, and ${counted(details.length - 1, 'more change')} of git` : '';
  return `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}${more}.`;
}

function toneOf(prediction: Prediction): VerdictTone {
  if (prediction.ending === 'failed') return 'failed';
  if (prediction.ending === 'cancelled') return 'cancelled';
  // What is already known to be dangerous is said at once; "safe" is said only at the end.
  if (prediction.ending === undefined) return prediction.verdict.level === 'danger' ? 'danger' : 'running';
  return prediction.verdict.level ?? 'unknown';
}

function restsOn(prediction: Prediction): string | undefined {
  const count = prediction.assumptions.length;
  if (count > 0) return `Rests on ${counted(count, 'assumption')}`;
  if (prediction.ending === 'abstained') return prediction.endingReason;
  return undefined;
}

/** `Creates 2 files, deletes 50,000 files and 12 folders.` or `Changes nothing.` */
export function changeSentence(all: ChangeTotals, git: ChangeTotals): string {
  const kinds = [
    ['deleted', 'Deletes'],
    ['modified', 'Modifies'],
    ['created', 'Creates'],
    ['renamed', 'Renames'],
    ['mode', 'Changes the mode of'],
  ] as const;
  const parts = kinds
    .filter(([kind]) => all[kind] > 0)
    .map(([kind, verb]) => {
      const folders = all.ofFolders[kind];
      const files = all[kind] - folders;
      const nouns = [files > 0 ? counted(files, 'file') : '', folders > 0 ? counted(folders, 'folder') : ''];
      return `${verb} ${nouns.filter(Boolean).join(' and ')}`;
    });
  if (git.files + git.folders > 0) parts.push(parts.length > 0 ? 'updates git' : 'Only updates git’s own files');
  if (parts.length === 0) return 'Changes no file.';
  return `${parts.map((part, index) => (index === 0 ? part : lowerFirst(part))).join(', ')}.`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
