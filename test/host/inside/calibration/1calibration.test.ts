import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from '../runner.ts';
import {
  clickInPanel,
  drive,
  inProject,
  panelText,
  picture,
  predict,
  runCommand,
  until,
  withSetting,
} from '../window.ts';

const inPage = <T>(source: string) => drive('evaluateInFrame', 'main.calibration', source) as Promise<T>;
const pageText = () => inPage<string>('document.body.innerText');
/** Waits until the page says it. */
const shows = (pattern: RegExp) =>
  until(`the page shows ${pattern}`, async () => {
    const text = await pageText();
    return pattern.test(text) ? text : undefined;
  });
/** The cells of a program's row: runs, came true, output, exit code, files. */
const rowOf = (name: string) =>
  inPage<string[]>(`(() => {
    const row = [...document.querySelectorAll('tbody tr')].find((one) => one.cells[0].innerText.trim() === ${JSON.stringify(name)});
    return row ? [1, 2, 4, 5, 6].map((index) => row.cells[index]).map((cell) => cell.innerText.replace(/\\s+/g, ' ').trim()) : [];
  })()`);
const clickInPage = (words: string) =>
  until(`a button ${words}`, () =>
    inPage<boolean>(`(() => {
      const button = [...document.querySelectorAll('button')].find((one) => one.textContent.trim() === ${JSON.stringify(words)});
      button?.click();
      return button !== undefined;
    })()`),
  );

async function runForReal(script: string): Promise<void> {
  await predict(script);
  await clickInPanel('Run for Real');
  await until('what was observed', async () => /as predicted|not predicted|differs/i.test(await panelText()));
}

test('calibration: a real run is counted, and nothing before it', async () => {
  await runCommand('foretell.showCalibration');
  await shows(/Nothing is kept yet/);
  await runForReal('cp README.md CALIBRATED.md && wc -l CALIBRATED.md');
  await until('the file', () => existsSync(inProject('CALIBRATED.md')));
  await runCommand('foretell.showCalibration');
  await shows(/100\s%\s+of 1\sreal run came out exactly as predicted/);
  assert.deepEqual(await rowOf('cp'), ['1', ...Array<string>(4).fill('100 % 1 of 1 · 21–100 %')]);
  assert.deepEqual((await rowOf('rehearsed'))[0], '1');
  assert.deepEqual((await rowOf('no model'))[0], '1');
});

test('calibration: what was only assumed is a miss of its files', async () => {
  await runForReal('npm run build');
  await runCommand('foretell.showCalibration');
  await shows(/50\s%\s+of 2\sreal runs/);
  const [runs, whole, , , files] = await rowOf('assumed');
  assert.deepEqual([runs, whole, files], ['1', '0 % 0 of 1 · 0–79 %', '0 % 0 of 1 · 0–79 %']);
});

test('calibration: the page is complete for keyboard and screen reader', async () => {
  const axe = await readFile(process.env['FORETELL_AXE'] ?? '', 'utf8');
  await runCommand('foretell.showCalibration');
  await shows(/By program/);
  await runCommand('workbench.action.closePanel');
  await picture('calibration');
  await inPage(`${axe}; 0`);
  const faults = await inPage<unknown[]>(
    `axe.run(document).then((found) => found.violations.map(({ id, nodes }) => id + ': ' + nodes.map((one) => one.html).join(' ')))`,
  );
  assert.deepEqual(faults, []);
});

test('calibration: switched off, nothing is kept', async () => {
  await withSetting('foretell.calibration.enabled', false, async () => {
    await shows(/New runs are not kept/);
    await runForReal('echo unseen');
    await runCommand('foretell.showCalibration');
    await shows(/of 2\sreal runs/);
    assert.deepEqual(await rowOf('echo'), []);
  });
});

test('calibration: everything is deleted when the user says so twice', async () => {
  await runCommand('foretell.showCalibration');
  await clickInPage('Delete All…');
  await shows(/Delete 2\scompared runs for good\?/);
  await clickInPage('Keep');
  await shows(/Delete All…/);
  await clickInPage('Delete All…');
  await clickInPage('Delete');
  await shows(/Nothing is kept yet/);
});
