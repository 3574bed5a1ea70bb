// The trajectory editor without VS Code: 2,000 turns, hostile texts, the keyboard, changes that come from the host.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { post } from './harness.mjs';
import { detailOf, snapshotOf, summaryOf } from './lab.mjs';
import { harnessOfTests, sentOf, skip, tabTo } from './page.mjs';

const harness = await harnessOfTests({ of: 'lab' });

/** A page that has heard these messages; fails when it complained about anything. */
async function show(context, messages, options = {}) {
  const page = await harness.page({ width: 1200, height: 700, ...options });
  context.after(async () => {
    const violations = await page.evaluate(() => globalThis.harness.violations);
    await page.close();
    assert.deepEqual([...page.problems, ...violations], []);
  });
  await post(page, messages);
  return page;
}

const rowsIn = (page) => page.locator('#turns .row').count();

test('of 2,000 turns only those in sight are in the page, wherever one scrolls', { skip }, async (context) => {
  const page = await show(context, [snapshotOf(2000), detailOf(1)]);
  assert.match(await page.locator('.sum').textContent(), /2,000\sturns · score 0\.\d\d over/);
  assert.ok((await rowsIn(page)) < 120);
  for (const part of [0.5, 1]) {
    await page.evaluate(async (to) => {
      const rows = document.querySelector('.rows');
      rows.scrollTop = rows.scrollHeight * to;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, part);
    assert.ok((await rowsIn(page)) < 120);
  }
  assert.equal(await page.locator('#turns-1999').count(), 1);
  assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 2500);
});

test('the keyboard goes through the list, and details are asked for', { skip }, async (context) => {
  const page = await show(context, [snapshotOf(2000), detailOf(1)]);
  await tabTo(page, '#turns');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  assert.deepEqual(
    (await sentOf(page, 'want')).map(({ id }) => id),
    ['s1', 's2', 's3', 's2000'],
  );
  assert.equal(await page.locator('#turns').getAttribute('aria-activedescendant'), 'turns-1999');
  const active = page.locator('.row.active');
  assert.equal(await active.getAttribute('aria-setsize'), '2000');
  assert.match(await active.locator('.spoken').textContent(), /turn 2000, as observed/);
  await post(page, [detailOf(2000)]);
  await tabTo(page, '#predict');
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'predict'), [{ type: 'predict', id: 's2000' }]);
});

test('filters count, and leave what they are about; a search is the host’s', { skip }, async (context) => {
  const page = await show(context, [snapshotOf(80), detailOf(1)]);
  const failed = page.locator('.filter-failed');
  assert.match(await failed.textContent(), /Failed\s*10/);
  await failed.click();
  assert.equal(await rowsIn(page), 10);
  assert.equal(await failed.getAttribute('aria-pressed'), 'true');
  await page.locator('#search').fill('tide');
  assert.deepEqual((await sentOf(page, 'search')).at(-1), { type: 'search', query: 'tide' });
  await post(page, [{ type: 'found', query: 'tide', lines: [3, 11, 12], isComplete: true }]);
  assert.equal(await rowsIn(page), 2);
  await post(page, [{ type: 'found', query: 'an older one', lines: [], isComplete: true }]);
  assert.equal(await rowsIn(page), 2);
  await page.locator('#search').fill('nowhere');
  await post(page, [{ type: 'found', query: 'nowhere', lines: [], isComplete: true }]);
  await page.getByRole('button', { name: 'Show All' }).click();
  assert.ok((await rowsIn(page)) > 30);
});

test('predicted stands beside real, line by line', { skip }, async (context) => {
  const page = await show(context, [snapshotOf(3), detailOf(1)]);
  const sides = await page.locator('.side-row.changed').allTextContents();
  assert.equal(sides.length, 1);
  assert.match(sides[0], /only predicted: \s*b[\s\S]*only real: \s*x/);
  const text = await page.locator('.detail-pane').textContent();
  assert.match(text, /factual score 0\.62/);
  assert.match(text, /2 of 3\slines said, 1 made up/);
  assert.match(text, /a\.txt only real/);
  assert.match(text, /3\sdistinct answers of 5\stries/);
});

test('changes come as splices; where one is missing everything is asked for again', { skip }, async (context) => {
  const page = await show(context, [snapshotOf(5), detailOf(1)]);
  const fork = summaryOf(6, { id: 's2.2', after: 's1', title: 'the fork' });
  await post(page, [{ type: 'lines', revision: 2, total: 6, splices: [{ start: 5, removed: 0, lines: [fork] }] }]);
  assert.match(await page.locator('#turns .row').nth(1).textContent(), /the fork/);
  assert.equal(await page.locator('#turns .row').nth(1).getAttribute('aria-level'), '2');
  await post(page, [{ type: 'lines', revision: 4, total: 6, splices: [] }]);
  assert.equal((await sentOf(page, 'ready')).length, 2);
});

test('a prediction streams in, and can be cancelled', { skip }, async (context) => {
  const action = { kind: 'turn', domain: 'swe', turn: { kind: 'text', text: 'x' } };
  const empty = {
    ...{ action, engine: '', output: [], files: [], effects: [], loss: [], verdict: { reasons: [] }, programs: [] },
    ...{ assumptions: [], otherwise: [], notices: [], questions: [] },
  };
  const run = { run: 7, id: 's1', what: 'predict', how: 'under Disk full', waiting: 2, sequence: 0, prediction: empty };
  const question = {
    ...{ type: 'question', id: 1, purpose: 'command', title: 'x', domain: 'swe', messages: [], blocks: [] },
    ...{ tokens: { count: 1, exact: false }, leftOut: [], redacted: [], conditions: [] },
  };
  const events = [
    { type: 'started', by: 'language' },
    question,
    { type: 'thought', question: 1, text: 'Let me think. <b>bold</b>' },
    { type: 'said', question: 1, text: '<img src=x onerror=alert(1)>' },
  ];
  const page = await show(context, [
    snapshotOf(3),
    detailOf(1),
    { type: 'runStarted', run },
    { type: 'runEvents', run: 7, first: 1, events },
  ]);
  assert.match(await page.locator('.run').textContent(), /Predicting under Disk full…[\s\S]*2\smore turns after it/);
  assert.equal(
    await page
      .locator('.said')
      .textContent()
      .then((text) => text.trim()),
    '<img src=x onerror=alert(1)>',
  );
  assert.equal(await page.locator('.thoughts').count(), 0);
  await page.locator('#fold-thoughts').click();
  assert.match(await page.locator('.thoughts').textContent(), /<b>bold<\/b>/);
  assert.ok(await page.locator('#predict').isDisabled());
  await page.locator('.run').getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(await sentOf(page, 'cancel'), [{ type: 'cancel', run: 7 }]);
  await post(page, [{ type: 'runEnded', run: 7 }]);
  assert.equal(await page.locator('.run').count(), 0);
});

test('an edit stays until it is done, and says why it cannot be', { skip }, async (context) => {
  const page = await show(context, [snapshotOf(3), detailOf(1)]);
  await tabTo(page, '#edit-action');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'draft');
  await page.locator('#draft').fill('');
  await page.keyboard.press('Control+Enter');
  const [edit] = await sentOf(page, 'edit');
  assert.deepEqual(edit, { type: 'edit', request: 1, id: 's1', what: 'action', text: '' });
  await post(page, [{ type: 'answered', request: 1, refusal: 'The command is empty; type what is to be run.' }]);
  assert.match(await page.locator('.refusal').textContent(), /command is empty/);
  await page.locator('#draft').fill('git diff');
  await page.reload();
  await post(page, [snapshotOf(3), detailOf(1)]);
  assert.equal(await page.locator('#draft').count(), 1, 'what is being written is kept when the editor is hidden');
  await page.locator('#draft').press('Escape');
  assert.equal(await page.locator('#draft').count(), 0);
});

test('hostile texts stay texts, wherever they stand', { skip }, async (context) => {
  const hostile = '<script>alert(1)</script>\u202e\u0007 [x](command:rm)';
  const lines = [
    summaryOf(1, { title: hostile, trajectory: hostile }),
    { kind: 'bad', problem: hostile, begins: hostile },
  ];
  const detail = detailOf(1, {
    predicted: hostile,
    real: `${hostile}!`,
    note: hostile,
    state: hostile,
    uncertain: [hostile],
    agent: { thought: hostile },
  });
  const page = await show(context, [snapshotOf(0, { lines, total: 2 }), detail]);
  assert.equal(await page.locator('script').count(), 2, 'the page’s own alone');
  assert.equal(await page.locator('a').count(), 0);
  assert.match(await page.locator('#turns .row').first().textContent(), /⟨U\+202E⟩␇/);
  await page.locator('#turns .row').last().locator('.name').click();
  assert.match(await page.locator('.detail-pane').textContent(), /Line 2 is no step[\s\S]*<script>/);
});

test('no serious fault for a screen reader, in every theme and width', { skip }, async (context) => {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const editing = { ...summaryOf(2), editedObservation: '2026-04-01', trajectory: 'tides' };
  const lines = [
    summaryOf(1),
    editing,
    ...[3, 4, 5, 6, 7, 8].map((number) => summaryOf(number)),
    { kind: 'bad', problem: 'no', begins: '{' },
  ];
  const notice = { kind: 'information', sentence: 'No language model is connected.', offer: 'connectModel' };
  for (const theme of ['dark', 'light', 'hcDark', 'hcLight']) {
    for (const [width, height] of [
      [1200, 700],
      [380, 900],
    ]) {
      const page = await show(context, [snapshotOf(0, { lines, total: 9, notice }), detailOf(1)], {
        theme,
        width,
        height,
      });
      const session = await page.context().newCDPSession(page);
      await session.send('Runtime.evaluate', { expression: axe });
      const { violations } = await page.evaluate(() =>
        globalThis.axe.run(document, { resultTypes: ['violations'], preload: false }),
      );
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(
        serious.map(
          ({ id, nodes }) => `${theme} ${width} ${id} ${nodes[0].html.slice(0, 160)} ${nodes[0].any[0]?.message ?? ''}`,
        ),
        [],
      );
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(overflow, false);
    }
  }
});

test('the script is at most 130 kB', { skip }, async () => {
  const media = process.env['FORETELL_MEDIA'] ?? new URL('../../dist/media', import.meta.url).pathname;
  const { size } = await stat(`${media}/lab.js`);
  assert.ok(size <= 130_000, `${size} bytes`);
});
