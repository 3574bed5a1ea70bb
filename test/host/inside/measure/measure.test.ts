import * as vscode from 'vscode';
import { say, test } from '../runner.ts';
import { drive, inPanel, open, predict, press, runCommand, sleep, until } from '../window.ts';

// Numbers are printed, not asserted: they depend on the machine. `npm run bench` has those that are published.

function quantile(values: readonly number[], part: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0)} ms`;
}

/** Commands that destroy something. Each is predicted, and none is run. */
const risky = [
  'rm -rf data docs',
  'git reset --hard',
  'git clean -fdx',
  'git checkout -- .',
  "find . -name '*.md' -delete",
  "sed -i 's/a/b/g' docs/*.md",
  'mv docs/tables.md data',
  ': > docs/tables.md',
  'chmod -R 700 .',
  'tar -czf /tmp/all.tgz . && rm -r data',
];

/** In milliseconds, in the window of the panel. */
function fromEnterToPaint(script: string): Promise<number> {
  return inPanel<number>(`new Promise((resolve) => {
        const box = document.getElementById('command');
        box.focus();
        box.value = ${JSON.stringify(script)};
        box.dispatchEvent(new InputEvent('input', { bubbles: true }));
        const startedAt = performance.now();
        box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
        const look = () => {
          const isDone = document.querySelector('main.panel')?.getAttribute('aria-busy') === 'false' &&
            document.querySelector('.verdict.stale') === null && document.querySelector('.verdict-line .level');
          if (!isDone) return requestAnimationFrame(look);
          // A task that is queued inside of the frame runs after it was painted.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - startedAt);
          port2.postMessage(0);
        };
        requestAnimationFrame(look);
      })`);
}

const spread = (times: readonly number[]) =>
  `p10 ${quantile(times, 0.1)}, p50 ${quantile(times, 0.5)}, p95 ${quantile(times, 0.95)}`;

test('measure: from Enter in the panel to the painted verdict', async () => {
  await predict('true');
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    times.push(await fromEnterToPaint(`ls data #${round}`));
    await sleep(100);
  }
  say(`  Enter in the panel → verdict painted: ${spread(times)} (20 times)`);
});

test('measure: ten risky commands, from Enter in the panel to the painted verdict', async () => {
  await predict('true');
  const all: number[] = [];
  for (const script of risky) {
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      times.push(await fromEnterToPaint(`${script} #${round}`));
      // By then safer commands were looked for.
      await sleep(500);
    }
    say(`  ${script}: p50 ${quantile(times, 0.5)}`);
    all.push(...times);
  }
  say(`  Ten risky commands, Enter → verdict painted: ${spread(all)}`);
});

for (const [when, restMs] of [
  ['at once', 0],
  ['150 ms after it was selected', 150],
] as const)
  test(`measure: from Alt+P in an editor to the painted verdict, ${when}`, async () => {
    await predict('true');
    const editor = await open('docs/tables.md');
    const times: number[] = [];
    await drive(
      'evaluate',
      "window.addEventListener('keydown', (event) => { if (event.altKey) window.foretellKeyAt = Date.now(); }, true)",
    );
    for (let round = 0; round < 20; round++) {
      const script = `ls data #${round} again ${when}`;
      await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 1, 0), `${script}\n`));
      editor.selection = new vscode.Selection(0, 0, 0, script.length);
      await inPanel(`(() => {
      window.foretellPaintedAt = undefined;
      const look = () => {
        const isDone = document.getElementById('command')?.value === ${JSON.stringify(script)} &&
          document.querySelector('main.panel')?.getAttribute('aria-busy') === 'false' &&
          document.querySelector('.verdict-line .level');
        if (!isDone) return requestAnimationFrame(look);
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => (window.foretellPaintedAt = Date.now());
        port2.postMessage(0);
      };
      requestAnimationFrame(look);
    })()`);
      await sleep(restMs);
      await press('Alt+p');
      const paintedAt = await until('the verdict', () => inPanel<number | undefined>('window.foretellPaintedAt'));
      times.push(paintedAt - Number(await drive('evaluate', 'window.foretellKeyAt')));
      await sleep(100);
    }
    say(`  Alt+P in an editor, ${when} → verdict painted: ${spread(times)} (20 times)`);
    await runCommand('workbench.action.files.revert');
  });

test('measure: activation', async () => {
  await runCommand('perfview.show');
  const row = await until('the table', async () => {
    const document = vscode.workspace.textDocuments.find((one) => one.uri.scheme === 'perf');
    return document
      ?.getText()
      .split('\n')
      .find((line) => /^\| foretell\.foretell\s/.test(line));
  });
  const [, , , load, call] = row.split('|').map((cell) => cell.trim());
  say(`  Activation: ${load} ms to load the code, ${call} ms to activate`);
  await runCommand('workbench.action.closeAllEditors');
});
