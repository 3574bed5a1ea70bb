/**
 * `node test/bench.mjs policy`: how many questions policies by effect save, and what passes them, beside a list of allowed
 * words as agents have it. Commands of the labelled corpora are predicted as an ordinary user in a throw-away fixture and never
 * run. Options: `--every N` (each Nth command; default 20), `--first N`, `--calls FILE` (more commands, one JSON object with
 * `command` a line), `--out FILE`. Exit code 0: no policy passes what would be lost for good, and each shipped policy but
 * `careful` asks less than the list.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { isLostForGood } from '../../src/core/facts/recovery.ts';
import { createForetell, type Foretell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { confirmed, policyDecision } from '../../src/core/policy/policyDecision.ts';
import { type PresetName, presetNames, presets } from '../../src/core/policy/presets.ts';
import { truthEnvironment } from '../truth/fixture.ts';
import { identityFor } from '../truth/identity.ts';
import { makeBase } from '../truth/place.ts';
import { buildVotesFixture } from '../truth/votesFixture.ts';

const { values: flags } = parseArgs({
  options: {
    every: { type: 'string', default: '20' },
    first: { type: 'string', default: '0' },
    calls: { type: 'string' },
    out: { type: 'string', default: 'test/.out/policy.json' },
    inside: { type: 'string' },
  },
});

const Asked = z.object({ command: z.string(), votes: z.optional(z.record(z.string(), z.array(z.string()))) });

/** What came of one command. */
const Row = z.object({
  command: z.string(),
  /** Two corpora: what other projects' tests label, and what agents called. */
  of: z.enum(['labelled', 'called']),
  /** Somebody calls it dangerous, and nobody safe. */
  isDanger: z.boolean(),
  /** By the prediction: something is lost for good. */
  loses: z.boolean(),
  words: z.boolean(),
  allowed: z.array(z.string()),
});
type Row = z.infer<typeof Row>;

/** Makes the fixture, and does the rest as its user. */
function outside(): number {
  const identity = identityFor('user');
  if (!identity) return 2;
  const base = makeBase('policy', identity);
  const root = join(base, 'run');
  mkdirSync(root);
  mkdirSync('test/.out', { recursive: true });
  try {
    buildVotesFixture(root, identity);
    const asUser = process.getuid?.() === 0 ? { uid: identity.uid, gid: identity.gid } : {};
    const { stdout, status, stderr } = spawnSync(
      process.execPath,
      [
        process.argv[1] ?? '',
        '--inside',
        root,
        '--every',
        flags.every,
        '--first',
        flags.first,
        ...(flags.calls ? ['--calls', flags.calls] : []),
      ],
      { env: truthEnvironment(root, identity), encoding: 'utf8', maxBuffer: 2 ** 28, ...asUser },
    );
    if (status !== 0) {
      console.error(stderr);
      return 1;
    }
    const rows = z.array(Row).parse(JSON.parse(stdout));
    writeFileSync(flags.out, `${JSON.stringify(rows, undefined, 1)}\n`);
    return report(rows);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function report(rows: readonly Row[]): number {
  const lines = [
    '| | commands | asked | passes what is lost for good | passes what is called dangerous |',
    '| --- | --: | --: | --: | --: |',
  ];
  let isGood = true;
  for (const of of ['labelled', 'called'] as const) {
    const mine = rows.filter((row) => row.of === of);
    if (mine.length === 0) continue;
    const asked = (allows: (row: Row) => boolean) => mine.filter((row) => !allows(row)).length;
    const line = (title: string, allows: (row: Row) => boolean) => {
      const passed = mine.filter(allows);
      const lost = passed.filter(({ loses }) => loses);
      lines.push(
        `| ${of}: ${title} | ${mine.length} | ${asked(allows)} | ${lost.length} | ${passed.filter(({ isDanger }) => isDanger).length} |`,
      );
      return lost.length;
    };
    line('a list of words', ({ words }) => words);
    for (const name of presetNames) {
      const allows = ({ allowed }: Row) => allowed.includes(name);
      if (line(name, allows) > 0) isGood = false;
      if (name !== 'careful' && asked(allows) >= asked(({ words }) => words)) isGood = false;
    }
  }
  console.log(lines.join('\n'));
  for (const { command, allowed } of rows.filter((row) => row.isDanger && row.allowed.length > 0))
    console.log(`called dangerous, passes ${allowed.join(', ')}: ${JSON.stringify(command)}`);
  return isGood ? 0 : 1;
}

async function inside(root: string): Promise<number> {
  const read = (file: string) =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => Asked.parse(JSON.parse(line)));
  const some = <T>(list: readonly T[]) => list.filter((_, at) => at % Number(flags.every) === Number(flags.first));
  const labelled = some(read(resolve('test/fixtures/votes/commands.jsonl')));
  const called = flags.calls === undefined ? [] : some(read(flags.calls));
  const foretell = createForetell({ launcher: launcherPath(resolve('dist')), ownHost: true });
  const queue = [
    ...labelled.map((row) => ({ ...row, of: 'labelled' as const })),
    ...called.map((row) => ({ ...row, of: 'called' as const })),
  ];
  const rows: Row[] = [];
  const work = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      const votes = row.votes ?? {};
      const isDanger = (votes['danger']?.length ?? 0) > 0 && !votes['safe'];
      const cwd = join(root, /\bmerge\b/.test(row.command) ? 'merging' : 'project');
      const { command, of } = row;
      rows.push({
        command,
        of,
        isDanger,
        words: allowedByWords(command),
        ...(await judge(foretell, command, cwd, root)),
      });
    }
  };
  await Promise.all([work(), work()]);
  await foretell.dispose();
  process.stdout.write(JSON.stringify(rows));
  return 0;
}

async function judge(foretell: Foretell, script: string, cwd: string, root: string) {
  const action = { kind: 'command', script, shell: 'bash', cwd } as const;
  const predicted = foretell.predict({
    ...{ action, hash: true, trusted: true, compared: true, limits: { wallMs: 5_000 } },
    signal: new AbortController().signal,
  });
  const prediction = await foldAll(action, predicted.events);
  const inputs = predicted.inputs?.([]);
  const allows = (name: PresetName) => {
    const layers = [{ origin: 'preset', file: name, rules: presets[name].rules, mayAllow: true }] as const;
    const said = policyDecision(prediction, {
      policies: { layers, problems: [] },
      root: cwd,
      home: join(root, 'home'),
    });
    return confirmed(said, inputs).kind === 'allow';
  };
  const found = { loses: prediction.loss.some(isLostForGood), allowed: presetNames.filter(allows) };
  await predicted.view.close();
  return found;
}

/** What agents let through unasked by the beginnings of words, and what people allow besides in their settings. */
const beginnings = [
  ...['git status', 'git diff', 'git log', 'git show', 'git branch', 'git remote -v', 'git rev-parse', 'git blame'],
  ...['ls', 'cat', 'head', 'tail', 'grep', 'rg', 'find', 'wc', 'pwd', 'echo', 'which', 'date', 'tree', 'sort', 'uniq'],
  ...[
    'cut',
    'file',
    'stat',
    'du',
    'df',
    'whoami',
    'uname',
    'env',
    'sed -n',
    'diff',
    'basename',
    'dirname',
    'true',
    'cd',
  ],
  ...['npm test', 'npm run build', 'npm run lint', 'mkdir', 'git add', 'git commit'],
];

/** As agents do: each part between operators has to begin with allowed words, and nothing is substituted or redirected. */
function allowedByWords(script: string): boolean {
  if (/[`<>]|\$\(/.test(script)) return false;
  const parts = script.split(/&&|\|\||[;|&\n]/).map((part) => part.trim());
  return parts.every((part) => beginnings.some((one) => part === one || part.startsWith(`${one} `)));
}

process.exitCode = flags.inside === undefined ? outside() : await inside(flags.inside);
