// How long it takes to open and to search a trajectory of 2,000 turns and 50 MB, and how long it holds up whoever waits.
//   node test/bench.mjs trajectory [turns] [megabytes]
import type * as vscode from 'vscode';
import { stepLine } from '../../src/core/trajectory/file/trajectoryFile.ts';
import type { TrajectoryStep } from '../../src/core/trajectory/step/step.ts';
import { factsOfText } from '../../src/core/trajectory/step/turnOfStep.ts';
import { createDocumentReading } from '../../src/host/lab/documentReading.ts';
import { loadLabCore } from '../../src/host/lab/labCore.ts';

const [turns = 2_000, megabytes = 50] = process.argv.slice(2).map(Number);
const lines = sampleLines(turns, (megabytes * 1e6) / turns);
const sizeBytes = lines.reduce((sum, line) => sum + line.length + 1, 0);
console.log(`${turns} turns, ${(sizeBytes / 1e6).toFixed(1)} MB`);

const core = await loadLabCore();
const text = (line: number) => lines[line] ?? '';
const document = {
  get lineCount() {
    return lines.length;
  },
  lineAt: (line: number) => ({ text: text(line) }),
} as unknown as vscode.TextDocument;

// What else the extension host has to do: it wants to run every millisecond.
let longestMs = 0;
let lastMs = performance.now();
const pulse = setInterval(() => {
  const now = performance.now();
  longestMs = Math.max(longestMs, now - lastMs);
  lastMs = now;
}, 1);
const measured = async (name: string, run: () => Promise<void>) => {
  await new Promise((resolve) => setTimeout(resolve, 50));
  longestMs = 0;
  const startedAt = performance.now();
  await run();
  const tookMs = performance.now() - startedAt;
  await new Promise((resolve) => setTimeout(resolve, 5));
  console.log(`${name.padEnd(44)} ${tookMs.toFixed(0).padStart(6)} ms   longest hold ${longestMs.toFixed(0)} ms`);
};

let startedAt = 0;
let firstRowsMs: number | undefined;
const reading = createDocumentReading(document, core, () => {
  firstRowsMs ??= performance.now() - startedAt;
});
await measured('open: every line is read', async () => {
  startedAt = performance.now();
  reading.refresh();
  await reading.whenRead();
});
console.log(`${'open: the first rows are there'.padEnd(44)} ${(firstRowsMs ?? Number.NaN).toFixed(0).padStart(6)} ms`);
await measured('search: a word of one turn', () => found('needle-1234'));
await measured('search: a word of every turn', () => found('compiled'));
lines[1_000] = text(1_000).replace('"trajectory":', '"note":"x","trajectory":');
await measured('one line has changed', async () => reading.refresh());
lines.splice(500, 0, text(499).replace(/"id":"[^"]+"/, '"id":"new"'));
await measured('one line was added', async () => reading.refresh());
await measured('the tree of all turns', async () => void reading.tree());
const megabytesUsed = process.memoryUsage().heapUsed / 1e6;
console.log(`heap ${megabytesUsed.toFixed(0)} MB, the text itself included`);
clearInterval(pulse);

function found(query: string): Promise<void> {
  return reading.search(
    query,
    () => true,
    (numbers) => console.log(`  ${query}: on ${numbers.length} lines`),
  );
}

function sampleLines(count: number, bytesEach: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const action = {
      kind: 'command' as const,
      script: `make step-${index} # needle-${index}`,
      shell: 'bash' as const,
      cwd: '/w',
    };
    const step: TrajectoryStep = {
      ...{ version: 1, id: `s${index}`, trajectory: 'bench', domain: 'swe', action },
      ...(index === 0 ? {} : { after: `s${index - 1}` }),
    };
    const rows = Math.floor(bytesEach / 4.4 / 40);
    const output = Array.from({ length: rows }, (_, row) => `compiled src/part-${index}/unit-${row}.ts`).join('\n');
    const reply = `Command: x\nDirectory: /w\nOutput: ${output}\nError: (none)\nExit Code: 0`;
    step.observation = { text: reply, basis: 'observed' };
    step.prediction = { ...factsOfText(step, reply, 'imagined'), engine: 'language', ending: 'done', text: reply };
    const filler = 'some reasoning about the units that follow '.repeat(Math.floor(bytesEach / 6.3 / 43));
    step.messages = [{ role: 'user', content: filler + output }];
    return stepLine(step);
  });
}
