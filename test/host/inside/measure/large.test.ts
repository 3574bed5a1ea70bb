import { say, test } from '../runner.ts';
import { inPanel, picture, predict, press, runCommand, until, withSetting } from '../window.ts';

// How smooth the panel stays with much in it. Numbers are printed, not asserted; what is shown is asserted.

/** How long the page of the panel did nothing else meanwhile at a time, in milliseconds, while this ran. */
async function stalls(during: () => Promise<unknown>): Promise<string> {
  await inPanel(`(() => {
    const beats = (window.foretellBeats = { gaps: [], isOver: false });
    const { port1, port2 } = new MessageChannel();
    let last = performance.now();
    port1.onmessage = () => {
      const now = performance.now();
      if (now - last > 50) beats.gaps.push(Math.round(now - last));
      last = now;
      if (!beats.isOver) setTimeout(() => port2.postMessage(0), 5);
    };
    port2.postMessage(0);
  })()`);
  await during();
  const gaps = await inPanel<number[]>('((window.foretellBeats.isOver = true), window.foretellBeats.gaps)');
  const [longest = 0] = [...gaps].sort((a, b) => b - a);
  return `${gaps.length} stalls over 50 ms, the longest ${longest} ms`;
}

/** The same for what takes longer than most: a loaded machine prints 20 MB in half a minute. */
const untilLate = (what: string, ask: () => Promise<boolean>) => until(what, ask).catch(() => until(what, ask));

/** Scrolls everything that scrolls from its beginning to its end and back, a step a frame. */
const scrollAll = () =>
  inPanel(`new Promise((resolve) => {
    // Asking rows that are out of sight for their height would lay them all out.
    const all = [];
    for (const inner of document.querySelectorAll('.output, [role=tree]'))
      for (let one = inner; one; one = one.parentElement)
        if (/auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 100 && !all.includes(one)) all.push(one);
    let step = 0;
    const next = () => {
      step += 1;
      const part = step <= 60 ? step / 60 : (120 - step) / 60;
      for (const one of all) one.scrollTop = part * (one.scrollHeight - one.clientHeight);
      if (step < 120) requestAnimationFrame(next);
      else setTimeout(() => resolve(all.length), 100);
    };
    requestAnimationFrame(next);
  })`);

async function find(text: string): Promise<void> {
  await runCommand('foretell.panel.focus');
  await until('the keyboard in the panel', () => inPanel<boolean>('document.hasFocus()'));
  await press('Control+f');
  await until('the box for what is looked for', () => inPanel<boolean>("document.activeElement?.id === 'find'"));
  await inPanel("document.getElementById('find').select()");
  for (const letter of text) await press(letter === ' ' ? 'Space' : letter);
  await until(text, async () => {
    const count = await inPanel<string>("document.querySelector('.find-count')?.textContent");
    if (count !== '1 of 1') throw new Error(`${await inPanel("document.getElementById('find')?.value")}: ${count}`);
    return true;
  });
}

async function measured(what: string, script: string, sought: string, counted: string): Promise<void> {
  const predicting = await stalls(async () => {
    await runCommand('foretell.predict', script);
    // `innerText` would lay out what is out of sight.
    await untilLate(counted, () =>
      inPanel<boolean>(`document.getElementById('command')?.value === ${JSON.stringify(script)} &&
        document.querySelector('main.panel[aria-busy=false] .verdict:not(.stale)') !== null &&
        [...document.querySelectorAll('.facts .section-title, .facts h2, .facts .count, main .count')].some((one) => one.textContent.replaceAll('\\u00a0', ' ').includes(${JSON.stringify(counted)}))`),
    );
  });
  say(`  ${what}, predicting: ${predicting}`);
  say(`  ${what}, scrolling to the end and back: ${await stalls(scrollAll)}`);
  say(`  ${what}, searching: ${await stalls(() => find(sought))}`);
  await picture(`large-${sought.replaceAll(/\W/g, '')}`);
  await press('Escape');
}

test('measure: 20 MB of output and 50,000 files in the panel', async () => {
  await predict('true');
  const settings = (during: () => Promise<void>) =>
    withSetting('foretell.limits.seconds', 60, () => withSetting('foretell.limits.outputMegabytes', 32, during));
  await settings(async () => {
    await measured('20 MB', "seq -f 'buoy %06g is moored beside the second pier' 1 420000", '419999', '420,000 lines');
    await measured(
      '50,000 files',
      "mkdir pier && cd pier && seq -f 'buoy%06g' 1 50000 | xargs touch",
      'buoy049999',
      '50,001',
    );
  });
  await predict('true');
});
