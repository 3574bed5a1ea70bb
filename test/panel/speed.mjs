// Measures the panel: size of the script, time from the last message to the painted frame, and how smoothly 50,000
// deletions scroll. Prints one JSON object.
import { stat } from 'node:fs/promises';
import { messagesOf, openHarness, post, readCase } from './harness.mjs';

const count = 50_000;
const batch = 1_000;
const root = '/home/ada/shop';

function deletions() {
  const events = [{ type: 'started', by: 'confined' }];
  const file = (path, type, sizeBytes) => ({
    type: 'file',
    change: { path, change: 'deleted', type, mode: '0644', sizeBytes, volatile: false },
    basis: 'rehearsed',
  });
  const lost = [];
  for (let index = 0; index < count; index++) {
    const folder = `${root}/data/part-${String(Math.floor(index / 500)).padStart(3, '0')}`;
    if (index % 500 === 0) events.push(file(folder, 'directory', 0));
    const path = `${folder}/record-${String(index).padStart(6, '0')}.json`;
    events.push(file(path, 'file', 640 + (index % 97)));
    lost.push({
      ...{
        type: 'loss',
        path,
        class: 'untracked',
        because: { kind: 'untracked' },
        why: 'untracked',
        recovery: { kind: 'none' },
        recoverable: 'no',
      },
      ...{ sizeBytes: 640 + (index % 97), lines: 21 },
    });
  }
  const end = [
    { type: 'exit', code: 0, basis: 'rehearsed', cwd: root },
    {
      type: 'risk',
      level: 'danger',
      kind: 'onlyReads',
      fact: { kind: 'onlyReads' },
      reason: 'Deletes 50,000 files that exist nowhere else.',
      evidence: [],
    },
    { type: 'done', durationMs: 480 },
  ];
  return [...events, ...lost, ...end];
}

/** Posts in page time, so that sending from here is not measured. Resolves to the milliseconds until it is painted. */
async function timeToPaint(page, messages) {
  return page.evaluate(async (all) => {
    const start = performance.now();
    for (const message of all) harness.post(message);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - start;
  }, messages);
}

async function scrolls(page, list) {
  return page.evaluate(async (name) => {
    let scroller = document.getElementById(name);
    while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement;
    const frames = [];
    let empty = 0;
    let last = performance.now();
    for (let step = 0; step < 120; step++) {
      scroller.scrollTop += 900;
      await new Promise(requestAnimationFrame);
      frames.push(performance.now() - last);
      last = performance.now();
      const box = scroller.getBoundingClientRect();
      const middle = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      if (!middle?.closest('.row')) empty += 1;
    }
    frames.sort((a, b) => a - b);
    const rows = document.querySelectorAll(`#${name} .row`).length;
    return {
      listPixels: scroller.scrollHeight,
      p50Ms: frames[60],
      p95Ms: frames[114],
      worstMs: frames[119],
      blankFrames: empty,
      rowsInDocument: rows,
    };
  }, list);
}

/** 20 MB of output: streamed, scrolled to its end and searched; the main thread's longest task of each. */
async function longOutput() {
  const page = await harness.page();
  const [snapshot] = messagesOf({ script: 'cat log' });
  await post(page, [snapshot]);
  const line = `2026-07-01T05:02 oban high 3.9 ${'x'.repeat(68)}\n`;
  const text = line.repeat(1_000);
  const pieces = 200;
  const times = [];
  const batch = (first, events) => [{ type: 'events', run: 1, first, events }];
  await timeToPaint(page, batch(1, [{ type: 'started', by: 'confined' }]));
  for (let at = 0; at < pieces; at++) {
    const output = {
      type: 'output',
      stream: 'stdout',
      text: at === pieces - 1 ? `${text}needle\n` : text,
      basis: 'rehearsed',
    };
    times.push(await timeToPaint(page, batch(at + 2, [output])));
  }
  const end = [
    { type: 'exit', code: 0, basis: 'rehearsed', cwd: root },
    { type: 'done', durationMs: 480 },
  ];
  const endMs = await timeToPaint(page, batch(pieces + 2, end));
  times.sort((a, b) => a - b);
  const frames = await page.evaluate(async () => {
    let scroller = document.querySelector('.output');
    while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement;
    const waits = [];
    for (let step = 0; step < 120; step++) {
      const before = performance.now();
      scroller.scrollTop = (scroller.scrollHeight * step) / 119;
      await new Promise(requestAnimationFrame);
      waits.push(performance.now() - before);
    }
    waits.sort((a, b) => a - b);
    return { p50Ms: waits[60], worstMs: waits[119], elements: document.querySelectorAll('*').length };
  });
  await page.keyboard.press('Control+f');
  await page.waitForTimeout(300);
  const beganAt = Date.now();
  await page.keyboard.type('needle');
  await page.waitForFunction(() => /1 of 1/.test(document.body.textContent), undefined, { timeout: 20_000 });
  const found = { findMs: Date.now() - beganAt, problems: page.problems };
  await page.close();
  return {
    bytes: pieces * text.length,
    pieceMs: { p50: times[pieces >> 1], worst: times.at(-1) },
    endMs,
    scroll: frames,
    ...found,
  };
}

const harness = await openHarness();
const result = {};
const media = new URL('../../dist/media/', import.meta.url);
result.scriptBytes = (await stat(new URL('predict.js', media))).size;
result.styleBytes = (await stat(new URL('predict.css', media))).size;

const danger = await readCase('danger');
const first = [];
const later = [];
for (let round = 0; round < 15; round++) {
  const page = await harness.page();
  await post(page, messagesOf({}));
  first.push(await timeToPaint(page, messagesOf(danger, 2)));
  for (let run = 3; run < 8; run++) later.push(await timeToPaint(page, messagesOf(danger, run)));
  await page.close();
}
const spread = (list) => {
  list.sort((a, b) => a - b);
  return { p50: list[list.length >> 1], p95: list[Math.floor(list.length * 0.95)] };
};
result.firstPredictionToPaintMs = spread(first);
result.laterPredictionToPaintMs = spread(later);

const events = deletions();
const page = await harness.page();
const [snapshot] = messagesOf({ script: 'rm -rf data' });
await post(page, [snapshot]);
const streaming = [];
for (let at = 0; at < events.length - 3; at += batch) {
  const message = {
    type: 'events',
    run: 1,
    first: at + 1,
    events: events.slice(at, Math.min(at + batch, events.length - 3)),
  };
  streaming.push(await timeToPaint(page, [message]));
}
streaming.sort((a, b) => a - b);
result.streamedBatchMs = { p50: streaming[streaming.length >> 1], worst: streaming.at(-1) };
const end = { type: 'events', run: 1, first: events.length - 2, events: events.slice(-3) };
result.lastMessageToPaintMs = await timeToPaint(page, [end]);
result.heapBytes = await page.evaluate(() => performance.memory?.usedJSHeapSize);

// All at once: a finished prediction as one snapshot, which is what a reload of the webview gets.
const whole = await harness.page();
result.wholeSnapshotToPaintMs = await timeToPaint(whole, [snapshot, { ...end, first: 1, events }]);
await whole.close();

for (const list of ['files', 'gone']) {
  await page.evaluate((name) => {
    // Unfold everything, as a person would with the keyboard.
    const tree = document.getElementById(name);
    tree.focus();
    const press = (key) => tree.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    press('Home');
    press('ArrowRight');
    // From the last folder upwards, so that unfolding does not put its rows between.
    if (name === 'files') press('End');
    for (let step = 0; step < 100 && name === 'files'; step++) {
      press('ArrowRight');
      press('ArrowUp');
    }
    press('Home');
  }, list);
  result[`scroll_${list}`] = await scrolls(page, list);
}
result.problems = page.problems;
await page.close();
result.output = await longOutput();
console.log(JSON.stringify(result, null, 2));
await harness.close();
