import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** Of a call of the script that everything was run without, nothing is said that sounds as if it had been. */

const { foretell, folder } = throwAwayForetell('not-started');
const usual = { PATH: '/usr/bin:/bin', HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
const note = ' (it was not started here)';

async function reasons(script: string, program = 'rm', env = usual): Promise<string[]> {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  for (const name of ['a', 'b']) fs.writeFileSync(path.join(place, name), '');
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place };
  const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  return prediction.verdict.reasons.map(({ text }) => text).filter((text) => text.startsWith(`\`${program}\``));
}

for (const [script, ...expected] of [
  ['true || rm a', `\`rm\` deletes \`a\`${note}.`],
  ['true || rm a; rm b', `\`rm\` deletes \`a\`${note}.`],
  ['[ -f none ] && rm -rf a', `\`rm\` deletes \`a\` with everything in it${note}.`],
  ['exit 3; rm a', `\`rm\` deletes \`a\`${note}.`],
  ['if false; then rm a; else rm b; fi', `\`rm\` deletes \`a\`${note}.`],
  ['for i in a b; do rm $i; break; done', `\`rm\` deletes \`b\`${note}.`],
  ['rm none', '`rm` deletes `none` (it failed here).'],
  ['rm a && rm b'],
  ["trap 'rm a' INT; echo x", '`rm` deletes `a` (only later, if at all).'],
  ['trap \'sh -c "rm a"\' INT; true', '`rm` deletes `a` (only later, if at all).'],
  ["alias zap='rm a'", '`rm` deletes `a` (only later, if at all).'],
  ["trap 'rm a' EXIT"],
  // Which of the two it was cannot be told: nothing is said of either.
  ['false && rm "$(cat a)" || rm a'],
] as const) {
  test(script, async () => assert.deepEqual(await reasons(script), expected));
}

test('what git starts itself is no call of the script', async () => {
  const commit = 'git init -q; git add a; git -c user.name=a -c user.email=a@b -c gc.auto=1 commit -qm x';
  const expected = [`\`git reset --hard\` throws away what is not committed${note}.`];
  assert.deepEqual(await reasons(`${commit} || git reset --hard`, 'git reset --hard'), expected);
});

for (const [script, program, said] of [
  ['kubectl delete ns prod', 'kubectl delete', 'deletes `ns prod` from the cluster'],
  ['echo a; kubectl delete ns prod || true', 'kubectl delete', 'deletes `ns prod` from the cluster'],
  ['false && kubectl delete ns prod', 'kubectl delete', 'deletes `ns prod` from the cluster'],
  ['pytest -q | tail -3', 'pytest -q', 'runs code of the project'],
] as const) {
  test(`what is not installed: ${script}`, async () => {
    // A folder that has nothing of what is asked for.
    const bin = path.join(folder, 'bin');
    fs.mkdirSync(bin, { recursive: true });
    for (const name of ['tail', 'bash'])
      if (!fs.existsSync(path.join(bin, name))) fs.symlinkSync(`/usr/bin/${name}`, path.join(bin, name));
    const text = `\`${program}\` ${said} (it is not installed here).`;
    assert.deepEqual(await reasons(script, program, { ...usual, PATH: bin }), [text]);
  });
}

test('what is installed and not started is not called absent', async () => {
  assert.deepEqual(await reasons('false && git push --force', 'git push --force'), [
    `\`git push --force\` rewrites the history of the remote${note}.`,
  ]);
});
