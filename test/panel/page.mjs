// What the tests of the panel share.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { findChromium, openHarness, readCase, showCase, takeSent } from './harness.mjs';

/** Why tests in a browser cannot run here. */
export const skip = findChromium() ? false : 'Chromium is not installed; set FORETELL_CHROMIUM to its path.';

/** The harness that all tests of a file share, closed after the last; none where they are skipped. */
export async function harnessOfTests(options) {
  if (skip) return undefined;
  const harness = await openHarness(options);
  after(() => harness.close());
  return harness;
}

/** A page with a case, closed at the end of the test; fails when the page complained about anything. */
export async function showPage(harness, context, name, { extra = {}, ...options } = {}) {
  const page = await harness.page(options);
  context.after(async () => {
    const violations = await page.evaluate(() => globalThis.harness.violations);
    await page.close();
    assert.deepEqual([...page.problems, ...violations], []);
  });
  const given = typeof name === 'string' ? await readCase(name) : name;
  await showCase(page, { ...given, ...extra });
  await takeSent(page);
  return page;
}

/** Presses Tab until the element has the keyboard. */
export async function tabTo(page, selector) {
  for (let press = 0; press < 60; press++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${selector}`);
}

/** What was sent of one type. */
export const sentOf = async (page, type) => (await takeSent(page)).filter((message) => message.type === type);
/** Types of what was sent, without the measurements that come in their own time. */
export const typesOf = async (page) =>
  (await takeSent(page)).map(({ type }) => type).filter((type) => type !== 'resize' && type !== 'painted');
