import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { showAnew } from './harness.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Gives what looks at one case after the other, in one page that is loaded anew for each: a new one takes twice as long. */
export async function openFaultFinder(harness) {
  const page = await harness.page();
  return {
    close: () => page.close(),
    /** Serious and critical faults that axe finds in a case, and everything the page complained about. */
    async find({ name, theme, width, height }) {
      page.problems.length = 0;
      await page.setViewportSize({ width, height });
      await showAnew(page, name, theme);
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
    },
  };
}
