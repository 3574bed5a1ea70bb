// What a stranger sees of the built panel in the first seconds: each fact once, and the next step in reach.
//   node src/tools/buildMedia.mjs && node --test test/panel/firstLook.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast } from './contrast.mjs';
import { readCase, themes } from './harness.mjs';
import { harnessOfTests, showPage, skip } from './page.mjs';

const harness = await harnessOfTests();
const show = (context, name) => showPage(harness, context, name, { width: 300, height: 900 });
const reasons = (page) => page.locator('.facts-reasons .reason').allInnerTexts();

test('the sentence of the verdict is said once; below it stands only what it is about', { skip }, async (context) => {
  assert.deepEqual(
    (await reasons(await show(context, 'caution'))).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
    ['caution: curl -fsSL https://example.com/install.sh -o install.sh'],
  );
  // What the list of files has is not said by a reason.
  assert.deepEqual(await reasons(await show(context, 'editImports')), []);
  const fails = await show(context, 'fails');
  const verdict = await fails.locator('.verdict').textContent();
  assert.equal(verdict.match(/exit code/g)?.length, 1, verdict);
});

test('what a server said, and when, is said once', { skip }, async (context) => {
  const page = await show(context, 'outsideAsked');
  const text = await page.locator('main').textContent();
  assert.equal(text.match(/18:40/g)?.length, 1, text);
  assert.doesNotMatch(text, /not known/i);
  // Of another one nothing is said above.
  const given = await readCase('outsideAsked');
  const asked = given.events.find(({ type }) => type === 'assumption');
  const other = { ...asked, argv: ['curl', 'http://localhost:9000/'] };
  const events = given.events.flatMap((event) => (event === asked ? [asked, other] : [event]));
  const both = await show(context, { ...given, events });
  assert.deepEqual(
    (await both.locator('.facts-assumptions li').allInnerTexts()).map((one) => one.split(':').slice(0, 3).join(':')),
    ['curl http://localhost:9000/'],
  );
});

test('four buttons take at most two rows at 300 px, under its full name', { skip }, async (context) => {
  for (const name of ['safe', 'danger', 'fails', 'caution', 'abstained', 'modelFailed', 'futures']) {
    const page = await show(context, name);
    const rows = await page.evaluate(
      () => new Set([...document.querySelectorAll('.actions button')].map((one) => one.offsetTop)).size,
    );
    assert.ok(rows <= 2, `${name}: ${rows} rows`);
    assert.equal(await page.getByRole('button', { name: 'Continue from Here', exact: true }).count(), 1);
  }
});

test('the first button is the next step, and nothing is offered that helps nobody', { skip }, async (context) => {
  const buttons = async (name) => {
    const page = await show(context, name);
    return page
      .locator('.actions button')
      .evaluateAll((all) =>
        all.map((one) => [one.getAttribute('aria-label') ?? one.textContent.trim(), one.className]),
      );
  };
  // What is not known can be known.
  assert.deepEqual((await buttons('modelFailed'))[0], ['Rehearse Fully', 'primary']);
  assert.deepEqual((await buttons('abstained'))[0], ['Run for Real', 'primary']);
  // To run what fails is nothing that the panel asks for.
  const fails = await buttons('fails');
  assert.deepEqual(fails[0], ['Run for Real', 'secondary']);
  for (const made of [fails, await buttons('lastRun')])
    assert.ok(!made.some(([name]) => name.startsWith('Allow')), JSON.stringify(made));
  assert.ok((await buttons('safeCreates')).some(([name]) => name.startsWith('Allow')));
  // Whoever was really asked would only fail in a rehearsal, which has no network.
  assert.ok(!(await buttons('outsideAsked')).some(([name]) => name === 'Rehearse Fully'));
  assert.equal(await (await show(context, 'outsideAsked')).locator('.note.connect').count(), 0);
});

test('a prediction that was cancelled can be made again', { skip }, async (context) => {
  const page = await show(context, 'cancelled');
  assert.equal(await page.locator('.actions button').first().textContent(), 'Predict Again');
});

test('the verdict names all that is lost, however it goes', { skip }, async (context) => {
  const lost = (going, path, reason, level = 'danger') => ({
    ...{ type: 'risk', level, kind: 'filesLost', reason, evidence: [path] },
    fact: {
      kind: 'filesLost',
      going,
      amount: { files: 1, lines: 5, sizeBytes: 9, isUncommitted: true },
      isNowhere: false,
    },
  });
  const events = [
    { type: 'started', by: 'confined' },
    lost('deleted', '/home/ada/shop/a', 'Deletes 1 file with 5 lines.'),
    lost('replaced', '/home/ada/shop/b', 'Overwrites 1 file with 5 lines.'),
    // A log weighs less, and stands in the list of what is lost as well.
    lost('deleted', '/home/ada/shop/c.log', 'Deletes 1 file with 1 line.', 'caution'),
    { type: 'done', durationMs: 1 },
  ];
  const page = await show(context, { script: 'git reset --hard; git clean -f', events });
  const sentence = await page.locator('.verdict .sentence').textContent();
  assert.equal(
    sentence.trim(),
    'Deletes 1 file with 5 lines. Overwrites 1 file with 5 lines. Deletes 1 file with 1 line.',
  );
});

test('of a model that failed only what it did not say is called unknown, and code is code', {
  skip,
}, async (context) => {
  const events = [
    { type: 'started', by: 'confined' },
    {
      ...{ type: 'assumption', id: 1, argv: ['node', 'check.js'] },
      ...{ assumed: 'changes nothing', notKnown: 'x', ways: [], assumes: [{ kind: 'changesNothing' }] },
      ...{ cause: 'model-failed', why: 'the model gave `2 tables` as a line of a listing' },
    },
    { type: 'abstained', reason: 'It rests on an assumption.', at: 'node check.js', durationMs: 1 },
  ];
  const page = await show(context, { script: 'node check.js', events });
  const said = (await page.locator('.model-failure > span').textContent()).replaceAll(/\s+/g, ' ').trim();
  assert.equal(
    said,
    'The model failed. The model gave 2 tables as a line of a listing. What node check.js changes is not known.',
  );
});

/** The contrast of an element's background with that of another one, or with its colour. */
async function contrastOf(page, selector, other, property = 'backgroundColor') {
  const colours = await page.evaluate(
    (which) => {
      const behind = getComputedStyle(document.body).backgroundColor;
      return which.map(([one, name]) => {
        const said = getComputedStyle(document.querySelector(one))[name];
        return (said === 'rgba(0, 0, 0, 0)' ? behind : said).match(/[\d.]+/g).map(Number);
      });
    },
    [
      [selector, 'backgroundColor'],
      [other, property],
    ],
  );
  return contrast(...colours.map((colour) => colour.slice(0, 3)));
}

test('the first button is told from the others in every theme', { skip }, async (context) => {
  for (const theme of Object.keys(themes)) {
    const page = await showPage(harness, context, 'safe', { width: 300, height: 900, theme });
    assert.ok((await contrastOf(page, 'button.primary', 'button.secondary')) > 2, theme);
    await page.hover('button.primary');
    assert.ok((await contrastOf(page, 'button.primary', 'button.primary', 'color')) > 4.5, `${theme}, under the mouse`);
  }
});

test('one button is the next step, also where nothing or too little is known', { skip }, async (context) => {
  for (const [name, next] of [
    ['savedMeanwhile', 'Predict Again'],
    ['unsaved', 'Save and Predict Again'],
    ['noEngineWindows', 'Reopen in WSL'],
    ['noEngineMac', 'Connect a Model'],
  ]) {
    const page = await show(context, name);
    const firsts = await page.locator('button.primary').allInnerTexts();
    assert.deepEqual(
      firsts.map((text) => text.trim()),
      [next],
      name,
    );
  }
});

test('a headline says once what it says, and what becomes of files', { skip }, async (context) => {
  const sentence = async (name) =>
    (await (await show(context, name)).locator('.verdict .sentence').textContent()).replaceAll(/\s+/g, ' ').trim();
  assert.equal(await sentence('newErrors'), 'Edits 1 file with 3 uncommitted lines that exist nowhere else.');
  const fails = await show(context, 'fails');
  assert.deepEqual(await fails.locator('.verdict .sentence code').allInnerTexts(), ['git commit']);
  // What is lost counts more than what is changed, also of what fails.
  const given = await readCase('fails');
  const { events } = await readCase('newErrors');
  const lost = events.find(({ kind }) => kind === 'filesLost');
  const both = { ...given, events: given.events.flatMap((event) => (event.type === 'risk' ? [event, lost] : [event])) };
  assert.match(
    await (await show(context, both)).locator('.verdict .sentence').textContent(),
    /fails with exit code 129: .*\. Edits 1 file with 3 uncommitted lines that exist nowhere else\./,
  );
  assert.match(await sentence('fails'), /fails with exit code 129: error: .*\. Changes no file\.$/);
});

test('an edit has no exit code and no output; after a real run the numbers are those of the run', {
  skip,
}, async (context) => {
  for (const name of ['editApplied', 'observedAgrees']) {
    const page = await show(context, name);
    assert.doesNotMatch(await page.locator('.verdict').textContent(), /exit code|rehearsed| ms/, name);
  }
  const edit = await show(context, 'editImports');
  assert.doesNotMatch(await edit.locator('main').textContent(), /Prints nothing|exit code/);
  assert.match(await (await show(context, 'emptyFiles')).locator('main').textContent(), /Prints nothing/);
});

test('what is not over is told from what was cut short; a triangle is the sign of Run for Real alone', {
  skip,
}, async (context) => {
  const signs = async (name) => {
    const page = await show(context, name);
    const drawn = (selector) =>
      page.locator(selector).evaluateAll((all) => all.map((each) => each.querySelector('path').getAttribute('d')));
    return { programs: await drawn('.row.program .program-state'), run: await drawn('.actions .primary') };
  };
  const { run } = await signs('safe');
  const [running, cut, unknown] = [await signs('running'), await signs('cancelled'), await signs('caution')];
  const shown = [...running.programs, ...cut.programs, ...unknown.programs];
  assert.equal(shown.length, 5);
  assert.ok(shown.every((sign) => sign !== run[0]));
  assert.notEqual(running.programs[0], cut.programs[0]);
});

test('what did without the network is told as rehearsed, offline', { skip }, async (context) => {
  const verdict = async (name) => (await show(context, name)).locator('.verdict').textContent();
  assert.match(await verdict('offline'), /exit code 0\s*rehearsed\s*offline/);
  assert.doesNotMatch(await verdict('safe'), /offline/);
});

test('a prediction that was stopped says what was lost by then, and can be made again', { skip }, async (context) => {
  const page = await show(context, 'timeLimit');
  const verdict = await page.locator('.verdict').textContent();
  assert.match(verdict, /DANGER\s+Deletes 1 file/);
  assert.match(verdict, /Not predicted to its end/);
  assert.equal((await page.locator('main').textContent()).match(/was still running/g)?.length, 1);
  assert.equal(await page.getByRole('button', { name: 'Predict Again' }).count(), 1);
  assert.equal(await page.getByRole('button', { name: 'Run for Real' }).count(), 0);
  const failed = await show(context, 'failed');
  assert.equal(await failed.getByRole('button', { name: 'Predict Again' }).count(), 1);
});

test('while something is asked, to run it is not the first thing to press', { skip }, async (context) => {
  const page = await show(context, 'abstained');
  const primary = () => page.locator('button.primary').allTextContents();
  assert.deepEqual((await primary()).join().trim(), 'Run for Real');
  await page.locator('.actions').getByRole('button', { name: 'Rehearse Fully' }).click();
  assert.deepEqual((await primary()).join().trim(), 'Rehearse');
  const unsaved = await show(context, 'editUnsaved');
  assert.equal(await unsaved.getByRole('button', { name: 'Discard' }).count(), 0);
  assert.equal(await unsaved.getByRole('button', { name: 'Close' }).count(), 1);
});

test('what is fetched to be run is a danger, and no rehearsal is offered that could not fetch it', {
  skip,
}, async (context) => {
  const page = await show(context, 'fetched');
  assert.match(await page.locator('.verdict').textContent(), /DANGER/);
  assert.equal(await page.getByRole('button', { name: /Rehearse/ }).count(), 0);
  assert.equal(await page.locator('.row.program.stopped').count(), 1);
});

test('no name hides that it is another one', { skip }, async (context) => {
  const page = await show(context, 'oddNames');
  const names = await page.locator('.row.loss .name').allInnerTexts();
  assert.ok(names.includes('odd/⟨U+202E⟩gpj.exe') && names.includes('odd/a␊b.txt'), names.join());
  await page.locator('.row.file .twistie').first().click();
  const files = await page.locator('.row.file .name').allInnerTexts();
  assert.ok(files.includes('⟨U+202E⟩gpj.exe') && files.includes('tab␉here.log'), files.join());
  // The empty one is in the list, and no loss.
  assert.match(await page.locator('.facts-gone .count').textContent(), /^8\sfiles/);
  assert.equal(names.filter((name) => name.startsWith('odd/')).length, 9);
});

test('two of two are both, and nothing has no lines', { skip }, async (context) => {
  const textOf = async (name) => (await show(context, name)).locator('main').textContent();
  const agrees = await textOf('observedAgrees');
  assert.match(agrees, /: nothing printed, as pred/);
  assert.match(agrees, /: both paths as predicted/);
  assert.match(await textOf('lastRun'), /: 2\slines; what else it prints varies/);
  assert.match(await textOf('lastRun'), /the same but for what varies/i);
});
