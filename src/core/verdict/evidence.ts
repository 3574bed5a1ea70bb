import type { Effect } from '../facts/effect.ts';
import type { ProgramLabel } from '../facts/programLabel.ts';
import type { Evidence, Mark } from '../facts/risk.ts';

/** So many things are named as evidence of one reason. */
export const shownEvidence = 20;

/** The first of some paths. */
export function pathsAsEvidence(paths: readonly string[]): Evidence[] {
  return paths.slice(0, shownEvidence).map((path) => ({ kind: 'path', path }));
}

/** A program, with how it came about where that is known. */
export interface Call {
  argv: readonly string[];
  label?: ProgramLabel | undefined;
}

/** A call as evidence. */
export function callAsEvidence(program: Call): Evidence {
  return { kind: 'program', ...callOf(program) };
}

/** What is told of a program. */
export function callOf({ argv, label }: Call): Call {
  return label === undefined ? { argv } : { argv, label };
}

/** Words of the script, or names of what stands elsewhere. */
export function namesAsEvidence(names: readonly string[]): Evidence[] {
  return names.map((name) => ({ kind: 'name', name }));
}

/** Effects without who says so. */
export function marksOf(effects: readonly Effect[]): Mark[] {
  return effects.map(({ basis: _, expectedOf: _of, ...mark }) => mark);
}

/** Effects as evidence. */
export function effectsAsEvidence(marks: readonly Mark[]): Evidence[] {
  return marks.map((effect) => ({ kind: 'effect', effect }));
}
