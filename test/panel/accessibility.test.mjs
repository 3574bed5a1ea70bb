// Every state of the built panel as a screen reader finds it. Apart from panel.test.mjs because it takes as long as all of that.
//   node src/tools/buildMedia.mjs && node --test test/panel/accessibility.test.mjs
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { contrast } from './contrast.mjs';
import { openFaultFinder } from './faults.mjs';
import { themes as allThemes, readCase, showAnew } from './harness.mjs';
import { harnessOfTests, showPage, skip } from './page.mjs';

const harness = await harnessOfTests();

test('axe finds nothing serious in any state', { skip, timeout: 600_000 }, async () => {
  const themes = Object.keys(allThemes);
  const files = await readdir(new URL('cases/', import.meta.url));
  const finder = await openFaultFinder(harness);
  for (const [index, file] of files.entries()) {
    // Each state in two themes and both shapes; `node test/panel/axe.mjs` looks at all of them in all.
    for (const [theme, width, height] of [
      [themes[index % themes.length], 1200, 260],
      [themes[(index + 1) % themes.length], 300, 900],
    ]) {
      assert.deepEqual(
        await finder.find({ name: file.replace('.json', ''), theme, width, height }),
        [],
        `${file} ${theme}`,
      );
    }
  }
  await finder.close();
});

test('what programs print can be read on each of their backgrounds', { skip }, async (context) => {
  const colours = [...Array(8).keys()];
  const codes = colours.flatMap((on) => [
    ...[40 + on, 100 + on].flatMap((back) => [`${back}`, ...colours.map((ink) => `${back};${30 + ink}`)]),
    `7;${30 + on}`,
    `48;5;${16 + on * 29};38;5;${231 - on * 29}`,
  ]);
  const given = await readCase('safe');
  const text = codes.map((code) => `\u001b[${code}mtext\u001b[0m\n`).join('');
  const events = given.events.map((event) => (event.type === 'output' ? { ...event, text, volatile: false } : event));
  for (const theme of Object.keys(allThemes)) {
    const page = await showPage(harness, context, { ...given, events }, { theme, width: 1200, height: 3000 });
    const found = await page.evaluate(() =>
      [...document.querySelectorAll('.terminal .text span')].map((element) => {
        const { color, backgroundColor } = getComputedStyle(element);
        return { color, backgroundColor };
      }),
    );
    assert.equal(found.length, codes.length);
    const hard = found.flatMap(({ color, backgroundColor }, index) => {
      const [ink, on] = [color, backgroundColor].map((one) => one.match(/[\d.]+/g).map(Number));
      return contrast(ink, on) < 4.4 ? [`${codes[index]}: ${color} on ${backgroundColor}`] : [];
    });
    assert.deepEqual(hard, [], theme);
  }
});

test('what is found can be read on its mark, and each sign of a verdict and its reasons can be seen', {
  skip,
}, async (context) => {
  const page = await showPage(harness, context, 'find', { width: 300, height: 900 });
  for (const theme of Object.keys(allThemes)) {
    await showAnew(page, 'find', theme);
    const mark = await page.evaluate(() => {
      const line = document.querySelector('.terminal .text');
      const { color, backgroundColor } = getComputedStyle(line, '::highlight(foretell-found)');
      return { color, on: [...globalThis.harness.grounds(line), backgroundColor] };
    });
    assert.ok(ratio(mark) >= 4, `${theme}: found ${JSON.stringify(mark)}`);
    for (const name of [
      'safe',
      'caution',
      'danger',
      'fails',
      'ranKept',
      'observedDiffers',
      'newErrors',
      'safeCreates',
    ]) {
      await showAnew(page, name, theme);
      const icons = await page.evaluate(() =>
        [...document.querySelectorAll('.level .icon, .reason > .icon, .compared > .icon, .diagnostic > .icon')].map(
          (one) => ({
            of: one.parentElement.className,
            color: getComputedStyle(one).color,
            on: globalThis.harness.grounds(one),
          }),
        ),
      );
      assert.ok(icons.length > 0, name);
      // WCAG asks for 3; VS Code's own warning on its own ground in its light theme has 2.8.
      assert.deepEqual(
        icons.filter((one) => ratio(one) < 2.75),
        [],
        `${theme}: ${name}`,
      );
    }
  }
});

/** Contrast of a colour with those that it stands on, the lowest first. */
function ratio({ color, on }) {
  const [ink, ...grounds] = [color, ...on].map((one) => one.match(/[\d.]+/g).map(Number));
  const ground = grounds.reduce((below, [red, green, blue, alpha = 1]) =>
    [red, green, blue].map((channel, index) => channel * alpha + below[index] * (1 - alpha)),
  );
  return contrast(ink.slice(0, 3), ground);
}
