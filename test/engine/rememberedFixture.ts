import fs from 'node:fs';
import path from 'node:path';
import { type ForetellRequest, foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { longestAgeMs, type MemoryUse } from '../../src/core/worlds/remembered/memoryStore.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

export const { foretell, folder, workspace } = throwAwayForetell('remembered', { spareLaunchers: 2 });

export const usual = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder, MODE: 'one' };
export const memory: MemoryUse = {
  ...{ folder: path.join(folder, 'memory'), version: 'test', mostBytes: 50e6, mostAgeMs: longestAgeMs },
};

export type Options = Partial<Omit<ForetellRequest, 'action'>> & { after?(view: { read: Read }): Promise<void> };
export type Read = (path: string, moment: 'before' | 'after') => Promise<Uint8Array | undefined>;

export async function predict(
  script: string,
  cwd: string,
  options: Options = {},
): Promise<Prediction & { stdout: string }> {
  const { after, ...given } = options;
  const action = { kind: 'command', script, shell: 'bash', cwd } as const;
  const consent = { folder: cwd, programs: 'all' } as const;
  const request = { action, env: usual, consent, memory, signal: new AbortController().signal, ...given };
  const { events, view } = foretell.predict(request);
  const prediction = await foldAll(action, events);
  await after?.(view);
  await view.close();
  return { ...prediction, stdout: prediction.output.map(({ text = '' }) => text).join('') };
}

export const isRemembered = ({ engine }: Prediction) => engine === 'remembered';
export const shut: Options = { consent: undefined };
/** What was changed less than a clock tick of the file system before a run may have been changed during it. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 60));

export const app = `
const fs = require('fs');
const say = (name, make) => { try { console.log(name, make()); } catch (error) { console.log(name, error.code); } };
say('content', () => fs.readFileSync('data/a.txt', 'utf8'));
say('config', () => fs.readFileSync('config.json', 'utf8'));
say('list', () => fs.readdirSync('data/list').join());
say('link', () => fs.readlinkSync('link'));
say('linked', () => fs.readFileSync('link', 'utf8'));
say('status', () => { const { mode, mtimeMs, size } = fs.lstatSync('data/b.txt'); return [mode, mtimeMs, size].join(); });
say('there', () => fs.existsSync('data/maybe'));
say('mode', () => process.env.MODE);
say('tool', () => require('child_process').execFileSync('./tool.sh', { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
say('folder', () => fs.statSync('data/sub').isDirectory());
fs.mkdirSync('out', { recursive: true });
fs.writeFileSync('out/made.txt', fs.readFileSync('data/a.txt'));
if (fs.existsSync('old.txt')) fs.rmSync('old.txt');
`;

export const files = {
  ...{ 'app.js': app, 'data/a.txt': 'a\n', 'data/b.txt': 'b\n', 'data/c.txt': 'c\n', 'data/list/one': '1' },
  ...{ 'data/sub/x': 'x', 'tool.sh': '#!/bin/sh\necho tool $MODE\n', 'old.txt': 'old\n', 'other.txt': 'other\n' },
};

export async function project(): Promise<string> {
  const place = workspace(files);
  fs.symlinkSync('data/a.txt', path.join(place, 'link'));
  await settle();
  return place;
}

/** All that is said. The program has nothing of the moment, so what is marked as such counts too: a time of a file may look like it. */
export function asSaid({ output, files: changes, exitCode, effects, verdict, loss, programs }: Prediction): unknown {
  return {
    ...{ exitCode, level: verdict.level, loss: loss.map(({ path: name, recovery }) => [name, recovery]) },
    text: output.map(({ text }) => text).join(''),
    changed: changes.map(({ basis: _, volatile: __, ...change }) => change),
    effects: effects.map(({ effect, detail }) => [effect, detail]),
    programs: programs.map(({ argv, exitCode: code }) => `${argv.join(' ')}: ${code}`).sort(),
  };
}

/** The same sequence of numbers for the same seed (mulberry32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export const names = [
  ...[
    'app.js',
    'data',
    'data/a.txt',
    'data/b.txt',
    'data/c.txt',
    'data/list',
    'data/list/one',
    'data/list/two',
    'data/maybe',
  ],
  ...[
    'data/sub',
    'data/sub/x',
    'link',
    'tool.sh',
    'old.txt',
    'other.txt',
    'config.json',
    'out',
    'out/made.txt',
    'unread/deep',
  ],
];

/** Makes one small change, which can also be none. */
export function edit(place: string, pick: (below: number) => number): void {
  const name = (from = names) => path.join(place, from[pick(from.length)] ?? '');
  const file = name();
  const other = name();
  const actions: (() => void)[] = [
    () => fs.writeFileSync(file, `${pick(9)}\n`),
    () => fs.appendFileSync(file, '\n'),
    () => {
      const { atime, mtime } = fs.statSync(file);
      fs.writeFileSync(file, `${pick(9)}\n`);
      fs.utimesSync(file, atime, mtime);
    },
    () => fs.rmSync(file, { recursive: true }),
    () => fs.mkdirSync(file, { recursive: true }),
    () => fs.chmodSync(file, [0o644, 0o600, 0o755][pick(3)] ?? 0o644),
    () => fs.utimesSync(file, pick(1000), pick(1000)),
    () => fs.renameSync(file, other),
    () => fs.copyFileSync(file, other),
    () => {
      fs.rmSync(file, { force: true });
      fs.symlinkSync(path.relative(path.dirname(file), other), file);
    },
    () => fs.linkSync(file, other),
    () => fs.writeFileSync(path.join(place, 'unread.txt'), String(pick(99))),
    () => fs.writeFileSync(path.join(place, 'data/c.txt'), String(pick(99))),
    () => fs.readFileSync(file),
    () => {},
  ];
  try {
    actions[pick(actions.length)]?.();
  } catch {}
  // So that there is always something to run.
  if (pick(4) === 0) for (const [each, text] of Object.entries(files)) restore(path.join(place, each), text);
}

export function restore(file: string, text: string): void {
  try {
    if (fs.readFileSync(file, 'utf8') === text) return;
  } catch {}
  try {
    fs.rmSync(file, { recursive: true, force: true });
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  } catch {}
}

// A share of them each time; FORETELL_EDITS=500 for all.
export const edits = Number(process.env['FORETELL_EDITS'] ?? 24);
export const seed = Number(process.env['FORETELL_SEED'] ?? 7);
