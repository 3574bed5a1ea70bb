// Every state of the built panel at its narrowest and at a usual width: what a person could not read or press.
//   node src/tools/buildMedia.mjs && node --test test/panel/edges.test.mjs
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { readCase, renew, showCase } from './harness.mjs';
import { harnessOfTests, skip } from './page.mjs';

const harness = await harnessOfTests();
const names = (await readdir(new URL('cases/', import.meta.url))).map((file) => file.replace('.json', ''));

for (const [width, height] of [
  [300, 900],
  [900, 420],
]) {
  test(`at ${width} px nothing is cut off, no buttons overlap, and every icon has its words`, { skip }, async () => {
    const page = await harness.page({ width, height });
    const found = [];
    for (const name of names) {
      await renew(page);
      await showCase(page, await readCase(name));
      found.push(...(await page.evaluate(faultsOfLayout)).map((fault) => `${name}: ${fault}`));
    }
    await page.close();
    assert.deepEqual(found, []);
  });
}

test('Tab goes from top to bottom through all that can be pressed, and shows where it is', { skip }, async () => {
  const page = await harness.page({ width: 300, height: 900 });
  // Tab begins before the first, as behind what stands before the panel: nothing in it has taken the keyboard.
  await page.addInitScript(() => (document.hasFocus = () => false));
  const found = [];
  for (const name of ['danger', 'modelFailed', 'edit', 'asks', 'sequence', 'observedDiffers', 'safer']) {
    await renew(page);
    await showCase(page, await readCase(name));
    const wanted = await page.evaluate(() => document.querySelectorAll('button:enabled, textarea, input').length);
    const seen = new Set();
    for (let press = 0; press < wanted + 20; press++) {
      await page.keyboard.press('Tab');
      const now = await page.evaluate(focused);
      if (!now || seen.has(now.place)) break;
      if (!now.isShown) found.push(`${name}: no mark on “${now.words}”`);
      if ([...seen].some((place) => place > now.place)) found.push(`${name}: “${now.words}” comes too late`);
      seen.add(now.place);
    }
    if (seen.size < wanted) found.push(`${name}: ${seen.size} of ${wanted} are reached`);
  }
  await page.close();
  assert.deepEqual(found, []);
});

/** Runs in the page: what has the keyboard, where it stands among all elements, and whether that can be seen. */
function focused() {
  const element = document.activeElement;
  if (!element || element === document.body) return undefined;
  const marks = [element, ...document.querySelectorAll('.command:focus-within, .tree:focus .row.active')];
  const isShown = marks.some((one) => {
    const { outlineStyle, outlineWidth, borderTopColor } = getComputedStyle(one);
    const hasLine = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    const focusColour = getComputedStyle(document.documentElement).getPropertyValue('--vscode-focusBorder').trim();
    const probe = document.createElement('i');
    probe.style.color = focusColour;
    document.body.append(probe);
    const same = getComputedStyle(probe).color === borderTopColor;
    probe.remove();
    return hasLine || same;
  });
  const words = element.ariaLabel || element.textContent.trim().slice(0, 40) || element.id;
  return { place: [...document.querySelectorAll('*')].indexOf(element), words, isShown };
}

/** Runs in the page. */
function faultsOfLayout() {
  const faults = [];
  const isHidden = (element) =>
    element.closest('.spoken, .probe, [hidden]') !== null ||
    !element.checkVisibility() ||
    getComputedStyle(element).clipPath !== 'none';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const element = text.parentElement;
    if (!text.textContent.trim() || /SCRIPT|STYLE|TEXTAREA/.test(element.tagName) || isHidden(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right } = range.getBoundingClientRect();
    for (let around = element; around; around = around.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(around);
      if (overflowX === 'visible' && around !== document.documentElement) continue;
      const box = around.getBoundingClientRect();
      if (right <= box.right + 1 && left >= box.left - 1) continue;
      // What is shortened by a mark can be read whole when it is pointed at.
      const told = textOverflow === 'ellipsis' && element.closest('[title]') !== null && box.width > 24;
      if (!told) faults.push(`“${text.textContent.trim().slice(0, 60)}” is cut off`);
      break;
    }
  }
  /** The part of it that is not scrolled away. */
  function shownBox(element) {
    let { left, right, top, bottom } = element.getBoundingClientRect();
    for (let around = element.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflowX === 'visible') continue;
      const box = around.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return { left, right, top, bottom };
  }
  const buttons = [...document.querySelectorAll('button, input, textarea')].filter((one) => !isHidden(one));
  const primary = buttons
    .filter((one) => one.matches('.primary') && !one.disabled)
    .map((one) => one.textContent.trim());
  if (primary.length > 1) faults.push(`more than one first button: ${primary.join(', ')}`);
  const boxes = buttons.map(shownBox);
  for (const [index, one] of buttons.entries()) {
    const words = one.ariaLabel || one.textContent.trim() || one.labels?.[0]?.textContent.trim();
    if (!words) faults.push(`${one.outerHTML.slice(0, 80)} has no name`);
    if (one.classList.contains('icon-button') && !one.title) faults.push(`${words} is an icon without a hint`);
    const { left, right, top, bottom } = boxes[index];
    for (const [at, other] of buttons.entries()) {
      if (at <= index || one.contains(other) || other.contains(one)) continue;
      const its = boxes[at];
      const wide = Math.min(right, its.right) - Math.max(left, its.left);
      const high = Math.min(bottom, its.bottom) - Math.max(top, its.top);
      if (wide > 1 && high > 1) faults.push(`“${words}” and “${other.ariaLabel || other.textContent.trim()}” overlap`);
    }
  }
  return faults;
}
