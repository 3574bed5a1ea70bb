import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hookAgents } from '../../../src/core/hooks/hookAgents.ts';
import type { Fields, HookCall } from '../../../src/core/hooks/hookCall.ts';
import type { SettingsScope } from '../../../src/core/hooks/settings/agentSettings.ts';
import { commitAll } from '../../gitSettings.ts';
import { goneAtExit } from '../../temporaryFolder.ts';
import { type ScriptedCall, serveScript, type ToolReply } from '../agents/scriptedModel.ts';
import type { ClientCall, ClientDriver } from './drivers.ts';
import { type ReleaseSeen, releaseCalls } from './releases.ts';

/** What the client is made to do, and what has to come of it. */
interface Step {
  name: string;
  call(driver: ClientDriver, cwd: string): ClientCall;
  /** Calls that lead to it. */
  before?(driver: ClientDriver, cwd: string): ClientCall[];
  /** What is read before, where the client insists on it. */
  reads?: string;
  /** What our hook has to say. */
  expected: 'nothing' | 'note' | 'deny';
  /** What the folder is like afterwards if the client has obeyed. */
  isObeyed(cwd: string): boolean;
}

const contentOf = (cwd: string, name: string): string => {
  const file = path.join(cwd, name);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
};

/** In this order: a program whose effects are unknown may not come before what is compared. */
export const steps: readonly Step[] = [
  {
    name: 'danger',
    call: (driver) => driver.command('rm -rf precious'),
    expected: 'deny',
    isObeyed: (cwd) => contentOf(cwd, 'precious/work.txt') === 'work\n',
  },
  {
    name: 'safe',
    call: (driver) => driver.command('cat kept.txt > copy.txt'),
    expected: 'nothing',
    isObeyed: (cwd) => contentOf(cwd, 'copy.txt') === contentOf(cwd, 'kept.txt'),
  },
  {
    name: 'overwrite',
    call: (driver, cwd) => driver.write(path.join(cwd, 'notes.txt'), 'other\n'),
    reads: 'notes.txt',
    expected: 'deny',
    isObeyed: (cwd) => contentOf(cwd, 'notes.txt') === 'one\ntwo\n',
  },
  {
    name: 'edit',
    call: (driver, cwd) => driver.edit(path.join(cwd, 'edited.txt'), 'kept', 'held'),
    reads: 'edited.txt',
    expected: 'nothing',
    isObeyed: (cwd) => contentOf(cwd, 'edited.txt') === 'held\n',
  },
  {
    name: 'fails',
    call: (driver) => driver.command('cat missing.txt'),
    expected: 'note',
    isObeyed: () => true,
  },
  {
    name: 'unknown',
    call: (driver) => driver.command('node made.mjs'),
    expected: 'note',
    isObeyed: (cwd) => contentOf(cwd, 'made.json') !== '',
  },
  {
    name: 'elsewhere',
    before: (driver, cwd) => driver.commandIn(path.join(cwd, 'below'), 'rm -rf draft').slice(0, -1),
    call: (driver, cwd) => driver.commandIn(path.join(cwd, 'below'), 'rm -rf draft').at(-1) as ClientCall,
    expected: 'deny',
    isObeyed: (cwd) => contentOf(cwd, 'below/draft/work.txt') === 'work\n',
  },
];

/** What the client did at one step. */
export interface StepSeen {
  name: string;
  expected: Step['expected'];
  isAsked: boolean;
  said: Step['expected'];
  isObeyed: boolean;
  /** The model was told what our hook said; `undefined`: it said nothing. */
  isTold: boolean | undefined;
  /** Our hook was called behind the call too. */
  isComparable: boolean;
  reply: string;
}

/** What one client did. */
export interface ClientSeen {
  steps: StepSeen[];
  /** What it sent to our hook: each first one of a step, before and behind the call, with the names of this machine taken away. */
  events: { step: string; moment: 'before' | 'after'; event: Fields }[];
  /** What became of a denied call that the user let through. */
  releases: ReleaseSeen[];
  /** What became of calls that were compared with their predictions. */
  compared: { calls: number; hits: number; counted: number };
  /** Tools that it offers to its model. */
  tools: string[];
  /** Names of the variables that its shell has and that we do not set. */
  variables: string[];
  /** What it printed. */
  printed: string;
}

function makeRepository(cwd: string): void {
  fs.mkdirSync(cwd);
  for (const name of ['kept.txt', 'edited.txt']) fs.writeFileSync(path.join(cwd, name), 'kept\n');
  const made = "import fs from 'node:fs';\nfs.writeFileSync('made.json', JSON.stringify(Object.keys(process.env)));\n";
  fs.writeFileSync(path.join(cwd, 'made.mjs'), made);
  commitAll(cwd);
  fs.writeFileSync(path.join(cwd, 'notes.txt'), 'one\ntwo\n');
  for (const folder of ['precious', 'below/draft']) {
    fs.mkdirSync(path.join(cwd, folder), { recursive: true });
    fs.writeFileSync(path.join(cwd, folder, 'work.txt'), 'work\n');
  }
}

/** Our installer writes the hooks; the program that they name keeps what it is asked and what it answers. */
function installHooks(
  driver: ClientDriver,
  scope: SettingsScope,
  { home, cwd, env }: { home: string; cwd: string; env: Record<string, string> },
): string {
  const cli = path.resolve('dist/cli.js');
  execFileSync(process.execPath, [cli, 'hooks', 'install', driver.agent, `--${scope}`, '--yes'], { cwd, env });
  const bin = path.join(home, '.local/share/foretell/bin');
  const real = path.join(home, 'real');
  const record = path.join(home, 'record');
  fs.cpSync(bin, real, { recursive: true });
  fs.mkdirSync(record);
  const lines = [
    '#!/bin/sh',
    `at=$(mktemp -d ${record}/$(date +%s%N)-XXXXXX)`,
    'cat > "$at/event"',
    `${real}/foretell-hook "$@" < "$at/event" > "$at/answer"`,
    'status=$?; cat "$at/answer"; exit "$status"',
  ];
  fs.rmSync(path.join(bin, 'foretell-hook'));
  fs.writeFileSync(path.join(bin, 'foretell-hook'), `${lines.join('\n')}\n`, { mode: 0o755 });
  return record;
}

interface Recorded {
  event: Fields;
  call: HookCall | undefined;
  answer: string;
}

function recorded(folder: string, driver: ClientDriver): Recorded[] {
  return fs
    .readdirSync(folder)
    .sort()
    .map((name) => {
      const event = JSON.parse(fs.readFileSync(path.join(folder, name, 'event'), 'utf8')) as Fields;
      const answer = fs.readFileSync(path.join(folder, name, 'answer'), 'utf8');
      return { event, call: hookAgents[driver.agent].read(event), answer };
    });
}

/** What is in an answer, whoever's form it has; the longest text of it is what the model is to read. */
function saidIn(answer: string): { said: Step['expected']; text: string } {
  const value: unknown = answer === '' ? {} : JSON.parse(answer);
  const texts: string[] = [];
  const words: string[] = [];
  const walk = (one: unknown, key: string) => {
    if (typeof one === 'object' && one !== null) for (const [name, inner] of Object.entries(one)) walk(inner, name);
    else if (typeof one === 'string') (one.includes('\n') ? texts : words).push(key === 'deny' ? 'deny' : one);
    if (key === 'deny' && typeof one === 'string') texts.push(one);
  };
  walk(value, '');
  const text = texts.filter((one) => one !== 'deny').sort((a, b) => b.length - a.length)[0] ?? '';
  const isDenied = words.includes('deny') || texts.includes('deny');
  return { said: isDenied ? 'deny' : text === '' ? 'nothing' : 'note', text };
}

/** Runs one client through all steps. `packages`: the folder `node_modules` in which it is installed. */
export async function runClient(
  driver: ClientDriver,
  packages: string,
  { scope, mostSeconds }: { scope: SettingsScope; mostSeconds: number },
): Promise<ClientSeen> {
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-client-')));
  goneAtExit(home);
  const cwd = path.join(home, 'repo');
  makeRepository(cwd);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', TERM: 'dumb' };
  const record = installHooks(driver, scope, { home, cwd, env });
  const replies = new Map<string, ToolReply>();
  const requests: string[] = [];
  const releases: ReleaseSeen[] = [];
  const calls = (function* (): Generator<ScriptedCall> {
    for (const { name, reads, before, call } of steps) {
      for (const [at, one] of (before?.(driver, cwd) ?? []).entries()) yield { id: `call_${name}_${at}`, ...one };
      if (reads !== undefined && driver.read) yield { id: `call_${name}_read`, ...driver.read(path.join(cwd, reads)) };
      yield { id: `call_${name}`, ...call(driver, cwd) };
    }
    yield* releaseCalls({ driver, cwd, home, env, record }, releases);
  })();
  const server = await serveScript(driver.protocol, {
    tool: driver.tool,
    next: () => calls.next().value ?? undefined,
    reply: (id, reply) => replies.set(id, reply),
    asked: (_url, text) => requests.push(text),
  });
  const { args, env: more } = driver.start({ home, cwd, url: server.url });
  const program = path.join(packages, driver.program);
  await driver.trust?.(program, { home, cwd, env: { ...env, ...more } });
  const printed = await ranIn(program, args, cwd, { ...env, ...more }, mostSeconds);
  server.close();
  const events = recorded(record, driver);
  const all = requests.join('\n');
  const found = steps.map((step) => {
    const { name, isObeyed } = step;
    const expected = name === 'overwrite' && driver.refusesToOverwrite ? 'note' : step.expected;
    const mine = events.filter(({ call }) => call && isOf(step, call, driver, cwd));
    const before = mine.find(({ call }) => call?.observed === undefined);
    const { said, text } = saidIn(before?.answer ?? '');
    const line =
      text.split('\n').find((one) => /^(?:DANGER|CAUTION|UNKNOWN|Not known)/.test(one)) ?? text.split('\n')[0] ?? '';
    return {
      mine,
      seen: {
        name,
        expected,
        isAsked: before !== undefined,
        said,
        isObeyed: isObeyed(cwd),
        isTold: said === 'nothing' ? undefined : all.includes(JSON.stringify(line).slice(1, -1)),
        isComparable: mine.some(({ call }) => call?.observed !== undefined),
        reply: replies.get(`call_${name}`)?.text ?? '',
      } satisfies StepSeen,
    };
  });
  const status = execFileSync(process.execPath, [path.resolve('dist/cli.js'), 'hooks', 'status', '--json'], {
    cwd,
    env,
    encoding: 'utf8',
  });
  const { observed } = JSON.parse(status) as { observed: { calls: number; whole: { hits: number; counted: number } } };
  await endService(home);
  return {
    steps: found.map(({ seen }) => seen),
    events: found.flatMap(({ mine, seen: { name } }) =>
      (['before', 'after'] as const).flatMap((moment) => {
        const one = mine.find(({ call }) => (call?.observed === undefined) === (moment === 'before'));
        return one ? [{ step: name, moment, event: withoutPlace(one.event, home) }] : [];
      }),
    ),
    compared: { calls: observed.calls, hits: observed.whole.hits, counted: observed.whole.counted },
    releases,
    tools: toolsIn(requests),
    variables: variablesIn(cwd, { ...env, ...more }),
    printed,
  };
}

/** Names of all tools in requests, whatever the protocol. */
function toolsIn(requests: readonly string[]): string[] {
  const names = new Set<string>();
  const add = (tool: Fields) => {
    for (const one of [tool, tool['function']] as (Fields | undefined)[])
      if (typeof one?.['name'] === 'string') names.add(one['name']);
    const inner = tool['functionDeclarations'] ?? tool['tools'];
    if (Array.isArray(inner)) inner.forEach(add);
  };
  for (const request of requests) {
    const { tools } = JSON.parse(request === '' ? '{}' : request) as { tools?: Fields[] };
    tools?.forEach(add);
  }
  return [...names].sort();
}

function variablesIn(cwd: string, ours: Record<string, string>): string[] {
  const text = contentOf(cwd, 'made.json');
  const names = text === '' ? [] : (JSON.parse(text) as string[]);
  return names.filter((name) => !(name in ours)).sort();
}

/** Whether a call that our hook read is that of a step. */
function isOf(step: Step, { deed }: HookCall, driver: ClientDriver, cwd: string): boolean {
  const wanted = JSON.stringify(step.call(driver, cwd).args);
  if (deed.kind === 'command') return wanted.includes(JSON.stringify(deed.script));
  const file = { overwrite: 'notes.txt', edit: 'edited.txt' }[step.name];
  return file !== undefined && JSON.stringify(deed.call.arguments).includes(file);
}

async function ranIn(
  program: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
  mostSeconds: number,
): Promise<string> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      printed += piece;
    });
  const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), 1_000 * mostSeconds);
  await new Promise((resolve) => {
    child.on('close', resolve);
    child.on('error', resolve);
  });
  clearTimeout(timer);
  return printed;
}

/** Ends the service that the hooks of this home have started. */
async function endService(home: string): Promise<void> {
  const folder = `service\0run\0--folder\0${home}/`;
  const mine = () => fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && wordsOf(name).includes(folder));
  for (const id of mine()) process.kill(Number(id), 'SIGTERM');
  for (let tries = 0; mine().length > 0 && tries < 250; tries++)
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
}

function wordsOf(process: string): string {
  try {
    return fs.readFileSync(`/proc/${process}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** An event as anybody's client would send it, the same at each run. */
function withoutPlace(event: Fields, home: string): Fields {
  const text = JSON.stringify(event)
    .replaceAll(`${home}/repo`, '/repo')
    .replaceAll(home, '/home/u')
    .replaceAll(home.replaceAll('/', '-'), '-home-u')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '01990000-0000-7000-8000-000000000000')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d(?:[:-]\d\d)?(?:\.\d+)?Z?/g, '2026-11-23T09:00:00.000Z')
    .replaceAll(
      /"(timestamp|duration_ms)":\d+/g,
      (_, name) => `"${name}":${name === 'timestamp' ? 1_764_000_000_000 : 7}`,
    );
  return JSON.parse(text) as Fields;
}
