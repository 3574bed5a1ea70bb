import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { readCase, showCase } from './harness.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious and critical faults that axe finds in one case, and everything the page complained about. */
export async function findFaults(harness, { name, theme, width, height }) {
  const page = await harness.page({ theme, width, height });
  try {
    await showCase(page, await readCase(name));
    // Through the debugger, because the page's own policy rightly refuses a script of ours.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: axe });
    const { violations } = await page.evaluate(() =>
      axe.run(document, { resultTypes: ['violations'], preload: false }),
    );
    const blocked = await page.evaluate(() => harness.violations);
    return [
      ...blocked,
      ...page.problems,
      ...violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => {
          const first = nodes[0];
          return `${id}: ${nodes.length} × ${first?.html.slice(0, 120)} ${first?.any[0]?.message ?? ''}`;
        }),
    ];
  } finally {
    await page.close();
  }
}
