// How long the trajectory editor works for a frame of scrolling through 2,000 turns, and for a change of one of them:
//   node test/panel/labSpeed.mjs
import { openHarness, post } from './harness.mjs';
import { detailOf, snapshotOf, summaryOf } from './lab.mjs';

const frames = 100;
const harness = await openHarness({ of: 'lab' });
const page = await harness.page({ width: 1200, height: 800 });
const startedAt = performance.now();
await post(page, [snapshotOf(2000), detailOf(1)]);
console.log(`2,000 turns painted after ${(performance.now() - startedAt).toFixed(0)} ms`);
const session = await page.context().newCDPSession(page);
await session.send('Performance.enable', { timeDomain: 'threadTicks' });
const metrics = async () => {
  const { metrics: all } = await session.send('Performance.getMetrics');
  return Object.fromEntries(all.map(({ name, value }) => [name, value]));
};
const before = await metrics();
await page.evaluate(async (count) => {
  const rows = document.querySelector('.rows');
  for (let frame = 0; frame < count; frame++) {
    rows.scrollTop = (rows.scrollHeight * frame) / count;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}, frames);
const after = await metrics();
for (const name of ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration', 'TaskDuration']) {
  console.log(
    `a frame of scrolling, ${name}: ${(((after[name] - before[name]) * 1000) / frames).toFixed(2)} ms of processor time`,
  );
}
const changeMs = await page.evaluate(
  ([line, count]) => {
    const from = performance.now();
    for (let index = 0; index < count; index++) {
      const splices = [{ start: 1000, removed: 1, lines: [line] }];
      dispatchEvent(
        new MessageEvent('message', { data: { type: 'lines', revision: 2 + index, total: 2000, splices } }),
      );
    }
    return (performance.now() - from) / count;
  },
  [summaryOf(1001), 50],
);
console.log(`a change of one line: ${changeMs.toFixed(2)} ms`);
await harness.close();
