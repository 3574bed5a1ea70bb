import type { Prediction } from '../../prediction/prediction.ts';

/** A line of output as it is compared. `volatile`: the prediction itself says that it varies from run to run. */
export interface OutputLine {
  text: string;
  volatile: boolean;
}

/** What of a prediction is compared: also what a trajectory keeps of it. */
export type ComparedFacts = Pick<Prediction, 'output' | 'exitCode' | 'files' | 'effects'>;

/** How much of a prediction is so in another one that is held for true. Lists are sorted. */
export interface FactualScore {
  /**
   * Lines of output that are not blank. `truth`: lines that had to be said, without those that vary; `matched`: how many
   * of them were said, in whatever order, each counted as often as it stands in both; `extra`: lines that were said and
   * are in no way true; `recall`: matched / truth, 1 where nothing had to be said; `exact`: the same lines in the same
   * order, blank ones too, apart from what varies.
   */
  lines: { truth: number; matched: number; extra: number; recall: number; exact: boolean };
  /** Absent: not known. */
  exitCode: { predicted?: number; truth?: number; same: boolean };
  /** Changed paths, absolute. `different`: changed in both, but in another way or to another content. */
  files: { same: string[]; different: string[]; missing: string[]; extra: string[] };
  /** Kinds of other effects; their wording is not compared. */
  effects: { same: string[]; missing: string[]; extra: string[] };
  /**
   * 0–1. The mean of four parts, weighed 4 (lines), 2 (exit code), 3 (files) and 1 (effects). Lines, files and effects
   * count as 2 × same / (predicted + true), the exit code as 1 or 0. A part of which both have nothing to say is left
   * out; where all are, the score is 1.
   */
  score: number;
}

const weights = { lines: 4, exitCode: 2, files: 3, effects: 1 };

/**
 * Compares a prediction with the true one of the same command. Deterministic, needs neither files nor a model, and takes
 * time linear in their size.
 */
export function factualScore(predicted: ComparedFacts, truth: ComparedFacts): FactualScore {
  const lines = compareLines(outputLines(predicted), outputLines(truth));
  const exitCode = {
    ...(predicted.exitCode === undefined ? {} : { predicted: predicted.exitCode }),
    ...(truth.exitCode === undefined ? {} : { truth: truth.exitCode }),
    same: predicted.exitCode === truth.exitCode,
  };
  const files = compareFiles(predicted.files, truth.files);
  const effects = compareSets(
    predicted.effects.map(({ effect }) => effect),
    truth.effects.map(({ effect }) => effect),
  );
  const parts = [
    { weight: weights.lines, ...shared(lines.matched, lines.matched + lines.extra, lines.truth) },
    { weight: weights.exitCode, value: Number(exitCode.same), counts: truth.exitCode !== undefined },
    {
      weight: weights.files,
      ...shared(
        files.same.length,
        files.same.length + files.different.length + files.extra.length,
        files.same.length + files.different.length + files.missing.length,
      ),
    },
    {
      weight: weights.effects,
      ...shared(
        effects.same.length,
        effects.same.length + effects.extra.length,
        effects.same.length + effects.missing.length,
      ),
    },
  ].filter((part) => part.counts);
  const weight = parts.reduce((sum, part) => sum + part.weight, 0);
  const score = weight === 0 ? 1 : parts.reduce((sum, part) => sum + part.weight * part.value, 0) / weight;
  return { lines, exitCode, files, effects, score };
}

/** Dice's coefficient of two sets, and whether there is anything in them. */
function shared(same: number, predicted: number, truth: number): { value: number; counts: boolean } {
  const all = predicted + truth;
  return { value: all === 0 ? 1 : (2 * same) / all, counts: all > 0 };
}

/**
 * The lines of the output as somebody reads them: first those of standard output, then those of standard error, without
 * escape sequences and blanks at the end; of a line that was written over with carriage returns, what stands there last.
 */
export function outputLines({ output }: Pick<Prediction, 'output'>): OutputLine[] {
  const lines: OutputLine[] = [];
  for (const stream of ['stdout', 'stderr']) {
    let open: OutputLine | undefined;
    for (const piece of output) {
      if (piece.stream !== stream) continue;
      const parts = textOf(piece).split('\n');
      for (const [index, part] of parts.entries()) {
        if (index > 0) open = undefined;
        if (part === '' && index === parts.length - 1) continue;
        if (!open) {
          open = { text: '', volatile: false };
          lines.push(open);
        }
        open.text += part;
        open.volatile ||= piece.volatile === true;
      }
    }
  }
  for (const line of lines) line.text = readable(line.text);
  return lines;
}

// Control sequences (ECMA-48, 5.4) and strings such as links and titles (5.6), ended by BEL or ST.
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

function readable(line: string): string {
  const plain = line.replace(escapes, '').trimEnd();
  return plain.slice(plain.lastIndexOf('\r') + 1);
}

function textOf({ text, base64 }: Prediction['output'][number]): string {
  if (text !== undefined || base64 === undefined) return text ?? '';
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

function compareLines(predicted: readonly OutputLine[], truth: readonly OutputLine[]): FactualScore['lines'] {
  const wanted = truth.filter(({ text }) => text !== '');
  const sure = wanted.filter((line) => !line.volatile);
  const left = new Map<string, number>();
  for (const { text } of predicted) if (text !== '') left.set(text, (left.get(text) ?? 0) + 1);
  let matched = 0;
  for (const { text } of sure) {
    const count = left.get(text) ?? 0;
    if (count === 0) continue;
    left.set(text, count - 1);
    matched += 1;
  }
  const said = predicted.filter(({ text }) => text !== '').length;
  // What a line that varies would say cannot be known, so one line is free for each of them.
  const extra = Math.max(0, said - matched - (wanted.length - sure.length));
  const exact =
    predicted.length === truth.length &&
    truth.every((line, index) => line.volatile || line.text === predicted[index]?.text);
  return { truth: sure.length, matched, extra, recall: sure.length === 0 ? 1 : matched / sure.length, exact };
}

type Changes = Prediction['files'];

function compareFiles(predicted: Changes, truth: Changes): FactualScore['files'] {
  const guesses = new Map(predicted.map((change) => [change.path, change]));
  const facts = new Map(truth.map((change) => [change.path, change]));
  const files: FactualScore['files'] = { same: [], different: [], missing: [], extra: [] };
  for (const [path, fact] of facts) {
    const guess = guesses.get(path);
    if (!guess) files.missing.push(path);
    else if (sameChange(guess, fact)) files.same.push(path);
    else files.different.push(path);
  }
  for (const path of guesses.keys()) if (!facts.has(path)) files.extra.push(path);
  for (const list of Object.values(files)) list.sort();
  return files;
}

function sameChange(guess: Changes[number], fact: Changes[number]): boolean {
  if (guess.change !== fact.change || guess.type !== fact.type || guess.from !== fact.from) return false;
  if (fact.change === 'deleted') return true;
  if (fact.change === 'mode') return guess.mode === fact.mode;
  if (fact.change === 'modified' && newMode(guess) !== newMode(fact)) return false;
  if (fact.type === 'symlink') return guess.target === fact.target;
  if (fact.type !== 'file' || fact.volatile) return true;
  if (guess.sha256 !== undefined && fact.sha256 !== undefined) return guess.sha256 === fact.sha256;
  return guess.sizeBytes === fact.sizeBytes;
}

/** The mode that a change gives, where it is another one than before. */
function newMode({ mode, before }: Changes[number]): string | undefined {
  return before === undefined || before.mode === mode ? undefined : mode;
}

function compareSets(predicted: readonly string[], truth: readonly string[]): FactualScore['effects'] {
  const guesses = new Set(predicted);
  const facts = new Set(truth);
  return {
    same: [...facts].filter((kind) => guesses.has(kind)).sort(),
    missing: [...facts].filter((kind) => !guesses.has(kind)).sort(),
    extra: [...guesses].filter((kind) => !facts.has(kind)).sort(),
  };
}
