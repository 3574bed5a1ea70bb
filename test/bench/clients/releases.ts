import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { quoteWord } from '../../../src/core/shell/quoteWord.ts';
import type { ScriptedCall } from '../agents/scriptedModel.ts';
import type { ClientDriver } from './drivers.ts';

/** What became of one of the same four calls. */
export interface ReleaseSeen {
  name: 'denied' | 'released' | 'once more' | 'another effect';
  /** The call is to be made, and its folder to be gone. */
  expected: 'denied' | 'made';
  seen: 'denied' | 'made';
}

/** Where the calls are made. */
interface ReleasePlace {
  driver: ClientDriver;
  cwd: string;
  home: string;
  env: Record<string, string>;
  /** Where our hook keeps what it was asked and has answered. */
  record: string;
}

/**
 * The same call four times: denied; made after the user's `foretell allow CODE`; denied again, because that counts once; and denied after
 * another release, because what it deletes has become something else meanwhile. What is seen is told to `seen`.
 */
export function* releaseCalls(place: ReleasePlace, seen: ReleaseSeen[]): Generator<ScriptedCall> {
  const { driver, cwd } = place;
  const folder = path.join(cwd, 'released');
  const file = path.join(folder, 'work.txt');
  const put = (text: string) => {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(file, text);
  };
  const begins: readonly { name: ReleaseSeen['name']; expected: ReleaseSeen['expected']; before(): void }[] = [
    { name: 'denied', expected: 'denied', before: () => put('work\n') },
    { name: 'released', expected: 'made', before: () => allow(place) },
    { name: 'once more', expected: 'denied', before: () => put('work\n') },
    {
      name: 'another effect',
      expected: 'denied',
      before() {
        allow(place);
        put('other work\n');
      },
    },
  ];
  for (const [at, { name, expected, before }] of begins.entries()) {
    before();
    // Some clients stay where a call before has gone; and Codex itself refuses `rm -f`, whoever allows it.
    const calls = driver.commandIn(cwd, 'rm -r released');
    for (const [part, call] of calls.entries()) yield { id: `call_release_${at}_${part}`, ...call };
    seen.push({ name, expected, seen: fs.existsSync(file) ? 'denied' : 'made' });
  }
}

/** Types `foretell allow CODE` as the user does, in a terminal of his own: no process above it is an agent's. */
function allow({ home, cwd, env, record }: ReleasePlace): void {
  const answers = fs
    .readdirSync(record)
    .sort()
    .map((name) => path.join(record, name, 'answer'))
    .filter((file) => fs.existsSync(file));
  const codes = answers.flatMap(
    (file) => /foretell allow ([0-9a-f]{6})/.exec(fs.readFileSync(file, 'utf8'))?.[1] ?? [],
  );
  const over = path.join(home, `allowed-${answers.length}`);
  const typed = `${path.join(home, '.local/share/foretell/bin/foretell')} allow ${codes.at(-1) ?? '000000'}`;
  const inTerminal = `script -qfec ${quoteWord(typed)} /dev/null >${over}.out 2>&1 </dev/null; : >${over}`;
  execFileSync('sh', ['-c', `(${inTerminal}) >/dev/null 2>&1 &`], { cwd, env });
  const still = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; !fs.existsSync(over) && tries < 1_000; tries++) Atomics.wait(still, 0, 0, 20);
}
