// Pictures of every state in VS Code's themes, at 300 and 900 px, for people to look at:
//   node test/panel/screens.mjs [folder] [case …]        THEMES=dark,light SIZES=wide,tall: others
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openHarness, readCase, showCase, themes } from './harness.mjs';

const [folder = '/tmp/panel', ...wanted] = process.argv.slice(2);
const sizes = {
  nine: [900, 420],
  wide: [1200, 260],
  tall: [1200, 620],
  mid: [760, 420],
  narrow: [300, 900],
  slim: [200, 900],
};
const themeNames = process.env['THEMES']?.split(',') ?? Object.keys(themes);
const sizeNames = (process.env['SIZES'] ?? 'narrow,nine').split(',');
const cases = (await readdir(new URL('cases/', import.meta.url))).map((file) => file.replace('.json', ''));

await mkdir(folder, { recursive: true });
const harness = await openHarness();
for (const name of wanted.length > 0 ? wanted : cases) {
  for (const theme of themeNames) {
    for (const size of sizeNames) {
      const [width, height] = sizes[size];
      const page = await harness.page({ theme, width, height });
      await showCase(page, await readCase(name));
      await page.screenshot({ path: join(folder, `${name}-${theme}-${size}.png`) });
      const found = await page.evaluate(() => {
        const wide = [...document.querySelectorAll('*')].filter((element) => element.scrollWidth > innerWidth + 1);
        return {
          csp: harness.violations,
          overflow: wide.length > 0 && document.documentElement.scrollWidth > innerWidth,
        };
      });
      for (const problem of page.problems) console.log(name, theme, size, problem);
      if (found.csp.length > 0 || found.overflow) console.log(name, theme, size, JSON.stringify(found));
      await page.close();
    }
  }
}
await harness.close();
