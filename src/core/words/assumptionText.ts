import type { AssumedPart, AssumptionReason } from '../facts/assumption.ts';
import { showCall } from '../shell/quoteWord.ts';
import { clockText } from './clockText.ts';
import { faultClause } from './faultText.ts';
import { asSentence } from './sentence.ts';

/** What is assumed of a program, as a clause whose subject it is: `exits 0, prints nothing; what it changes is unknown`. */
export function assumedText(parts: readonly AssumedPart[], unknown: readonly ('output' | 'changes')[] = []): string {
  const text = withRule(parts.flatMap(partText).join(', '), parts);
  const open = [...(unknown.includes('output') ? ['prints'] : []), ...(unknown.includes('changes') ? ['changes'] : [])];
  return open.length === 0 ? text : `${text}; what it ${open.join(' and ')} is unknown`;
}

type Unknown = readonly ('output' | 'changes')[];

/**
 * What is assumed, said as what it is: unknown. `name`: what the program is called in the sentence (in backquotes, or `it`).
 * `What it prints, changes and returns is not known.`
 */
export function notKnownText(name: string, parts: readonly AssumedPart[], unknown?: Unknown): string {
  return asSentence(withRule(notKnownClause(name, parts, unknown), parts));
}

/** The same as a clause: `what it prints, changes and returns is not known`. */
export function notKnownClause(name: string, parts: readonly AssumedPart[], unknown: Unknown = []): string {
  const has = (...kinds: AssumedPart['kind'][]) => parts.some(({ kind }) => kinds.includes(kind));
  const verbs = [
    ...(has('printsNothing') || unknown.includes('output') ? ['prints'] : []),
    ...((has('changesNothing', 'overwrites', 'makesFiles') || unknown.includes('changes')) && !has('leavesFiles')
      ? ['changes']
      : []),
    ...(has('exits', 'endedFromOutside') ? ['returns'] : []),
  ];
  const clauses = [
    ...(verbs.length > 0 ? [`what ${name} ${listOf(verbs)}`] : []),
    ...parts.flatMap((part) => particular(name, part)),
  ];
  return `${listOf(clauses)} ${clauses.length > 1 ? 'are' : 'is'} not known`;
}

/** A clause about a program, and what is known of its files although nobody ran it. */
export function withRule(clause: string, parts: readonly AssumedPart[]): string {
  const rule = ruleText(parts);
  return rule === undefined ? clause : `${clause}; ${rule}`;
}

/** What is known of a program's files although nobody ran it, as a clause of its own; `undefined`: nothing. */
export function ruleText(parts: readonly AssumedPart[]): string | undefined {
  const leaves = parts.find((part) => part.kind === 'leavesFiles');
  if (!leaves) return undefined;
  const but = leaves.own.length === 0 ? '' : ` but ${listOf(leaves.own)}`;
  const unless = leaves.runsProject ? ", unless the project's own code does" : '';
  return `as a rule it changes nothing in the workspace${but}${unless}`;
}

/** What is assumed of one file or folder, or of what was looked through, as a clause of what is not known. */
function particular(name: string, part: AssumedPart): string[] {
  switch (part.kind) {
    case 'putsNothingInto':
      return [`what ${name} puts into ${part.folder}`];
    case 'leavesAsIs':
    case 'leavesEmpty':
      return [`what ${name} writes into ${part.file}`];
    case 'editsAsWritten':
      return [`whether ${name} makes of ${listOf(part.files)} what its code says`];
    case 'answersAsThen':
      return [`whether ${serverText(part.to)} still says what it said to ${name} at ${clockText(part.at)}`];
    case 'onlyStarts': {
      const because = part.because === undefined ? '' : ` (${part.because})`;
      return [`whether ${name} does more than start what it is asked to start${because}`];
    }
    case 'doesAs':
      return [`whether ${name} does what \`${showCall(part.argv)}\` does`];
    case 'exits':
    case 'endedFromOutside':
    case 'printsNothing':
    case 'changesNothing':
    case 'overwrites':
    case 'makesFiles':
    case 'leavesFiles':
      return [];
  }
}

/** Whom a look asked: GitHub, or the server at a port of this machine. */
export function serverText(to: number | 'github'): string {
  return to === 'github' ? 'GitHub' : `this machine's own server on port ${to}`;
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function partText(part: AssumedPart): string[] {
  switch (part.kind) {
    case 'exits':
      return [`exits ${part.exitCode}`];
    case 'endedFromOutside':
      return [`is ended from outside, with exit code ${part.exitCode}`];
    case 'printsNothing':
      return ['prints nothing'];
    case 'changesNothing':
      return ['changes nothing'];
    // It is a clause of its own.
    case 'leavesFiles':
      return [];
    case 'putsNothingInto':
      return [`puts nothing into ${part.folder}`];
    case 'leavesAsIs':
      return [`leaves ${part.file} as it is`];
    case 'leavesEmpty':
      return [`leaves ${part.file} empty`];
    case 'overwrites':
      return [`overwrites ${listOf(part.files)}`];
    case 'makesFiles':
      return [`writes ${listOf(part.files)}`];
    case 'editsAsWritten':
      return [`makes of ${listOf(part.files)} what its code says`];
    case 'answersAsThen':
      return [`is answered as at ${clockText(part.at)}, when ${serverText(part.to)} was asked`];
    case 'onlyStarts': {
      const because = part.because === undefined ? '' : ` (${part.because})`;
      return [`does nothing but start what it is asked to start${because}`];
    }
    case 'doesAs':
      return [`does what \`${showCall(part.argv)}\` does`];
  }
}

/** Why something was assumed, as a clause: `no model is configured`. */
export function assumptionReasonText(reason: AssumptionReason): string {
  switch (reason.kind) {
    case 'noModel':
      return 'no model is configured';
    case 'lookedThrough':
      return 'it was looked through';
    case 'lookedAt':
      return 'it was really asked, and may be answered otherwise a moment later';
    case 'neverEnds':
      return 'the model says that it does not end by itself';
    case 'unknown':
      return `the model says that it cannot know${reason.says === '' ? '' : `: ${reason.says}`}`;
    case 'contentUnknown':
      return `the model says of ${reason.file}: ${reason.says}`;
    case 'binaryFile':
      return `${reason.file} is a binary file, which no model can show`;
    case 'unusable':
      return `the model ${faultClause(reason.fault)}`;
    case 'failed':
      return reason.message;
    case 'worldFailed':
      return `the world model failed: ${reason.error}`;
    case 'noAnswer':
      return 'it gave no answer';
    case 'endNotAsked':
      return 'the model was not asked how it ends';
    case 'folderNotAsked':
      return 'the model was not asked what is in it';
    case 'contentsNotAsked':
      return `the contents of at most ${reason.most} files are asked for`;
  }
}
