// Looks for accessibility faults in every state, theme and size; exits 1 when one is serious or critical.
//   node test/panel/axe.mjs [case …]
import { readdir } from 'node:fs/promises';
import { openFaultFinder } from './faults.mjs';
import { openHarness, themes } from './harness.mjs';

const wanted = process.argv.slice(2);
const cases = (await readdir(new URL('cases/', import.meta.url))).map((file) => file.replace('.json', ''));
const harness = await openHarness();
const finder = await openFaultFinder(harness);
let count = 0;
for (const theme of Object.keys(themes)) {
  for (const [width, height] of [
    [1200, 260],
    [300, 900],
  ]) {
    for (const name of wanted.length > 0 ? wanted : cases) {
      const faults = await finder.find({ name, theme, width, height });
      for (const fault of faults) console.log(`${name} ${theme} ${width}: ${fault}`);
      count += faults.length;
    }
  }
}
await harness.close();
console.log(count === 0 ? 'axe: no serious or critical fault' : `axe: ${count} faults`);
process.exitCode = count === 0 ? 0 : 1;
