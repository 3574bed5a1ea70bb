import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';

const Listed = z.object({
  id: z.literal(2),
  result: z.object({
    data: z.array(z.object({ hooks: z.array(z.object({ key: z.string(), currentHash: z.string() })) })),
  }),
});

/** What a person does by `/hooks` in Codex: every hook that it finds is trusted as it is. `settings`: its `config.toml`. */
export async function trustCodexHooks(
  program: string,
  place: { cwd: string; env: Record<string, string>; settings: string },
): Promise<void> {
  const child = spawn(program, ['app-server'], { cwd: place.cwd, env: place.env, stdio: ['pipe', 'pipe', 'ignore'] });
  const say = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  say({ id: 1, method: 'initialize', params: { clientInfo: { name: 'bench', version: '1' } } });
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as { id?: number };
    if (message.id === 1) {
      say({ method: 'initialized' });
      say({ id: 2, method: 'hooks/list', params: { cwds: [place.cwd] } });
    }
    const listed = Listed.safeParse(message);
    if (!listed.success) continue;
    for (const { key, currentHash } of listed.data.result.data.flatMap(({ hooks }) => hooks))
      fs.appendFileSync(
        place.settings,
        `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = ${JSON.stringify(currentHash)}\n`,
      );
    break;
  }
  child.kill();
}
