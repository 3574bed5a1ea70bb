import fs from 'node:fs';
import path from 'node:path';
import type { EditAction } from '../action/action.ts';
import { readArguments } from '../action/edit/callArguments.ts';
import type { PolicyDecision } from '../facts/policyFact.ts';
import { isLostForGood } from '../facts/recovery.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { programName } from '../programs/programName.ts';
import { programNamed } from '../programs/programOf.ts';
import { headlineOf } from '../verdict/headlineOf.ts';

/** When an agent is told what its call would do: of every change of files too, or only where there is something to say. */
export type TellWhen = 'changes' | 'caution' | 'danger';

/** What comes of a predicted call. */
export type CallJudgement = 'pass' | 'tell' | 'allow' | 'deny' | 'guard';

/** What is known of a call besides its prediction. */
export interface CallGrounds {
  tell: TellWhen;
  /** Everything that would be lost was written by the agent itself. */
  isOwnWork: boolean;
  /** The user has let exactly this effect through. */
  isReleased: boolean;
  /** Files that decide what is let through: no call may change them, whoever allows it. Absolute; folders with what is below. */
  guarded: readonly string[];
  /** What the policies say of it. */
  decision: PolicyDecision['kind'];
}

/**
 * What comes of a call. Danger is denied: of the other words that agents know for it, one half of them ignores each. Words of
 * the command play no part; the facts of the prediction decide.
 */
export function judgeCall(
  prediction: Prediction,
  { tell, isOwnWork, isReleased, guarded, decision }: CallGrounds,
): CallJudgement {
  const { verdict, files, action } = prediction;
  if (touches(prediction, guarded) || letsThrough(prediction)) return 'guard';
  if (decision === 'deny') return 'deny';
  if (decision === 'allow') return 'allow';
  if ((decision === 'ask' || decision === 'unreadable') && !isReleased) return 'deny';
  const worrying = verdict.reasons.filter(({ level }) => level !== 'safe');
  const isOwn = isOwnWork && worrying.every(({ kind }) => kind === 'filesLost');
  if (verdict.level === 'danger') {
    if (isReleased) return tell === 'danger' ? 'pass' : 'tell';
    if (!isOwn) return 'deny';
  }
  if (isUnweighed(prediction) && !isReleased) return 'deny';
  if (tell === 'danger') return 'pass';
  const showsChange = tell === 'changes' && action.kind === 'command' && files.length > 0;
  if (showsChange) return 'tell';
  if (isOwn) return 'pass';
  // Whoever edits lines has just said which ones.
  const isPlainEdit =
    action.kind === 'edit' && worrying.every(({ fact }) => fact.kind === 'filesLost' && fact.going === 'edited');
  if (isPlainEdit && verdict.level !== undefined) return 'pass';
  return headlineOf(verdict, prediction.diagnostics) === 'safe' ? 'pass' : 'tell';
}

/** Whether content is known to go, by files, by the words of a program or by an edit, and there was no time to find out whether it exists elsewhere. */
export function isUnweighed({ failed, files, verdict, action }: Prediction): boolean {
  if (failed?.kind !== 'due' || !failed.unweighed) return false;
  if (files.length === 0 && action.kind === 'edit' && mayReplace(action)) return true;
  const goesByWords = verdict.reasons.some(
    ({ level, fact }) =>
      level !== 'safe' &&
      fact.kind === 'program' &&
      fact.outcome === undefined &&
      fact.elsewhere === undefined &&
      takesAway(fact.head),
  );
  return goesByWords || files.some(({ change }) => change === 'deleted' || change === 'modified');
}

/** Whether an edit of which nothing was computed may put something in the place of what is there. Whoever replaces lines has said which. */
function mayReplace({ calls = [], cwd = '/' }: EditAction): boolean {
  return calls.some((call) => {
    const { path: named, replacements } = readArguments(call);
    return replacements.length === 0 && (named === undefined || fs.existsSync(path.resolve(cwd, named)));
  });
}

/** Whether a program of this name takes files away as it is told, and nothing else. */
function takesAway(head: string): boolean {
  const { planned } = programNamed(programName(head.split(' ', 1)[0] ?? '')) ?? {};
  return planned !== undefined && planned !== 'nothing';
}

/** Whether what is guarded would be changed. */
function touches({ files, loss }: Prediction, guarded: readonly string[]): boolean {
  const isGuarded = (path: string | undefined) =>
    path !== undefined &&
    guarded.some((one) => path === one || path.startsWith(`${one}/`) || one.startsWith(`${path}/`));
  // A folder above is only touched where it goes as a whole.
  const isAt = (path: string | undefined) => guarded.some((one) => path === one || path?.startsWith(`${one}/`));
  return (
    files.some(({ path, from, change }) =>
      change === 'deleted' || change === 'renamed' ? isGuarded(path) || isGuarded(from) : isAt(path) || isAt(from),
    ) || loss.some((one) => isLostForGood(one) && isAt(one.path))
  );
}

/** `foretell allow …` and what gives consent or makes policies are for the user alone; a program is known by its words as they would be run, however they were written. */
function letsThrough({ programs, files }: Prediction): boolean {
  return programs.some(({ argv, cwd }) =>
    argv.some((word, at) => forUser.has(word) && leadsToUs(argv[at - 1] ?? '', cwd, files)),
  );
}

/** Whether a word names our command line, also through a link that is there or that the call itself makes. */
function leadsToUs(word: string, cwd: string, files: Prediction['files']): boolean {
  const isOurs = (file: string) => /(?:^|\/)(?:foretell|cli\.js)$/.test(file);
  if (isOurs(word)) return true;
  const named = path.resolve(cwd, word);
  const made = files.find((file) => file.path === named && file.type === 'symlink')?.target;
  if (made !== undefined) return isOurs(made);
  try {
    return isOurs(fs.realpathSync(named));
  } catch {
    return false;
  }
}

const forUser: ReadonlySet<string> = new Set(['allow', 'consent', 'policy']);
