import type { Effect } from '../facts/effect.ts';
import type { ProgramLabel } from '../facts/programLabel.ts';
import type { Evidence, Mark, Risk } from '../facts/risk.ts';
import type { StaticField } from '../shell/evaluated.ts';

/** So many things are named as evidence of one reason. */
const shownEvidence = 20;

/** The first of some paths, and how many more there are. */
export function pathsAsEvidence(paths: readonly string[]): Pick<Risk, 'evidence' | 'unnamed'> {
  const unnamed = paths.length - shownEvidence;
  return {
    evidence: paths.slice(0, shownEvidence).map((path) => ({ kind: 'path', path })),
    ...(unnamed > 0 ? { unnamed } : {}),
  };
}

/** A program, with how it came about where that is known, or its words as the script's text tells them. */
export interface Call {
  argv: readonly string[];
  label?: ProgramLabel | undefined;
  fields?: readonly StaticField[] | undefined;
}

/** What is told of a program: `open` words stand as they are written. */
export type ToldCall = Omit<Call, 'fields'> & { open?: readonly string[] };

/** Which program it is only the shell will know: `$X`, `$(choose)`. A dollar at the end is one: `$ ls`, `user@host:~$ ls`. */
export function hasOpenName([name = '']: readonly string[]): boolean {
  return /`|\$[\w{(@*#?!$'"-]/.test(name);
}

/** A call as evidence. */
export function callAsEvidence(program: Call): Evidence {
  return { kind: 'program', ...callOf(program) };
}

/** What is told of a program. */
export function callOf({ argv, label, fields = [] }: Call): ToldCall {
  const open = fields.flatMap(({ text, isOpen, pattern }) => (isOpen || pattern !== undefined ? [text] : []));
  return { argv, ...(label === undefined ? {} : { label }), ...(open.length === 0 ? {} : { open }) };
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
