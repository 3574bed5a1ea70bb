import fs from 'node:fs';
import path from 'node:path';
import { runHook } from '../hooks/hook.ts';

/** Commands that are predicted before anybody asks: the first call of an agent finds everything compiled. */
const scripts = ['cat kept', 'rm -f kept && mkdir -p new && sed s/a/b/ other > new/other', 'ls -la; git status'];

/** Predicts a few commands in a folder of our own, which is gone afterwards, with nobody's environment. */
export async function warmUp(distFolder: string, own: string): Promise<void> {
  fs.rmSync(own, { recursive: true, force: true });
  const place = path.join(own, 'place');
  try {
    fs.mkdirSync(place, { recursive: true });
    for (const name of ['kept', 'other']) fs.writeFileSync(path.join(place, name), 'a\n');
    for (const command of scripts) {
      const event = { hook_event_name: 'PreToolUse', cwd: place, tool_name: 'Bash', tool_input: { command } };
      await runHook(['claude', '--within', '10'], {
        distFolder,
        cwd: place,
        env: { HOME: own, PATH: '/usr/local/bin:/usr/bin:/bin' },
        isAtTerminal: false,
        input: (async function* () {
          yield Buffer.from(JSON.stringify(event));
        })(),
        say: async () => {},
        tell: () => {},
        sinceStart: () => 0,
      });
    }
  } finally {
    fs.rmSync(own, { recursive: true, force: true });
  }
}
