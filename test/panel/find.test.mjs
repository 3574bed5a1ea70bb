// Finding in what is shown, and bringing back what was predicted before, with the keyboard only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messagesOf, post, readCase } from './harness.mjs';
import { harnessOfTests, sentOf, showPage, skip, tabTo } from './page.mjs';

const harness = await harnessOfTests();
const show = (context, name, options) => showPage(harness, context, name, options);

/** The text that is marked as found, and whether it is in sight. */
const found = (page) =>
  page.evaluate(() => {
    const [range] = [...(CSS.highlights.get('foretell-found') ?? [])];
    if (!range) return undefined;
    const { top, bottom } = range.getBoundingClientRect();
    return { text: range.toString(), isInSight: top >= 0 && bottom <= innerHeight };
  });
const count = (page) => page.locator('.find-count').textContent();

test('find: lines out of sight and folded files, forwards and back', { skip }, async (context) => {
  const lines = Array.from({ length: 5000 }, (_, index) =>
    index % 1000 === 500 ? `a \u001b[31mNee\u001b[0mdle ${index}` : `line ${index}`,
  );
  const file = (path) => ({
    ...{ type: 'file', change: { path, change: 'created', type: 'file', mode: '0644', sizeBytes: 1, volatile: false } },
    basis: 'rehearsed',
  });
  const paths = Array.from({ length: 400 }, (_, index) => `/home/ada/shop/deep/${index % 20}/file${index}`);
  const events = [
    { type: 'started', by: 'confined' },
    ...[...paths, '/home/ada/shop/deep/7/sub/needles.txt'].map(file),
    { type: 'output', stream: 'stdout', text: `${lines.join('\n')}\n`, basis: 'rehearsed' },
    { type: 'done', durationMs: 1 },
  ];
  const page = await show(context, { script: 'make', events });
  await tabTo(page, '#command');
  await page.keyboard.press('Control+f');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'find');
  await page.keyboard.type('needle');
  assert.equal(await count(page), '1 of 6');
  const active = page.locator('#files .row.active .name');
  assert.match(await active.textContent(), /needles\.txt/);
  assert.ok(await active.isVisible());
  await page.keyboard.press('Enter');
  assert.equal(await count(page), '2 of 6');
  assert.deepEqual(await found(page), { text: 'Needle', isInSight: true });
  for (let press = 0; press < 4; press++) await page.keyboard.press('F3');
  assert.equal(await count(page), '6 of 6');
  assert.deepEqual(await found(page), { text: 'Needle', isInSight: true });
  await page.keyboard.press('Enter');
  assert.equal(await count(page), '1 of 6');
  await page.keyboard.press('Shift+Enter');
  assert.equal(await count(page), '6 of 6');
  await page.keyboard.type('x');
  assert.equal(await count(page), 'No results');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.find').count(), 0);
  assert.equal(await found(page), undefined);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'command');
});

test('much output: it is drawn slice by slice whole, and each place of it is found in order', {
  skip,
}, async (context) => {
  const lines = Array.from({ length: 60_000 }, (_, index) => `\u001b[3${index % 8}mbuoy\u001b[0m ⚓🛟 ${index}`);
  const events = [
    { type: 'started', by: 'confined' },
    { type: 'output', stream: 'stdout', text: `${lines.join('\n')}\n`, basis: 'rehearsed' },
    { type: 'output', stream: 'stderr', text: 'moored\n', basis: 'rehearsed' },
    { type: 'done', durationMs: 1 },
  ];
  const page = await show(context, { script: 'buoys', events });
  const title = page.locator('.facts-output .count');
  // As long as not all lines are there, their number is not said.
  await page.waitForFunction(() => document.querySelector('.facts-output .count'));
  assert.equal((await title.textContent()).replaceAll('\u00a0', ' '), '60,001 lines');
  const drawn = await page.evaluate(() =>
    [...document.querySelectorAll('.facts-output .text')].map((text) => text.textContent).join('\n'),
  );
  assert.equal(drawn, [...lines.map((line) => line.replaceAll(/\u001b\[\d+m/g, '')), 'moored'].join('\n'));

  await tabTo(page, '#command');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('BUOY');
  await page.waitForFunction(() => document.querySelector('.find-count').textContent === '1 of 60,000');
  const lineOfFound = () =>
    page.evaluate(() => {
      const [range] = [...CSS.highlights.get('foretell-found')];
      const { textContent } = range.startContainer.parentElement.closest('.text');
      const before = new Range();
      before.setStart(range.startContainer.parentElement.closest('.text'), 0);
      before.setEnd(range.startContainer, range.startOffset);
      return textContent.split('\n')[before.toString().split('\n').length - 1];
    });
  assert.equal(await lineOfFound(), 'buoy ⚓🛟 0');
  await page.keyboard.press('Shift+Enter');
  assert.equal(await count(page), '60,000 of 60,000');
  assert.equal(await lineOfFound(), 'buoy ⚓🛟 59999');
  assert.deepEqual(await found(page), { text: 'buoy', isInSight: true });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  assert.equal(await count(page), '2 of 60,000');
  assert.equal(await lineOfFound(), 'buoy ⚓🛟 1');
  for (const [query, shown, line] of [
    ['31234', '1 of 1', 'buoy ⚓🛟 31234'],
    ['moored', '1 of 1', 'moored'],
  ]) {
    await page.keyboard.press('Control+a');
    await page.keyboard.type(query);
    await page.waitForFunction((wanted) => document.querySelector('.find-count').textContent === wanted, shown);
    assert.equal(await lineOfFound(), line);
    assert.deepEqual(await found(page), { text: query, isInSight: true });
  }
});

const past = (...scripts) => ({
  type: 'past',
  commands: scripts.map((script, index) => ({
    script,
    cwd: '/home/ada/shop',
    shell: 'bash',
    headline: 'danger',
    atMs: 1000 - index,
  })),
});

test('Up and Down bring back commands of before, as in a shell', { skip }, async (context) => {
  const page = await show(context, 'safe');
  await post(page, [past('ls -la --color src', 'rm -rf a', 'first\nsecond', 'rm -rf a')]);
  await tabTo(page, '#command');
  const box = () => page.locator('#command').inputValue();
  const after = async (key) => {
    await page.keyboard.press(key);
    return box();
  };
  assert.equal(await after('ArrowUp'), 'rm -rf a');
  assert.equal(await after('ArrowUp'), 'first\nsecond');
  // In a command of several lines the key walks the lines first.
  assert.equal(await after('ArrowUp'), 'first\nsecond');
  assert.equal(await after('ArrowUp'), 'first\nsecond');
  await page.keyboard.press('Control+End');
  assert.equal(await after('ArrowDown'), 'rm -rf a');
  assert.equal(await after('ArrowDown'), 'ls -la --color src');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('typed');
  assert.equal(await after('ArrowUp'), 'ls -la --color src');
  assert.equal(await after('ArrowUp'), 'rm -rf a');
  await page.keyboard.press('ArrowDown');
  assert.equal(await after('ArrowDown'), 'typed');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'predict'), [{ type: 'predict', script: 'rm -rf a' }]);
});

test('the list of earlier predictions, by keyboard', { skip }, async (context) => {
  const page = await show(context, 'empty');
  assert.equal(await page.locator('#past').count(), 0);
  await post(page, [past('rm -rf a', 'ls')]);
  await tabTo(page, '#past');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'menuitem');
  assert.match(await page.locator('[role=menuitem]').first().textContent(), /danger\s*rm -rf a\s*$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'bringBack'), [{ type: 'bringBack', atMs: 999 }]);
  assert.equal(await page.locator('[role=menu]').count(), 0);
  await page.locator('#past').click();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('[role=menu]').count(), 0);
  // A click elsewhere closes it, too.
  await page.locator('#past').click();
  assert.equal(await page.locator('[role=menu]').count(), 1);
  await page.locator('.welcome').click();
  assert.equal(await page.locator('[role=menu]').count(), 0);
  await post(page, messagesOf(await readCase('safe'), 2));
  assert.equal(await page.locator('#past').count(), 1);
});
