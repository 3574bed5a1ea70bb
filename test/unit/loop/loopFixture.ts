import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { createForetell, type Foretell } from '../../../src/core/foretell.ts';
import { launcherPath } from '../../../src/core/launcherPath.ts';
import { createEnvironment, type Environment } from '../../../src/core/loop/environment.ts';
import type { EnvironmentOptions } from '../../../src/core/loop/environmentOptions.ts';
import type { TrajectoryStep } from '../../../src/core/trajectory/step/step.ts';
import { createOpenAiProvider } from '../../../src/core/worlds/language/client/client.ts';
import type { LanguageProvider } from '../../../src/core/worlds/language/client/provider.ts';
import { type CassetteServer, type ServerOptions, startServer } from '../../cassettes/server.ts';

/** An observation as a model of the world gives it. */
export const seen = (text: string) => `<predicted_observation>\n${text}\n</predicted_observation>`;

/** Everything that a test of the loop needs; ends with the test. */
export interface LoopFixture {
  foretell: Foretell;
  environment: Environment;
  steps: TrajectoryStep[];
  /** Plays the world. */
  world: CassetteServer;
  worldProvider: LanguageProvider;
}

/** A world that answers as the server's options say. */
export async function openLoop(
  context: TestContext,
  server: Partial<ServerOptions>,
  options: Partial<EnvironmentOptions> = {},
): Promise<LoopFixture> {
  const world = await startServer({ dialect: 'vllm', replies: [seen('ok')], ...server });
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
  const worldProvider = createOpenAiProvider({ baseUrl: world.baseUrl });
  const steps: TrajectoryStep[] = [];
  const environment = createEnvironment(foretell, {
    language: { provider: worldProvider, templateFolders: [{ source: 'shipped', path: path.resolve('prompts') }] },
    record: (step) => void steps.push(step),
    ...options,
  });
  context.after(async () => {
    environment.dispose();
    await foretell.dispose();
    await world.close();
  });
  return { foretell, environment, steps, world, worldProvider };
}

/** A throw-away folder with two files. */
export function makeFolder(context: TestContext): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-loop-')));
  fs.writeFileSync(path.join(folder, 'a.txt'), 'alpha\nbeta\n');
  fs.writeFileSync(path.join(folder, 'b.txt'), 'gamma\n');
  context.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The messages of the last completion that a server was asked for. */
export function lastMessages(server: CassetteServer): { role: string; content: string }[] {
  return (server.completions().at(-1)?.body?.['messages'] ?? []) as { role: string; content: string }[];
}
