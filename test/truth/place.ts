import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goneAtExit } from '../temporaryFolder.ts';
import type { NodeState, RealRun } from './compare.ts';
import { buildFixture, type Identity, restoreFixture, truthEnvironment } from './fixture.ts';
import { type Guard, startGuard } from './guard.ts';
import { makePipes, readChanges, statesOf } from './realRun.ts';
import { type BytePath, type Pristine, readPristine } from './tree.ts';

/** How the tree is made that commands run in, and set right again. */
export interface Fixture {
  /** Fills `root`, which is there and empty. */
  build(root: string, identity: Identity): void;
  environment(root: string, identity: Identity): Record<string, string>;
  restore(pristine: Pristine, touched: readonly BytePath[], identity: Identity): void;
  /** The folder below the root in which commands run that say nothing else. */
  project: string;
}

export const truthFixture: Fixture = {
  build: buildFixture,
  environment: truthEnvironment,
  restore: restoreFixture,
  project: 'project',
};

/** A fixture of its own, and what real runs in it need. */
export interface Place {
  /** Parent of the root: a place for what belongs to the suite. */
  base: string;
  root: string;
  fixture: Fixture;
  /** The project of the fixture. */
  cwd: string;
  env: Record<string, string>;
  identity: Identity;
  pristine: Pristine;
  states: Map<BytePath, NodeState>;
  pipes: readonly [string, string];
  guard?: Guard;
}

/** A new folder below the system's temporary directory that belongs to the identity; whoever makes it takes it away, at the latest when it ends. */
export function makeBase(name: string, identity: Identity): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), `foretell-${name}-`)));
  goneAtExit(base);
  // mkdtemp(3) makes it 0700, but the ordinary user must get in.
  chmodSync(base, 0o755);
  // Like a home directory, it belongs to whoever works in it.
  if (process.getuid?.() === 0) chownSync(base, identity.uid, identity.gid);
  return base;
}

/** Builds the fixture in a folder of its own, away again after `during`. Real runs as root are guarded: see `startGuard`. */
export async function withPlace<T>(
  name: string,
  identity: Identity,
  during: (place: Place) => Promise<T>,
  fixture = truthFixture,
): Promise<T> {
  const base = makeBase(name, identity);
  const root = join(base, 'run');
  mkdirSync(root);
  let guard: Guard | undefined;
  try {
    fixture.build(root, identity);
    if (identity.uid === 0) guard = await startGuard(base);
    const pristine = readPristine(root);
    return await during({
      base,
      root,
      fixture,
      cwd: join(root, fixture.project),
      env: fixture.environment(root, identity),
      identity,
      pristine,
      states: statesOf(pristine),
      pipes: makePipes(base, identity),
      ...(guard ? { guard } : {}),
    });
  } finally {
    guard?.close();
    rmSync(base, { recursive: true, force: true });
  }
}

/** What one step of several left. */
export interface StepStates {
  /** What it changed of the states before it. */
  changes: RealRun['changes'];
  /** The states behind it. */
  after: Map<BytePath, NodeState>;
  /** Every path that was touched since the fixture was set right. */
  touched: BytePath[];
}

/** Reads what the step that has just run did to the states `before` it. */
export function readStep(place: Place, before: ReadonlyMap<BytePath, NodeState>): StepStates {
  const read = readChanges(place.pristine);
  const after = new Map(before);
  const changes: RealRun['changes'] = new Map();
  for (const path of new Set([...read.changes.keys(), ...before.keys(), ...place.states.keys()])) {
    const old = before.get(path) ?? null;
    const now = read.changes.get(path) ?? (read.changes.has(path) ? null : (place.states.get(path) ?? null));
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    changes.set(path, now);
    if (now) after.set(path, now);
    else after.delete(path);
  }
  return { changes, after, touched: read.touched };
}

/** Sets the fixture right after these paths were touched. */
export function restorePlace(place: Place, touched: readonly BytePath[]): void {
  place.fixture.restore(place.pristine, touched, place.identity);
  place.states = statesOf(place.pristine);
}
