/** What of a step decides where it stands and what it rests on. Times are ISO 8601. */
export interface TreeStep {
  id: string;
  trajectory: string;
  after?: string | undefined;
  /** When its prediction was made; absent: there is none, or nobody knows. */
  at?: string | undefined;
  hasPrediction: boolean;
  hasObservation: boolean;
  /** When its observation was made. */
  observedAt?: string | undefined;
  editedAction?: string | undefined;
  editedObservation?: string | undefined;
}

/** A step in its place. */
export interface TreePlace<S extends TreeStep> {
  step: S;
  /** Index in the list that was given. */
  index: number;
  /** Which turn of its branch it is, from 1. */
  turn: number;
  /** 0: the first branch of its trajectory. */
  depth: number;
  /** It begins a branch: another step comes after the same one. */
  isFork: boolean;
  parent?: TreePlace<S>;
  children: TreePlace<S>[];
  /** It was predicted before something that it rests on was edited. */
  restsOnEdited: boolean;
  /** Its observation belongs to what was before an edit, so it is no longer what would be seen. */
  observationIsOld: boolean;
}

/** Steps of a file as trees, one for each trajectory. */
export interface StepTree<S extends TreeStep> {
  byId: ReadonlyMap<string, TreePlace<S>>;
  /** In the order in which they are read: each step, then the branches that fork from it, then what comes after it. */
  rows: readonly TreePlace<S>[];
}

/**
 * Puts steps in their places, in linear time. A step whose `after` is not there, or that would come after itself, begins
 * a trajectory of its own. Of two steps with one id the first counts; the other is left out.
 */
export function treeOf<S extends TreeStep>(steps: readonly (S | undefined)[]): StepTree<S> {
  const byId = new Map<string, TreePlace<S>>();
  for (const [index, step] of steps.entries()) {
    if (!step || byId.has(step.id)) continue;
    byId.set(step.id, {
      ...{ step, index, turn: 1, depth: 0, isFork: false, children: [] },
      ...{ restsOnEdited: false, observationIsOld: false },
    });
  }
  const roots: TreePlace<S>[] = [];
  for (const place of byId.values()) {
    const parent = place.step.after === undefined ? undefined : byId.get(place.step.after);
    if (!parent || parent === place) roots.push(place);
    else {
      place.parent = parent;
      parent.children.push(place);
    }
  }
  breakRings(byId, roots);
  return { byId, rows: rowsOf(roots) };
}

/** Steps that come after each other in a ring hang on no root: the first of each ring becomes one. */
function breakRings<S extends TreeStep>(byId: ReadonlyMap<string, TreePlace<S>>, roots: TreePlace<S>[]): void {
  const reached = new Set<TreePlace<S>>();
  const reach = (from: TreePlace<S>) => {
    const waiting = [from];
    for (let place = waiting.pop(); place; place = waiting.pop()) {
      if (reached.has(place)) continue;
      reached.add(place);
      waiting.push(...place.children);
    }
  };
  for (const root of roots) reach(root);
  for (const place of byId.values()) {
    if (reached.has(place)) continue;
    if (place.parent) place.parent.children = place.parent.children.filter((one) => one !== place);
    delete place.parent;
    roots.push(place);
    reach(place);
  }
  roots.sort((a, b) => a.index - b.index);
}

function rowsOf<S extends TreeStep>(roots: readonly TreePlace<S>[]): TreePlace<S>[] {
  const rows: TreePlace<S>[] = [];
  const edits = new Map<TreePlace<S>, string>();
  const waiting = [...roots].reverse();
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { parent, step } = place;
    if (parent) {
      place.turn = parent.turn + 1;
      const isFirst = parent.children[0] === place;
      place.isFork = !isFirst;
      place.depth = isFirst ? parent.depth : parent.depth + 1;
    }
    const above = later(parent && edits.get(parent), parent?.step.editedAction, parent?.step.editedObservation);
    if (above !== undefined) edits.set(place, above);
    const since = later(above, step.editedAction);
    place.restsOnEdited = since !== undefined && step.hasPrediction && (step.at ?? '') < since;
    place.observationIsOld = since !== undefined && step.hasObservation && (step.observedAt ?? '') < since;
    rows.push(place);
    // Taken from the end: the forks first, so that the first branch goes on below them.
    const [first, ...forks] = place.children;
    if (first) waiting.push(first);
    waiting.push(...forks.reverse());
  }
  return rows;
}

function later(...times: (string | undefined)[]): string | undefined {
  return times.reduce((latest, time) => (time !== undefined && time > (latest ?? '') ? time : latest), undefined);
}

/** The steps from the first one to this one, itself included. */
export function pathTo<S extends TreeStep>(place: TreePlace<S>): TreePlace<S>[] {
  const path: TreePlace<S>[] = [];
  for (let at: TreePlace<S> | undefined = place; at; at = at.parent) path.push(at);
  return path.reverse();
}

/** All steps that rest on this one, in the order of their rows. */
export function followersOf<S extends TreeStep>(place: TreePlace<S>): TreePlace<S>[] {
  return rowsOfSubtree(place).slice(1);
}

function rowsOfSubtree<S extends TreeStep>(place: TreePlace<S>): TreePlace<S>[] {
  const rows: TreePlace<S>[] = [];
  const waiting = [place];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    rows.push(at);
    const [first, ...forks] = at.children;
    if (first) waiting.push(first);
    waiting.push(...forks.reverse());
  }
  return rows;
}

/**
 * Behind which line a new step after this one is written: behind everything that rests on it, so that what comes after it
 * already stays its first branch, and so that a difference of the files is one line that is new.
 */
export function insertBehind<S extends TreeStep>(place: TreePlace<S>): number {
  return Math.max(...rowsOfSubtree(place).map(({ index }) => index));
}

/** An id that no step has: `3.2` for the second fork after step `3`, as short as it can be. */
export function newStepId(taken: { has(id: string): boolean }, like: string): string {
  const base = /^(.*)\.\d+$/.exec(like)?.[1] ?? like;
  for (let count = 2; ; count += 1) if (!taken.has(`${base}.${count}`)) return `${base}.${count}`;
}
