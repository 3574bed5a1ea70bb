/**
 * What agents' packages really do with edits: each is started against a scripted model on loopback, in a throw-away folder, and
 * makes the calls of its driver. The replies and the files become `test/fixtures/agentEdits/<agent>@<version>.jsonl`, which
 * `test/engine/agentEdits.test.ts` compares with predictions. Packages come from the npm registry into the cache, never into the
 * repository.
 *
 *   node test/bench.mjs agents NAME [--package FOLDER] [--update]    FOLDER: an unpacked package
 */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { goneAtExit } from '../../temporaryFolder.ts';
import { changedIn, type ObservedCase, placed, placeFiles, unplaced } from './agentCase.ts';
import { type AgentDriver, drivers } from './drivers.ts';
import { type ScriptedCall, serveScript, type ToolReply } from './scriptedModel.ts';

const { values: flags, positionals } = parseArgs({
  options: { package: { type: 'string' }, update: { type: 'boolean' } },
  allowPositionals: true,
});
const [name = ''] = positionals;
const driver = drivers[name];
if (driver) process.exitCode = await main(driver);
else {
  console.error(`There is no agent called ${name}; choose from ${Object.keys(drivers).join(', ')}.`);
  process.exitCode = 2;
}

async function main(driver: AgentDriver): Promise<number> {
  const folder = flags.package ?? unpack(driver);
  const made = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  const version = made.version.replace(`-${driver.tag}`, '');
  const observed = await observe(driver, path.resolve(folder));
  const lines = observed.map((one) => `${JSON.stringify(one)}\n`);
  const file = path.resolve(
    'test/fixtures/agentEdits',
    `${name.split('-')[0]}@${version}${/-.*/.exec(name)?.[0] ?? ''}.jsonl`,
  );
  const kept = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split(/(?<=\n)/) : [];
  const others = lines.filter((line, index) => !kept.includes(line) && !driver.cases[index]?.isRandom);
  for (const line of others) console.log(`not as kept: ${line.trimEnd()}`);
  if (flags.update) fs.writeFileSync(file, lines.join(''));
  console.log(`${name} ${version}: ${lines.length - others.length} of ${lines.length} calls as kept`);
  return others.length === 0 || flags.update ? 0 : 1;
}

function unpack({ package: name, tag }: AgentDriver): string {
  const version = tag ? `@${execFileSync('npm', ['view', name, 'version'], { encoding: 'utf8' }).trim()}-${tag}` : '';
  const cache = path.resolve('test/.cache/agents', name.replaceAll('/', '+'));
  fs.mkdirSync(cache, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', cache, `${name}${version}`], {
    encoding: 'utf8',
  });
  execFileSync('tar', ['xzf', path.join(cache, packed.trim().split('\n').at(-1) ?? ''), '-C', cache]);
  return path.join(cache, 'package');
}

async function observe(driver: AgentDriver, folder: string): Promise<ObservedCase[]> {
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-agent-')));
  goneAtExit(home);
  const root = path.join(home, 'root');
  const cases = driver.cases.map((one, index) => ({
    ...one,
    id: `call${index}`,
    folder: path.join(root, `c${index}`),
  }));
  for (const one of cases) placeFiles(one.folder, one.files);
  const replies = new Map<string, ToolReply>();
  const calls = (function* (): Generator<ScriptedCall> {
    for (const { id, tool, args, reads, folder } of cases) {
      const file = reads === undefined ? undefined : path.resolve(root, placed(reads, folder));
      if (file !== undefined && driver.read && fs.existsSync(file)) yield { id: `${id}r`, ...driver.read(file) };
      yield { id, name: tool, args: placed(args, folder) };
    }
  })();
  const server = await serveScript(driver.protocol, {
    tool: driver.tool,
    next: () => calls.next().value ?? undefined,
    reply: (id, reply) => replies.set(id, reply),
  });
  const { argv, env } = driver.start({ package: folder, home, url: server.url });
  const [program = '', ...args] = argv;
  const child = spawn(program, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: home, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise((resolve) => child.on('exit', resolve));
  server.close();
  return cases.map(({ tool, name, files, args, id, folder }) => {
    const reply = replies.get(id);
    const words = reply ? unplaced(driver.plain?.(reply.text) ?? reply.text, folder) : null;
    const failed = reply?.isError === undefined ? {} : { isError: reply.isError };
    return { tool, name, files, args, words, ...failed, changed: changedIn(folder, files) };
  });
}
