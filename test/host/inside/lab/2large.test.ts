import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { trajectoryText } from '../../../../src/core/trajectory/file/trajectoryFile.ts';
import type { TrajectoryStep } from '../../../../src/core/trajectory/step/step.ts';
import { factsOfText } from '../../../../src/core/trajectory/step/turnOfStep.ts';
import { inLab, labShows, openTrajectory } from '../lab.ts';
import { say, test } from '../runner.ts';
import { drive, inProject, runCommand, until } from '../window.ts';

const turns = 2_000;
/** VS Code alone needs some seconds to hand 48 MB over, so that is for measuring. */
const megabytes = Number(process.env['FORETELL_LARGE_MEGABYTES'] ?? 8);

/** Steps that are so large together. */
function steps(): TrajectoryStep[] {
  return Array.from({ length: turns }, (_, index) => {
    const script = `make part-${index}`;
    const step: TrajectoryStep = {
      ...{ version: 1, id: `s${index}`, trajectory: 'large', domain: 'swe' },
      action: { kind: 'command', script, shell: 'bash', cwd: '/w' },
      ...(index === 0 ? {} : { after: `s${index - 1}` }),
    };
    const output = Array.from(
      { length: Math.round((megabytes * 170) / 46) },
      (_, row) => `compiled src/part-${index}/unit-${row}.ts`,
    ).join('\n');
    const text = `Command: ${script}\nDirectory: /w\nOutput: ${output}\nError: (none)\nExit Code: 0`;
    const predicted = index % 7 === 0 ? text.replace('unit-3', 'unit-three') : text;
    step.prediction = {
      ...factsOfText(step, predicted, 'imagined'),
      engine: 'language',
      ending: 'done',
      text: predicted,
    };
    step.observation = { text, basis: 'observed' };
    step.note = index === 1_500 ? 'a needle' : 'x'.repeat(megabytes * 95);
    return step;
  });
}

test('lab: 2,000 turns open, scroll and are searched', async () => {
  const file = inProject('large.trajectory.jsonl');
  const text = trajectoryText(steps());
  await writeFile(file, text);
  // What VS Code itself needs to read the file and to hand it over.
  const handedAt = performance.now();
  await vscode.workspace.openTextDocument(file);
  const handed = `${((performance.now() - handedAt) / 1000).toFixed(1)} s`;
  const startedAt = performance.now();
  const since = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  await openTrajectory(file);
  const first = since();
  await labShows(/2,000\sturns · score/);
  const all = since();
  // Every frame of a scroll from the top to the end, as long as it took.
  const frames = await inLab<{ worstMs: number; frames: number }>(`(async () => {
    const rows = document.querySelector('.rows');
    const times = [];
    let last = performance.now();
    for (let step = 0; step <= 40; step++) {
      rows.scrollTop = (rows.scrollHeight * step) / 40;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      times.push(performance.now() - last);
      last = performance.now();
    }
    times.sort((a, b) => a - b);
    return { worstMs: Math.round(times.at(-1)), frames: times.length, medianMs: Math.round(times[20]) };
  })()`);
  await inLab("document.getElementById('turns-1999') !== null");
  const searchedAt = performance.now();
  await inLab(`(() => {
    const box = document.getElementById('search');
    box.value = 'A NEEDLE';
    box.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  await labShows(/1 of 2,000\sturns/);
  const searched = Math.round(performance.now() - searchedAt);
  assert.equal(await inLab<number>("document.querySelectorAll('#turns .row:not(.active)').length <= 1 ? 1 : 0"), 1);
  say(
    `  ${(text.length / 1e6).toFixed(0)} MB: VS Code hands it over in ${handed}, then the first rows in ${first}, all ${all}, search ${searched} ms, scroll ${JSON.stringify(frames)}`,
  );
  await runCommand('workbench.action.closeAllEditors');
  await until('nothing is open', () =>
    inLab('true').then(
      () => false,
      () => true,
    ),
  );
  await rm(file);
});

test('lab: a file that VS Code gives to no extension is refused with a reason', async () => {
  const file = inProject('larger.trajectory.jsonl');
  await writeFile(file, `${JSON.stringify({ x: 'y'.repeat(25_000) })}\n`.repeat(2_200));
  void runCommand('vscode.openWith', vscode.Uri.file(file), 'foretell.trajectory');
  const said = await until('the sentence', async () => {
    await runCommand('notifications.showList');
    const texts = await drive('texts', '.notifications-center .notification-list-item-message');
    return (texts as string[]).find((text) => text.includes('50 MB'));
  });
  assert.match(said, /has 55 MB[\s\S]*Open it as text/);
  await runCommand('notifications.clearAll');
  await runCommand('workbench.action.closeAllEditors');
  await rm(file);
});
