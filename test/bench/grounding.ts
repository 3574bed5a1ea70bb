/**
 * `node test/bench.mjs grounding`: how much of what a command prints was in the workspace before, and how much of that a
 * prompt shows, by budget of tokens.
 *
 * Options: `--budgets 4000,16000,64000`, `--kinds grep,find`, `--every N` (each Nth case of the suite; default 6, 1 takes half an hour), `--sequences FOLDER`,
 * `--out FOLDER`, `--missing N` (print N lines that a prompt lacks, for the middle budget).
 *
 * Commands: the truth suite, and the steps of MKRWW that ask for what existed before. Each really runs in a fixture; a line
 * of its output counts when it existed before (in a file, a name, or git's history), and is found when an observation has
 * it. The context is captured from the text of the command, before it runs. *Strict* leaves out commands of which a part
 * is itself among the looks.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { captureContext } from '../../src/core/context/captureContext.ts';
import type { ContextMemory } from '../../src/core/context/gather/contextMemory.ts';
import { findNamedPrograms } from '../../src/core/context/gather/scriptPrograms.ts';
import { homeFolder } from '../../src/core/context/user.ts';
import type { Observation, WorkspaceContext } from '../../src/core/context/workspaceContext.ts';
import type { Looker } from '../../src/core/view/view.ts';
import { readCases } from '../truth/cases.ts';
import { type OpenPlace, openPlace } from './groundingPlace.ts';
import { existedBefore, isShown, isShownLoosely, outputLines, shownIn, type World } from './groundingWorld.ts';

const { values: flags } = parseArgs({
  options: {
    budgets: { type: 'string', default: '4000,16000,64000' },
    kinds: { type: 'string' },
    every: { type: 'string', default: '6' },
    sequences: { type: 'string', default: 'test/fixtures/mkrww/seqs' },
    out: { type: 'string', default: 'test/.out' },
    missing: { type: 'string', default: '0' },
  },
});

const budgets = flags.budgets.split(',').map(Number);

interface Row {
  group: string;
  command: string;
  /** Lines that existed before. */
  lines: number;
  /** Of these, how many the prompt has: without grounding, then for each budget. */
  found: number[];
  tokens: number[];
  /** A part of the command is itself among the looks. */
  sameLook: boolean;
  missing: string[];
  captureMs: number;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const place = await openPlace();
  const rows: Row[] = [];
  try {
    const kinds = flags.kinds?.split(',');
    const cases = readCases('test/truth/cases').filter(
      (one, index) => index % Number(flags.every) === 0 && (!kinds || kinds.includes(one.kind)) && one.only !== 'user',
    );
    for (const one of cases) {
      const script = one.steps[0];
      if (script !== undefined) rows.push(...(await measure(place, script, one.kind, place.world)));
    }
    for (const file of readdirSync(flags.sequences).sort()) {
      if (!file.startsWith('preexisting')) continue;
      for (const script of JSON.parse(readFileSync(join(flags.sequences, file), 'utf8')) as string[]) {
        rows.push(...(await measure(place, script, 'MKRWW, existed before', undefined)));
      }
    }
  } finally {
    await place.close();
  }
  mkdirSync(flags.out, { recursive: true });
  writeFileSync(join(flags.out, 'grounding.json'), `${JSON.stringify(rows, null, 1)}\n`);
  console.log(table(rows));
  for (const row of rows.filter((one) => one.missing.length > 0).slice(0, Number(flags.missing))) {
    console.log(`\n${row.group}: ${row.command}\n  ${row.missing.slice(0, 4).join('\n  ')}`);
  }
  return 0;
}

/** Nothing where the command prints nothing that existed before. */
async function measure(place: OpenPlace, script: string, group: string, world: World | undefined): Promise<Row[]> {
  const cwd = world ? place.project : place.empty;
  const captured: WorkspaceContext[] = [];
  for (const budgetTokens of budgets)
    captured.push(await capture(place.looker, place.memory(), script, cwd, budgetTokens));
  if (process.env['FORETELL_BENCH_TRACE'])
    console.error(captured.map((one) => one.durationMs.toFixed(0)).join(' '), script);
  const output = await place.run(script, cwd);
  // All that MKRWW's steps print existed before: that is what they were chosen for.
  const lines = outputLines(output)
    .map((line) => (world ? existedBefore(line, world) : [line]))
    .filter((forms) => forms.length > 0);
  if (lines.length === 0) return [];
  // The action is part of every prompt.
  const screens = [[], ...captured.map((context) => context.observations.map((one) => turnText(one, cwd)))].map(
    (texts) => shownIn([script, ...texts]),
  );
  const shows = (forms: readonly string[], screen: World) =>
    forms.some((form) => (world ? isShown(form, screen) : isShownLoosely(form, screen)));
  const found = screens.map((screen) => lines.filter((forms) => shows(forms, screen)).length);
  const middle = screens[Math.min(2, screens.length - 1)] ?? shownIn([]);
  return [
    {
      group,
      command: script,
      lines: lines.length,
      found,
      tokens: captured.map((context) => context.tokens),
      sameLook: hasSameLook(script, cwd, captured),
      missing: lines.flatMap((forms) => (shows(forms, middle) ? [] : (forms[0] ?? []))),
      captureMs: Math.max(...captured.map((context) => context.durationMs)),
    },
  ];
}

/** What a turn of the prompt says: the look, and what it showed. */
function turnText({ look, text }: Observation, cwd: string): string {
  return `${look.kind === 'run' ? look.command : relative(cwd, look.path)}\n${text}`;
}

function capture(
  looker: Looker,
  memory: ContextMemory,
  script: string,
  cwd: string,
  budgetTokens: number,
): Promise<WorkspaceContext> {
  return captureContext({
    action: { kind: 'command', script, shell: 'bash', cwd },
    looker,
    workspaceFolders: [cwd],
    cwd,
    home: homeFolder(process.env),
    budgetTokens,
    memory,
    signal: new AbortController().signal,
  });
}

function hasSameLook(script: string, cwd: string, captured: readonly WorkspaceContext[]): boolean {
  const plain = (text: string) => text.replace(/["']/g, '').replace(/\s+/g, ' ').trim();
  const parts = new Set(
    findNamedPrograms(script, { cwd, home: '/' }).map((one) => plain(one.words.map((word) => word.text).join(' '))),
  );
  return captured.some(({ observations }) =>
    observations.some(
      ({ look }) => look.kind === 'run' && look.command.split(/;|\||&&/).some((part) => parts.has(plain(part))),
    ),
  );
}

function table(rows: readonly Row[]): string {
  const suite = rows.filter((row) => !row.group.startsWith('MKRWW'));
  const groups = [...new Set(rows.map((row) => row.group))].sort();
  const sections: [string, readonly Row[]][] = [
    ...groups.map((group): [string, Row[]] => [group, rows.filter((row) => row.group === group)]),
    ['**truth suite**', suite],
    ['**truth suite, strict**', suite.filter((row) => !row.sameLook)],
    ['**all**', rows],
    ['**all, strict**', rows.filter((row) => !row.sameLook)],
  ];
  const byCommand = (list: readonly Row[], index: number) =>
    (
      (100 * list.reduce((sum, row) => sum + (row.found[index] ?? 0) / row.lines, 0)) /
      Math.max(1, list.length)
    ).toFixed(1);
  const byLine = (list: readonly Row[], index: number) => {
    const total = list.reduce((sum, row) => sum + row.lines, 0);
    return ((100 * list.reduce((sum, row) => sum + (row.found[index] ?? 0), 0)) / Math.max(1, total)).toFixed(1);
  };
  const cells = (list: readonly Row[]) =>
    [0, ...budgets].map((_, index) => `${byCommand(list, index)} / ${byLine(list, index)}`);
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return [
    'Share of the lines that existed before and are in the prompt, in percent: mean over commands / over lines.',
    '',
    `| commands | number | lines | ungrounded | ${budgets.map((budget) => `${budget} tokens`).join(' | ')} |`,
    `| --- | --: | --: |${' --: |'.repeat(budgets.length + 1)}`,
    ...sections.map(
      ([name, list]) =>
        `| ${name} | ${list.length} | ${list.reduce((sum, row) => sum + row.lines, 0)} | ${cells(list).join(' | ')} |`,
    ),
    '',
    `Tokens used (median): ${budgets.map((budget, index) => `${median(rows.map((row) => row.tokens[index] ?? 0))} of ${budget}`).join(', ')}. Capture: ${median(rows.map((row) => row.captureMs)).toFixed(0)} ms (median of the slowest).`,
  ].join('\n');
}
