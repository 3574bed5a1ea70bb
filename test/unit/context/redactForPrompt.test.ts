import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { redactForPrompt, warmRedaction } from '../../../src/core/context/secrets/redactForPrompt.ts';
import { cpuMs } from '../../cpuMs.ts';
import { plantSecrets, tokenKinds } from './plantedSecrets.ts';

test('of 200 planted secrets of 25 kinds none is left, in any kind of file', async () => {
  const files = plantSecrets();
  const leaks: string[] = [];
  for (const file of files) {
    const { text, found } = await redactForPrompt(file.text, { path: file.path });
    for (const secret of file.secrets) if (text.includes(secret)) leaks.push(`${file.path}: ${text}`);
    assert.ok(found.length > 0, file.path);
  }
  assert.deepEqual(leaks, []);
  assert.ok(files.flatMap((file) => file.secrets).length >= 200);
  assert.ok(tokenKinds >= 25);
});

test('names and what is around a secret stay', async () => {
  const redacted = async (text: string, path?: string) => (await redactForPrompt(text, path ? { path } : {})).text;
  assert.equal(
    await redacted('# note\nA=1\nexport B="x y"\n\nC=$HOME\n', '/w/.env'),
    '# note\nA=[redacted: env-value]\nexport B=[redacted: env-value]\n\nC=$HOME\n',
  );
  assert.equal(await redacted('A=1\n', '/w/.env.example'), 'A=1\n');
  assert.equal(await redacted('A=1\n', '/w/a.txt'), 'A=1\n');
  assert.equal(
    await redacted('K="one\ntwo\nthree"\nB=2\n', '/w/.env'),
    'K=[redacted: env-value]\nB=[redacted: env-value]\n',
  );
  assert.equal(
    await redacted('.env:2:PORT=8080\nsrc/a.ts:2:x = 1\n'),
    '.env:2:PORT=[redacted: env-value]\nsrc/a.ts:2:x = 1\n',
  );
  assert.equal(await redacted('postgres://app:hunter22@db/x'), 'postgres://app:[redacted: password-in-url]@db/x');
});

test('a text twice redacted is the same as once', async () => {
  for (const file of plantSecrets().slice(0, 60)) {
    const once = await redactForPrompt(file.text, { path: file.path });
    const twice = await redactForPrompt(once.text, { path: file.path });
    assert.equal(twice.text, once.text, file.path);
  }
});

test('a comment in the text does not switch the scanner off', async () => {
  const secret = `gh${'p'}_${'aB3'.repeat(12)}`;
  const { text } = await redactForPrompt(`// secretlint-disable\nconst a = '${secret}';\n`);
  assert.ok(!text.includes(secret));
});

test('the end of a key whose beginning was cut off is taken out', async () => {
  const line = 'aB3+'.repeat(16);
  const { text } = await redactForPrompt(`${line}\n${line}\n-----END RSA ${'PRIVATE'} KEY-----\nafter\n`);
  assert.equal(text, '[redacted: private-key]\nafter\n');
});

function* sourceFiles(folder: string): Generator<string> {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const status = statSync(path);
    if (status.isDirectory()) yield* sourceFiles(path);
    else if (/\.(?:[cm]?[jt]s|json|md|css)$/.test(name) && status.size < 200_000) yield path;
  }
}

test('ordinary source has less than one false find in 1,000 lines', async () => {
  const folders = [
    'src',
    'media',
    'node_modules/zod/src/v4',
    'node_modules/lit',
    'node_modules/unbash',
    'node_modules/esbuild',
    'node_modules/jsonc-parser',
    'node_modules/openai/src',
  ];
  let lines = 0;
  let finds = 0;
  const examples: string[] = [];
  for (const folder of folders) {
    for (const file of sourceFiles(folder)) {
      const text = readFileSync(file, 'utf8');
      const { found, text: after } = await redactForPrompt(text, { path: file });
      lines += text.split('\n').length;
      for (const { count } of found) finds += count;
      if (found.length > 0)
        examples.push(
          ...after
            .split('\n')
            .filter((line) => line.includes('[redacted: ') && !text.includes(line))
            .map((line) => `${file}: ${line.trim().slice(0, 160)}`),
        );
    }
  }
  console.log(`${finds} finds in ${lines} lines of ordinary source\n${examples.slice(0, 20).join('\n')}`);
  assert.ok(finds / lines < 1 / 1_000, `${finds} in ${lines} lines`);
});

test('a megabyte is searched in linear time, whatever is in it', async () => {
  await warmRedaction();
  for (const text of [
    readFileSync('src/README.md', 'utf8')
      .repeat(300)
      .slice(0, 1 << 20),
    'A=1\n'.repeat(1 << 18),
    'a: b\n'.repeat(200_000),
    `kind: Secret\n${'data:\n  a: b\n'.repeat(80_000)}`,
    '+++ b/.env\n'.repeat(90_000),
    '-----END PRIVATE KEY-----\n'.repeat(40_000),
    `${'A'.repeat(76)}\n`.repeat(13_000),
    'variable "password" {'.repeat(50_000),
    'machine '.repeat(130_000),
    'a="'.repeat(340_000),
    "mysql -p '".repeat(100_000),
  ]) {
    for (const path of ['/w/a.txt', '/w/.env', '/w/.npmrc', '/w/kubeconfig', '/w/.netrc']) {
      const start = cpuMs();
      await redactForPrompt(text, { path });
      const durationMs = cpuMs() - start;
      assert.ok(durationMs < 30_000, `${JSON.stringify(text.slice(0, 20))} as ${path}: ${durationMs.toFixed(0)} ms`);
    }
  }
});
