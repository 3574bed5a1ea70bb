// Behaviour of the built panel in Chromium, with the keyboard only wherever a person could work so.
//   node src/tools/buildMedia.mjs && node --test test/panel/panel.test.mjs
import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { test } from 'node:test';
import { messagesOf, post, readCase } from './harness.mjs';
import { harnessOfTests, sentOf, showPage, skip, tabTo, typesOf } from './page.mjs';

const harness = await harnessOfTests();

const show = (context, name, options) => showPage(harness, context, name, options);

const activeText = (page, tree) =>
  page.evaluate((name) => {
    const id = document.getElementById(name).getAttribute('aria-activedescendant');
    return id ? document.getElementById(id).querySelector('.name').textContent : undefined;
  }, tree);

test('the script is at most 100 kB', { skip }, async () => {
  const { size } = await stat(new URL('../../dist/media/predict.js', import.meta.url));
  assert.ok(size <= 100_000, `${size} bytes`);
});

test('the first message is ready, and nothing is sent twice', { skip }, async (context) => {
  const page = await harness.page();
  context.after(() => page.close());
  assert.deepEqual(await typesOf(page), ['ready']);
});

test('type a command and press Enter', { skip }, async (context) => {
  const page = await show(context, 'empty');
  await tabTo(page, '#command');
  await page.keyboard.type('rm -rf a');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('ls');
  assert.deepEqual(await sentOf(page, 'predict'), []);
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'predict'), [{ type: 'predict', script: 'rm -rf a\nls' }]);
  await post(page, messagesOf(await readCase('safe'), 2));
  const painted = await sentOf(page, 'painted');
  assert.deepEqual(
    painted.map(({ run, what }) => [run, what]),
    [
      [2, 'first'],
      [2, 'verdict'],
      [2, 'ended'],
    ],
  );
  assert.ok(painted.every(({ sinceKeyMs }) => sinceKeyMs > 0));
});

test('an empty command is not sent', { skip }, async (context) => {
  const page = await show(context, 'empty');
  await tabTo(page, '#command');
  await page.keyboard.type('  ');
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'predict'), []);
});

test('an edited command cannot be run for real before it was predicted; Escape restores it', {
  skip,
}, async (context) => {
  const page = await show(context, 'safe');
  await tabTo(page, '#command');
  await page.keyboard.type(' -x');
  const run = page.getByRole('button', { name: 'Run for Real' });
  assert.equal(await run.isDisabled(), true);
  assert.match(await page.locator('#verdict').textContent(), /edited/);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#command').inputValue(), 'ls -la --color src');
  assert.equal(await run.isDisabled(), false);
});

test('walk through the files and open a difference', { skip }, async (context) => {
  const page = await show(context, 'danger');
  await tabTo(page, '#files');
  assert.equal(await activeText(page, 'files'), 'notes');
  await page.keyboard.press('ArrowRight');
  assert.equal(await activeText(page, 'files'), 'launch plan – été.md');
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'openDiff'), [
    { type: 'openDiff', run: 1, path: '/home/ada/shop/notes/launch plan – été.md' },
  ]);
  await page.keyboard.press('Control+Enter');
  assert.equal((await sentOf(page, 'openFile')).length, 1);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.locator('#files [aria-level="1"]').first().getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('End');
  assert.equal(await activeText(page, 'files'), 'pricing.ts');
  await page.keyboard.type('cu');
  assert.equal(await activeText(page, 'files'), 'currency.ts');
  await page.keyboard.press('Home');
  assert.equal(await activeText(page, 'files'), 'notes');
});

test('a click opens a difference, a click on a folder folds it', { skip }, async (context) => {
  const page = await show(context, 'danger');
  await page.locator('#files .row', { hasText: 'cart.ts' }).click();
  assert.equal((await sentOf(page, 'openDiff'))[0]?.path, '/home/ada/shop/src/core/cart.ts');
  await page.locator('#files .row', { hasText: 'src/core' }).click();
  assert.equal(await page.locator('#files .row', { hasText: 'cart.ts' }).count(), 0);
  assert.deepEqual(await sentOf(page, 'openDiff'), []);
});

test('buttons say what they do, by keyboard', { skip }, async (context) => {
  const page = await show(context, 'session');
  const press = async (name) => {
    const button = page.getByRole('button', { name, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    return typesOf(page);
  };
  assert.deepEqual(await press('Run for Real'), ['runForReal']);
  assert.deepEqual(await press('Continue from Here'), ['continueFromHere']);
  assert.deepEqual(await press('Start Over'), ['startOver']);
  assert.deepEqual(await press('Open All Changes'), ['openAllChanges']);
});

test('what else can be done with a prediction stands beside it, by keyboard', { skip }, async (context) => {
  const press = async (page, name) => {
    await page.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
    return sentOf(page, 'errand');
  };
  const safe = await show(context, 'safeCreates');
  assert.deepEqual(await press(safe, 'Apply Without Running'), [{ type: 'errand', errand: 'applyPrediction' }]);
  assert.deepEqual(await press(safe, 'Allow Effects Like These…'), [{ type: 'errand', errand: 'allowEffects' }]);
  // What is not certain is neither applied nor allowed.
  const abstained = await show(context, 'abstained');
  assert.equal(await abstained.getByRole('button', { name: /^(Apply|Allow)/ }).count(), 0);
  const imagined = await show(context, 'questions');
  assert.equal(await imagined.getByRole('button', { name: /^(Apply|Allow)/ }).count(), 0);
  const kept = await show(context, 'ranKept');
  assert.deepEqual(await press(kept, 'Restore What Was Lost…'), [{ type: 'errand', errand: 'restoreLost' }]);
  const lost = await show(context, 'ranLost');
  assert.equal(await lost.getByRole('button', { name: /^Restore/ }).count(), 0);
});

test('after a real run what the safety net keeps is not lost for good', { skip }, async (context) => {
  const kept = await show(context, 'ranKept');
  const text = await kept.locator('main').textContent();
  assert.match(text, /Kept by the safety net/);
  assert.match(text, /They are kept for a week: Restore What Was Lost… brings them back\./);
  assert.doesNotMatch(text, /Lost for good/);
  const lost = await show(context, 'ranLost');
  assert.match(await lost.locator('main').textContent(), /Lost for good/);
  assert.match(await lost.locator('#verdict').textContent(), /3\sfiles are lost for good\./);
  assert.match(await kept.locator('#verdict').textContent(), /What was lost is kept for a week\./);
});

test('empty files are not said to be lost for good beside a verdict that nothing is lost', {
  skip,
}, async (context) => {
  const page = await show(context, 'emptyFiles');
  const text = await page.locator('main').textContent();
  assert.match(text, /SAFE[\s\S]*Empty files[\s\S]*build\.lock/);
  assert.doesNotMatch(text, /Lost for good/);
});

test('of an applied result only the files are compared', { skip }, async (context) => {
  const page = await show(context, 'applied');
  assert.match(await page.locator('#verdict').textContent(), /It was applied, and came out as predicted\./);
  assert.deepEqual((await page.locator('.compared strong').allTextContents()).join(), 'Files agree');
});

test('the copy menu works with arrows, Enter and Escape', { skip }, async (context) => {
  const page = await show(context, 'safe');
  await tabTo(page, '#copy');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'menuitem');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'copy'), [{ type: 'copy', run: 1, what: 'output' }]);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'copy');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('[role=menu]').count(), 0);
});

test('rehearse for real names the programs first', { skip }, async (context) => {
  const page = await show(context, 'abstained');
  await page.getByRole('button', { name: 'Rehearse Fully' }).first().focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'rehearseForReal'), []);
  assert.match(await page.locator('.question').textContent(), /2 programs[\s\S]*tsc -p \.[\s\S]*vite build/);
  await page.getByRole('button', { name: 'Rehearse', exact: true }).focus();
  await page.keyboard.press('Enter');
  assert.equal((await sentOf(page, 'rehearseForReal')).length, 1);
});

test('beside what is not known stands what would make it known', { skip }, async (context) => {
  const page = await show(context, 'abstained');
  const section = page.locator('section, details, .section').filter({ hasText: 'is not known' }).last();
  assert.match(
    await page.locator('main').textContent(),
    /tsc -p \.\s*: what it prints, changes and returns is not known/,
  );
  assert.doesNotMatch(await page.locator('main').textContent(), /exits 0|prints nothing, changes nothing/);
  assert.ok((await section.count()) > 0);
  for (const name of ['Rehearse Fully', 'Always Rehearse Programs of This Workspace…', 'Connect a Model'])
    assert.ok((await page.locator('.note.connect').getByRole('button', { name }).count()) === 1, name);
  await page.locator('.note.connect').getByRole('button', { name: 'Always Rehearse' }).click();
  assert.equal((await sentOf(page, 'askConsent')).length, 1);
  await page.locator('.note.connect').getByRole('button', { name: 'Rehearse Fully' }).click();
  assert.match(await page.locator('.question').textContent(), /2 programs/);
});

test('a refused question: no action of an older answer, and the way back by keyboard', { skip }, async (context) => {
  const page = await show(context, 'refused');
  assert.match(await page.locator('#verdict').textContent(), /NOT PREDICTED/);
  assert.equal(await page.locator('text=/for Real|SAFE/').count(), 0);
  await tabTo(page, '.verdict.refused button');
  await page.keyboard.press('Enter');
  assert.deepEqual(await typesOf(page), ['showEarlier']);
});

test('what is unsaved is named, saved and predicted again, by keyboard', { skip }, async (context) => {
  const page = await show(context, 'unsaved');
  assert.match(await page.locator('.banner').textContent(), /prices\.ts\s+has unsaved changes/);
  await tabTo(page, '.banner button');
  await page.keyboard.press('Enter');
  assert.ok((await typesOf(page)).includes('saveAndPredict'));
});

test('what was saved meanwhile is not called unsaved', { skip }, async (context) => {
  const page = await show(context, 'savedMeanwhile');
  const text = await page.locator('.banner').textContent();
  assert.match(text, /prices\.ts\s+was saved while this was predicted/);
  assert.doesNotMatch(text, /unsaved/);
  await tabTo(page, '.banner button');
  await page.keyboard.press('Enter');
  assert.ok((await typesOf(page)).includes('predictAgain'));
});

test('a message that is none is said, with what to do, and goes with the next one that is', {
  skip,
}, async (context) => {
  const page = await show(context, 'safe');
  await page.evaluate(() => window.postMessage({ type: 'events', run: 1, first: 'soon', events: [] }));
  await page.locator('.banner.error').waitFor();
  assert.match(await page.locator('.banner.error').textContent(), /do not understand each other/);
  await tabTo(page, '.banner button');
  await page.keyboard.press('Enter');
  assert.deepEqual((await typesOf(page)).at(-1), 'errand');
  const [snapshot] = messagesOf(await readCase('safe'), 2);
  await page.evaluate((message) => window.postMessage(message), snapshot);
  await page.locator('.banner.error').waitFor({ state: 'detached' });
  assert.equal(page.problems.splice(0).length, 1);
});

test('before anything was understood, that is said as well', { skip }, async (context) => {
  const page = await show(context, 'starting');
  await page.evaluate(() => window.postMessage({ type: 'later' }));
  await page.locator('.banner.error button').waitFor();
  assert.equal(page.problems.splice(0).length, 1);
});

test('what a look outside would make known is offered with it, and asks by a consent of its own', {
  skip,
}, async (context) => {
  const page = await show(context, 'outsideLook');
  assert.match(await page.locator('.note.connect').first().textContent(), /Known as of now if\s+curl\s+may ask/);
  await page.getByRole('button', { name: 'Ask Servers of This Machine…' }).press('Enter');
  assert.ok((await typesOf(page)).includes('askConsent'));
  assert.equal(await page.getByRole('button', { name: 'Ask GitHub…' }).count(), 1);
});

test('headlines: fails, a new error, differs', { skip }, async (context) => {
  for (const [name, word] of [
    ['fails', 'FAILS'],
    ['newErrors', '1 NEW ERROR'],
    ['observedDiffers', 'DIFFERS'],
  ]) {
    const page = await show(context, name);
    assert.equal((await page.locator('#verdict .level').textContent()).trim(), word);
    assert.equal(await page.locator('#verdict .level svg').count(), 1);
  }
});

test('an untrusted workspace is never offered a rehearsal for real', { skip }, async (context) => {
  const page = await show(context, 'untrusted');
  assert.equal(await page.getByRole('button', { name: /Rehearse/ }).count(), 0);
  const run = page.getByRole('button', { name: 'Run for Real' });
  assert.equal(await run.isDisabled(), true);
  assert.match(await run.getAttribute('title'), /Trust the workspace first/);
  await page.getByRole('button', { name: 'Manage Workspace Trust' }).click();
  assert.deepEqual(await sentOf(page, 'errand'), [{ type: 'errand', errand: 'manageTrust' }]);
});

test('a program asks: the keyboard is led to the answer', { skip }, async (context) => {
  const page = await show(context, 'starting');
  await tabTo(page, '#command');
  const [, batch] = messagesOf(await readCase('asks'));
  await post(page, [{ ...batch, first: 2, events: batch.events.slice(1) }]);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'answer');
  await page.keyboard.type('y');
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'answer'), [{ type: 'answer', run: 1, text: 'y' }]);
  assert.equal(await page.locator('#answer').count(), 0);
});

test('a password is not shown', { skip }, async (context) => {
  const page = await show(context, {
    script: 'x',
    events: [
      { type: 'started', by: 'confined' },
      { type: 'asks', prompt: 'Password: ' },
    ],
  });
  assert.equal(await page.locator('#answer').getAttribute('type'), 'password');
});

test('long work shows progress and can be cancelled', { skip }, async (context) => {
  const page = await show(context, 'running');
  assert.match(await page.locator('.verdict').textContent(), /Comparing files[\s\S]*18,240 \/ 50,000/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(await sentOf(page, 'cancel'), [{ type: 'cancel', run: 1 }]);
});

test('a full rehearsal is told as one that runs until it has run', { skip }, async (context) => {
  const started = [
    { type: 'started', by: 'confined' },
    { type: 'progress', text: 'Running on a copy for 2.4 s', printed: 'ok 1\n' },
  ];
  const shown = async (events) => {
    const page = await show(context, { script: 'npm test', gateOpened: true, events });
    return page.locator('.banner').textContent();
  };
  assert.match(await shown(started), /Rehearsing fully: every program runs/);
  assert.match(await shown([...started, { type: 'done', durationMs: 3 }]), /Rehearsed fully: every program ran/);
});

test('what a command prints, and what files are called, is text', { skip }, async (context) => {
  const evil = '<img src=x onerror=alert(1)><a href="command:x">y</a>';
  const page = await show(context, {
    script: evil,
    events: [
      { type: 'started', by: 'confined' },
      {
        type: 'output',
        stream: 'stdout',
        text: `${evil}\n\u001b]8;;command:evil\u0007link\u001b]8;;\u0007`,
        basis: 'imagined',
      },
      {
        ...{ type: 'file', basis: 'rehearsed' },
        change: {
          path: `/home/ada/shop/${evil}`,
          change: 'created',
          type: 'file',
          mode: '0644',
          sizeBytes: 1,
          volatile: false,
        },
      },
      {
        ...{ type: 'risk', level: 'danger', kind: 'onlyReads', fact: { kind: 'onlyReads' } },
        reason: evil,
        evidence: [evil],
      },
      { type: 'notice', text: evil },
      { type: 'failed', code: 'x', message: evil, durationMs: 1 },
    ],
    banner: { kind: 'warning', sentence: evil },
  });
  assert.equal(await page.locator('img, a, iframe').count(), 0);
  assert.match(await page.locator('.terminal').textContent(), /<img src=x[\s\S]*link/);
});

test('missing events are asked for', { skip }, async (context) => {
  const page = await show(context, 'starting');
  await post(page, [{ type: 'events', run: 1, first: 7, events: [{ type: 'cancelled', durationMs: 1 }] }]);
  assert.deepEqual(await typesOf(page), ['ready']);
});

test('a message that is not in the protocol changes nothing', { skip }, async (context) => {
  const page = await show(context, 'safe');
  await page.evaluate(() => globalThis.harness.post({ type: 'events', run: 1, first: 1, events: [{ type: 'evil' }] }));
  assert.match(await page.locator('#verdict').textContent(), /SAFE/);
  assert.match(page.problems.pop() ?? '', /does not understand/);
});

test('what was edited and folded survives a reload', { skip }, async (context) => {
  const page = await show(context, 'danger');
  await page.locator('#title-programs').click();
  await tabTo(page, '#command');
  await page.keyboard.type('!');
  await page.reload();
  await post(page, messagesOf(await readCase('danger')));
  assert.match(await page.locator('#command').inputValue(), /!$/);
  assert.equal(await page.locator('#title-programs').getAttribute('aria-expanded'), 'false');
});

test('the panel does not flicker through “predicting”', { skip }, async (context) => {
  const page = await show(context, 'danger');
  const [snapshot, batch] = messagesOf(await readCase('safe'), 2);
  // In one task of the page, so that a slow machine does not let the patience of the panel run out.
  const seen = await page.evaluate(async (message) => {
    globalThis.harness.post(message);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return document.getElementById('verdict').textContent;
  }, snapshot);
  assert.match(seen, /DANGER/);
  await post(page, [batch]);
  assert.match(await page.locator('#verdict').textContent(), /SAFE/);
  await post(page, [messagesOf(await readCase('starting'), 3)[0]]);
  await page.waitForFunction(() => /PREDICTING/.test(document.getElementById('verdict').textContent), undefined, {
    timeout: 2000,
  });
});

test('50,000 deletions: none is cut, few are in the document', { skip }, async (context) => {
  const events = [{ type: 'started', by: 'confined' }];
  for (let index = 0; index < 50_000; index++) {
    const path = `/home/ada/shop/data/${String(index).padStart(5, '0')}`;
    const change = { path, change: 'deleted', type: 'file', mode: '0644', sizeBytes: 1, volatile: false };
    events.push({ type: 'file', change, basis: 'rehearsed' });
  }
  const reads = { kind: 'onlyReads', fact: { kind: 'onlyReads' } };
  events.push(
    { type: 'risk', level: 'danger', ...reads, reason: 'All.', evidence: [] },
    { type: 'done', durationMs: 1 },
  );
  const page = await show(context, { script: 'rm -rf data', events });
  assert.match(await page.locator('.facts-files').textContent(), /50,000 deleted/);
  await tabTo(page, '#files');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  assert.equal(await activeText(page, 'files'), '49999');
  const last = page.locator('#files .row.active');
  assert.equal(await last.getAttribute('aria-posinset'), '50000');
  assert.equal(await last.getAttribute('aria-setsize'), '50000');
  const box = await last.boundingBox();
  assert.ok(box && box.y + box.height <= 261, 'the last row is in sight');
  assert.ok((await page.locator('#files .row').count()) < 100);
});

test('nothing is wider than a narrow side bar', { skip }, async (context) => {
  for (const file of await readdir(new URL('cases/', import.meta.url))) {
    const page = await show(context, file.replace('.json', ''), { width: 320, height: 900 });
    const { width, beyond } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      beyond: [...document.querySelectorAll('button, input, textarea, .sentence, .basis')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
        .map((element) => element.outerHTML.slice(0, 100)),
    }));
    assert.equal(width, 320, file);
    assert.deepEqual(beyond, [], file);
  }
});

test('nothing moves where the user wants no motion', { skip }, async (context) => {
  const page = await show(context, 'starting');
  await page.waitForTimeout(200);
  const moving = await page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
});

test('an edit: what it is, its text, its buttons and what follows, by keyboard', { skip }, async (context) => {
  const page = await show(context, 'edit');
  assert.match(await page.locator('.edit-action').textContent(), /Patch of 3 files/);
  assert.equal(await page.getByRole('button', { name: 'Run for Real' }).count(), 0);
  const press = async (name) => {
    await page.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
    return typesOf(page);
  };
  assert.deepEqual(await press('Apply for Real'), ['applyForReal']);
  assert.deepEqual(await press('Choose…'), ['applyForReal']);
  assert.deepEqual(await press('Discard'), ['discard']);
  await page.getByRole('button', { name: 'npm test' }).focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'predict'), [{ type: 'predict', script: 'npm test' }]);
  await page.locator('.diagnostic .link').first().focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'openAt'), [
    { type: 'openAt', run: 1, path: '/home/ada/shop/src/core/checkout.ts', line: 31, column: 18, moment: 'after' },
  ]);
});

test('an edit: its text is changed and predicted again; Escape restores it', { skip }, async (context) => {
  const page = await show(context, 'editText');
  const box = page.locator('#edit-text');
  const text = await box.inputValue();
  await box.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('x');
  await page.keyboard.press('Escape');
  assert.equal(await box.inputValue(), text);
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  const [sent] = await sentOf(page, 'predict');
  assert.equal(sent.script.length, text.length + 1);
});

test('an edit: its changed text survives that the panel is hidden and shown again', { skip }, async (context) => {
  const given = await readCase('editText');
  const page = await show(context, given);
  const box = page.locator('#edit-text');
  const text = await box.inputValue();
  await box.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('more');
  const typed = await box.inputValue();
  assert.notEqual(typed, text);
  await page.reload();
  await post(page, messagesOf(given));
  await box.waitFor();
  assert.equal(await box.inputValue(), typed);
  await page.keyboard.press('Escape');
  await box.focus();
  await page.keyboard.press('Escape');
  assert.equal(await box.inputValue(), text);
  // Another edit does not get it, also where its prediction has the same number: they count anew in each window.
  await box.focus();
  await page.keyboard.type('more');
  await page.reload();
  const other = structuredClone(messagesOf(given));
  for (const message of other) if (message.edit?.text) message.edit.text = `other ${message.edit.text}`;
  await post(page, other);
  await box.waitFor();
  assert.match(await box.inputValue(), /^other /);
  assert.doesNotMatch(await box.inputValue(), /more/);
});

test('an edit: a command after it', { skip }, async (context) => {
  const page = await show(context, 'edit');
  await tabTo(page, '#command');
  await page.keyboard.type('ls');
  assert.equal(await page.getByRole('button', { name: 'Apply for Real' }).isDisabled(), false);
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'predict'), [{ type: 'predict', script: 'ls' }]);
});

test('a rename: which imports follow is told, each file a link, by keyboard', { skip }, async (context) => {
  const page = await show(context, 'editImports');
  const section = page.locator('.facts-imports');
  assert.match(await section.textContent(), /VS Code asks whether to update the imports in 2\sfiles\./);
  assert.match(await section.textContent(), /With No they stay as they are, with 2\snew errors\./);
  await page.getByRole('button', { name: 'src/core/cart.ts' }).focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'openFile'), [{ type: 'openFile', path: '/home/ada/shop/src/core/cart.ts' }]);
});

test('an edit that is there already cannot be applied', { skip }, async (context) => {
  const page = await show(context, 'editSession');
  assert.equal(await page.getByRole('button', { name: 'Apply for Real' }).count(), 0);
});

test('a reason says each fact once; what it rests on is a link', { skip }, async (context) => {
  const path = (index) => `/home/ada/shop/bin/tool${index}`;
  const paths = Array.from({ length: 20 }, (_, index) => path(index));
  const program = {
    type: 'program',
    id: 2,
    argv: ['chmod', '-R', '777', 'bin'],
    cwd: '/home/ada/shop',
    basis: 'rehearsed',
  };
  const risk = (fact, reason, evidence, more = {}) => ({
    ...{ type: 'risk', level: 'danger', kind: fact.kind, fact, reason, evidence, ...more },
  });
  const events = [
    { type: 'started', by: 'confined' },
    program,
    ...paths.slice(0, 3).map((file) => ({
      ...{
        type: 'file',
        change: { path: file, change: 'mode', type: 'file', mode: '0777', sizeBytes: 1, volatile: false },
      },
      basis: 'rehearsed',
    })),
    risk({ kind: 'limit', limit: 'time' }, 'Takes longer than a rehearsal may.', []),
    risk({ kind: 'writableByAll', files: 31 }, 'Lets everybody on this machine write 31 files.', paths, {
      unnamed: 11,
    }),
    risk({ kind: 'program' }, '`chmod` is careless.', ['chmod -R 777 bin', 'PATH=.']),
    { type: 'done', durationMs: 1 },
  ];
  const page = await show(context, { script: 'chmod -R 777 bin', events });
  const texts = await page.locator('.facts-reasons .reason').allTextContents();
  // The first stands in the verdict line.
  assert.equal(texts.length, 2);
  assert.match(
    texts[0].replaceAll(/\s+/g, ' '),
    /write 31 files\. bin\/tool0 bin\/tool1 bin\/tool2 bin\/tool3 and 27 more $/,
  );
  const link = (name) => page.locator('.facts-reasons').getByRole('button', { name, exact: true });
  await link('bin/tool1').click();
  assert.deepEqual(await sentOf(page, 'openDiff'), [{ type: 'openDiff', run: 1, path: path(1) }]);
  await link('bin/tool3').click();
  assert.deepEqual(await sentOf(page, 'openFile'), [{ type: 'openFile', path: path(3) }]);
  await link('chmod -R 777 bin').click();
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'programs');
  assert.equal(await activeText(page, 'programs'), 'chmod -R 777 bin');
  // Files stand above reasons, in the order of reading too.
  const order = await page.evaluate(() =>
    [...document.querySelectorAll('.sides section')].map(({ className }) => className),
  );
  assert.deepEqual(order, ['facts-files', 'facts-reasons']);
});

test('a sequence goes on with an empty line, says what it stands on, and can be gone back in', {
  skip,
}, async (context) => {
  const page = await show(context, 'safe');
  const session = { scripts: ['git switch -c tidy', 'rm a\nrm b'], cwd: '/home/ada/shop/src', endsWithShown: true };
  await post(page, [
    { type: 'changed', session },
    { type: 'focus', on: 'command' },
  ]);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'command');
  assert.equal(await page.locator('#command').inputValue(), '');
  assert.match(
    (await page.locator('.session').textContent()).replaceAll(/\s+/g, ' '),
    /Starts after git switch -c tidy › rm a … in src/,
  );
  assert.match(await page.locator('#verdict').textContent(), /The step before:/);
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'predict'), []);
  await page.keyboard.type('ls');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#command').inputValue(), '');
  await tabTo(page, '.session .link');
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'goToStep'), [{ type: 'goToStep', step: 0 }]);
  // The prediction that comes has its own command in the box.
  await post(page, messagesOf({ ...(await readCase('safe')), session: { scripts: ['x'], cwd: '/' } }, 2));
  assert.equal(await page.locator('#command').inputValue(), 'ls -la --color src');
});

test('the keyboard that VS Code gives to the panel as a whole is in the command, and is not lost with what goes away', {
  skip,
}, async (context) => {
  const page = await show(context, 'sequence');
  const focused = () => page.evaluate(() => document.activeElement?.id);
  assert.equal(await focused(), 'command');
  await page.evaluate(() => {
    document.activeElement.blur();
    window.dispatchEvent(new Event('focus'));
  });
  assert.equal(await focused(), 'command');
  // A pointer says where it wants to be.
  await page.evaluate(() => {
    document.activeElement.blur();
    window.dispatchEvent(new Event('pointerdown'));
    window.dispatchEvent(new Event('focus'));
    window.dispatchEvent(new Event('pointerup'));
  });
  assert.equal(await focused(), '');
  // Going back takes the list of steps away.
  await tabTo(page, '.link.code');
  await page.keyboard.press('Enter');
  await post(page, messagesOf(await readCase('safe'), 2));
  assert.equal(await page.locator('.link.code').count(), 0);
  assert.equal(await focused(), 'verdict');
});

test('what is typed stays when the command before it is predicted again, and goes when another one is', {
  skip,
}, async (context) => {
  const given = await readCase('safe');
  const page = await show(context, given);
  const typed = () => page.locator('#command').inputValue();
  await page.locator('#command').fill('ls next');
  await post(page, messagesOf(given, 2));
  assert.equal(await typed(), 'ls next');
  await page.locator('#command').fill('');
  await post(page, messagesOf(given, 3));
  assert.equal(await typed(), given.script);
  await page.locator('#command').fill('ls next');
  await post(page, messagesOf(await readCase('caution'), 4));
  assert.match(await typed(), /curl/);
});

test('one question after the other has the keyboard; answers that were kept are said', { skip }, async (context) => {
  const given = await readCase('asks');
  const page = await show(context, given);
  const focused = () => page.evaluate(() => document.activeElement?.id);
  await page.locator('#answer').focus();
  await page.keyboard.type('y');
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'answer'), [{ type: 'answer', run: 1, text: 'y' }]);
  assert.equal(await page.locator('#answer').count(), 0);
  const events = [
    { type: 'output', stream: 'stdout', text: 'And c.txt? ', basis: 'rehearsed' },
    { type: 'asks', prompt: 'And c.txt? ' },
  ];
  await post(page, [{ type: 'events', run: 1, first: given.events.length + 1, events }]);
  assert.equal(await focused(), 'answer');
  // Whoever works elsewhere is not pulled away.
  const other = await show(context, 'starting');
  await other.evaluate(() => {
    document.hasFocus = () => false;
    document.activeElement?.blur();
  });
  const [, batch] = messagesOf(given);
  await post(other, [{ ...batch, first: 2, events: batch.events.slice(1) }]);
  assert.equal(await other.locator('#answer').count(), 1);
  assert.notEqual(await other.evaluate(() => document.activeElement?.id), 'answer');
  const level = page.locator('.verdict-line .level');
  assert.match(await level.textContent(), /WAITING/);
  await page.keyboard.press('Enter');
  assert.match(await level.textContent(), /PREDICTING/);
  await post(page, messagesOf({ ...(await readCase('safe')), keptAnswers: 2 }, 2));
  assert.match(await page.locator('.banner').textContent(), /Answered as before, with 2.answers of yours/);
  await page.getByRole('button', { name: 'Answer Anew' }).click();
  assert.deepEqual(await sentOf(page, 'answerAnew'), [{ type: 'answerAnew', run: 2 }]);
});

test('after a real run nothing is offered that belongs before it', { skip }, async (context) => {
  const given = await readCase('safer');
  const banner = { kind: 'warning', sentence: 'Something has changed since.', offer: 'confirmRun' };
  const page = await show(context, { ...given, banner });
  const buttons = async () => (await page.locator('.top button').allTextContents()).map((text) => text.trim());
  assert.ok((await buttons()).includes('Run for Real'));
  assert.equal(await page.locator('.facts-safer').count(), 1);
  await post(page, [
    { type: 'observed', run: 1, observed: { state: 'ended', exitCode: 0, output: [], files: [], differs: [] } },
  ]);
  assert.match(await page.locator('#verdict').textContent(), /DONE.*came out as predicted\./);
  assert.equal(await page.locator('.facts-safer, .banner').count(), 0);
  for (const gone of ['Run for Real', 'Run Anyway', 'Continue from Here'])
    assert.ok(!(await buttons()).includes(gone), gone);
  await page.getByRole('button', { name: 'Predict Again' }).click();
  assert.deepEqual(await sentOf(page, 'predictAgain'), [{ type: 'predictAgain', run: 1 }]);
});
