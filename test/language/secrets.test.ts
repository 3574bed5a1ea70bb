import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type PlantedFile, plantSecrets } from '../unit/context/plantedSecrets.ts';
import type { Predicted } from './predictScript.ts';
import { openWorkbench, printed } from './workbench.ts';

/** Secrets of the workspace never leave it, whichever way a program would come by them. */

const bench = openWorkbench();
const planted = plantSecrets();
const perScript = 12;
/** Each way to write a file of secrets is among the first. */
const everyForm = planted.slice(0, 36);

/** Secrets that stand in a text: also as JSON writes them. */
function found(text: string, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)));
}

function groups(files: readonly PlantedFile[]): PlantedFile[][] {
  const result: PlantedFile[][] = [];
  for (let at = 0; at < files.length; at += perScript) result.push(files.slice(at, at + perScript));
  return result;
}

function plant(): void {
  bench.place.renew();
  for (const { path: name, text } of planted) {
    mkdirSync(path.dirname(path.join(bench.place.cwd, name)), { recursive: true });
    writeFileSync(path.join(bench.place.cwd, name), text);
  }
}

/** What a recorder keeps of a prediction besides the user's own command and the real output. */
function kept({ events }: Predicted): string {
  return JSON.stringify(events.filter(({ type }) => type === 'question' || type === 'reply' || type === 'said'));
}

async function leaks(files: readonly PlantedFile[], scriptOf: (names: readonly string[]) => string): Promise<string[]> {
  plant();
  bench.says(() => printed(''));
  const all = planted.flatMap(({ secrets }) => secrets);
  const leaked = new Set<string>();
  for (const group of groups(files)) {
    const predicted = await bench.predict(scriptOf(group.map((file) => file.path)));
    for (const secret of found(kept(predicted), all)) leaked.add(`kept: ${origin(secret)}`);
  }
  for (const secret of found(bench.prompts().join('\n'), all)) leaked.add(`sent: ${origin(secret)}`);
  assert.ok(bench.prompts().length >= groups(files).length);
  return [...leaked];
}

function origin(secret: string): string {
  return planted.find(({ secrets }) => secrets.includes(secret))?.path.replace(/^p\d+\//, '') ?? '';
}

test('there are more than 200 secrets', () => {
  assert.ok(planted.flatMap(({ secrets }) => secrets).length > 200);
});

test('files that a program is told to read', async () => {
  assert.deepEqual(await leaks(planted, (names) => `node read.js ${names.join(' ')}`), []);
});

test('files that the script shows to a program on its standard input', async () => {
  assert.deepEqual(await leaks(everyForm, (names) => names.map((name) => `node read.js < ${name}`).join('; ')), []);
});

test('words, variables and here-documents of a command', async () => {
  bench.says(() => printed(''));
  const token = `gh${'p'}_${'a1B2c3D4e5F6'.repeat(3)}`;
  const key = `sk-${'ant'}-api03-${'Zx9'.repeat(31)}AA`;
  const word = 'correcthorse42battery';
  const predicted = await bench.predict(
    `TOKEN=${token} node login.js --password ${word}; node use.js <<EOF\nkey: ${key}\nEOF\ncurl -u me:${word} https://example.com/${token}`,
  );
  assert.deepEqual(found(bench.prompts().join('\n'), [token, key, word]), []);
  assert.deepEqual(found(kept(predicted), [token, key, word]), []);
  assert.ok(predicted.prediction.questions.some(({ redacted }) => redacted.length > 0));
});

test('what an imagined program printed and a file that the script wrote', async () => {
  const token = `gl${'pat'}-${'q7W8e9R0t1Y2u3I4o5P6'}`;
  bench.says((words) => (words === 'node mint.js' ? printed('made\n') : printed('')));
  await bench.predict(`echo 'GITLAB=${token}' > .env.made; node mint.js; node use.js .env.made < .env.made`);
  assert.deepEqual(found(bench.prompts().join('\n'), [token]), []);
});
