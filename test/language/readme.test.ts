import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const readme = fs.readFileSync('README.md', 'utf8');

/** The blocks of code in the part about prompts, in their order. */
function blocksOf(language: string): string[] {
  const part = readme.slice(readme.indexOf('\n## Debug prompts'));
  return [...part.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  );
}

/** Starts what the first block says, on a free port; resolves to the address. */
function serveModel(command: string, context: { after(end: () => void): void }): Promise<string> {
  const [node, ...args] = command.trim().split('\n').at(-1)?.split(' ') ?? [];
  assert.equal(node, 'node');
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PORT: '0' },
  });
  context.after(() => child.kill());
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout.once('data', (line: Buffer) => resolve(JSON.parse(line.toString()).baseUrl));
  });
}

test('the ten minutes with prompts go as the README says', async (context) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-readme-'));
  context.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const repository = path.join(folder, 'repository');
  fs.mkdirSync(repository);
  for (const args of [
    ['init', '-q'],
    ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'a'],
  ])
    assert.equal(spawnSync('git', args, { cwd: repository }).status, 0);
  const [serving = '', steps = ''] = blocksOf('sh');
  const baseUrl = await serveModel(serving, context);
  const script = steps
    .replaceAll('/tmp/', `${folder}/`)
    .replace('~/your/repository', repository)
    .replace('~/foretell', process.cwd())
    .replaceAll('http://127.0.0.1:8000', baseUrl);
  const foretell = `foretell() { '${process.execPath}' '${path.resolve('dist/cli.js')}' "$@"; }`;
  const child = spawn('bash', ['-euc', `${foretell}\n${script}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => {
    output += piece.toString();
  });
  child.stderr.on('data', (piece: Buffer) => {
    errors += piece.toString();
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(status, 0, errors);
  const shown = (blocksOf('text')[0] ?? '').split('\n').map((line) => line.replace(/ *…$/, '').trim());
  const printed = output.split('\n').map((line) => line.trim());
  for (const line of shown)
    assert.ok(
      printed.some((one) => one.startsWith(line)),
      `${line}\nis not in\n${output}`,
    );
});
