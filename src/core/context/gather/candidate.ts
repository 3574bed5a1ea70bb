import type { LeftOut, Observation } from '../workspaceContext.ts';
import type { Focus } from './focus.ts';

/**
 * How much an observation is worth, the visible rule of what is kept. Higher first; at equal worth, small before large,
 * and the large ones share what is left.
 */
export const worth = {
  /** A file that the action names. */
  named: 100,
  /** The script, package script or recipe that the action starts. */
  script: 95,
  /** Read by that program: imported, sourced, opened, or its configuration. */
  read: 85,
  /** The folders that the action names, and the working directory, when it is listed. */
  listing: 80,
  /** What git knows, where the action asks git. */
  git: 75,
  /** Files below a named folder in which the searched text stands. */
  found: 70,
  /** What a program reads of a whole folder: all sources for a compiler, all tests. */
  whole: 72,
  /** Everything below a named folder, by name. */
  tree: 60,
  /** Manifests and settings of the workspace, its listing, the machine: the stable part. */
  stable: 50,
  /** `git status`, the last commands of the terminal. */
  status: 40,
  /** Files below a named folder, and what was shown for the action before: kept while there is room. */
  nearby: 20,
  /** The other sources of the repository, nearest first. */
  rest: 10,
} as const;

/** Something that could be shown. */
export interface Candidate {
  look: Observation['look'];
  /** Not redacted yet. */
  text: string;
  why: string;
  volatility: number;
  worth: number;
  /** `stable` and `volatile` have a share of the budget of their own, so that the first part never depends on the action. */
  part: 'stable' | 'action' | 'volatile';
  /** Where the text is from, for redaction. */
  path?: string;
  /** It may be cut to these lines; absent: it is kept whole or cut at its head. */
  focus?: Focus;
  /** It is kept as it is or not at all. */
  whole?: true;
  /** What was shown of it for an action before; shown again where that is about as much as there is room for. */
  earlier?: { look: Observation['look']; text: string; tokens: number };
}

/** Candidates and what was passed over. */
export interface Gathered {
  candidates: Candidate[];
  leftOut: LeftOut[];
}

/** Says what a look is, for keys and for the reader. */
export function lookTitle(look: Observation['look']): string {
  if (look.kind === 'run') return `${look.command} (in ${look.cwd})`;
  if (look.kind === 'list') return `list ${look.path}`;
  return look.firstLine === undefined
    ? `read ${look.path}`
    : `read ${look.path}:${look.firstLine}-${look.lastLine ?? ''}`;
}
