import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ContextMemory, createContextMemory } from '../../src/core/context/gather/contextMemory.ts';
import { createForetell } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import type { Looker } from '../../src/core/view/view.ts';
import { buildFixture, restoreFixture, truthEnvironment } from '../truth/fixture.ts';
import { startGuard } from '../truth/guard.ts';
import { identities } from '../truth/identity.ts';
import { makeBase } from '../truth/place.ts';
import { makePipes, readChanges, runShell } from '../truth/realRun.ts';
import { readPristine } from '../truth/tree.ts';
import { readWorld, type World } from './groundingWorld.ts';

/** The truth suite's fixture, where commands really run, and everything that existed in it before. */
export interface OpenPlace {
  looker: Looker;
  project: string;
  /** Has nothing in it, as MKRWW's first steps. */
  empty: string;
  world: World;
  /** Fresh for each capture, but for the machine, which is looked at once. */
  memory(): ContextMemory;
  /** Really runs a script, then sets the fixture right. Gives what it printed. */
  run(script: string, cwd: string): Promise<string>;
  close(): Promise<void>;
}

/** Builds the fixture in a temporary folder. */
export async function openPlace(): Promise<OpenPlace> {
  const [identity] = identities(process.getuid?.() === 0 ? 'root' : 'user');
  if (!identity) throw new Error('This machine has no such identity.');
  const base = makeBase('grounding', identity);
  const root = join(base, 'run');
  const empty = join(base, 'empty');
  for (const folder of [root, empty]) mkdirSync(folder);
  buildFixture(root, identity);
  const env = truthEnvironment(root, identity);
  // The looker takes these from its own process.
  Object.assign(process.env, { HOME: env['HOME'], USER: env['USER'], PATH: env['PATH'] });
  const project = join(root, 'project');
  const pristine = readPristine(root);
  const pipes = makePipes(base, identity);
  const guard = identity.uid === 0 ? { guard: await startGuard(base) } : {};
  const foretell = createForetell({ launcher: launcherPath(resolve('dist')) });
  const shared = createContextMemory();
  return {
    looker: foretell.looker,
    project,
    empty,
    world: readWorld(root, project, [project, join(root, 'conflict')], env),
    memory: () => Object.assign(createContextMemory(), shared.machine !== undefined ? { machine: shared.machine } : {}),
    async run(script, cwd) {
      const result = await runShell(script, { cwd, env, identity, pipes, ...guard, limitMs: 5_000 });
      restoreFixture(pristine, readChanges(pristine).touched, identity);
      return `${result.stdout.toString()}\n${result.stderr.toString()}`;
    },
    async close() {
      guard.guard?.close();
      await foretell.dispose();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
