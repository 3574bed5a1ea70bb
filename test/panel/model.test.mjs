// What is shown of a language model: how it thinks and what it says, exactly what it was asked, and how its answer
// compares. Model text is hostile here.
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { messagesOf, post, readCase, takeSent } from './harness.mjs';
import { harnessOfTests, sentOf, showPage, skip, tabTo, typesOf } from './page.mjs';

const harness = await harnessOfTests();

const show = (context, name, options) => showPage(harness, context, name, options);
const textOf = async (page, selector) => (await page.locator(selector).textContent()).replaceAll(/\s+/g, ' ').trim();

const program = { type: 'program', id: 2, argv: ['npm', 'test'], cwd: '/home/ada/shop', basis: 'imagined' };
const question = (id, more = {}) => ({
  ...{
    type: 'question',
    id,
    program: 2,
    purpose: 'output',
    title: 'npm test: what it prints',
    what: 'what it prints',
    domain: 'swe',
  },
  ...{ messages: [{ role: 'user', content: 'Action' }], tokens: { count: 1, exact: false } },
  blocks: [{ part: 'action', title: '', message: 0, start: 0, end: 6, tokens: 1 }],
  ...{ leftOut: [], redacted: [], conditions: [], ...more },
});
const reply = (id, more = {}) => ({
  ...{ type: 'reply', question: id, raw: '', reasoning: '', finish: 'stop', model: 'm', url: 'http://u/v1', body: {} },
  ...{ dropped: [], warnings: [], durationMs: 1000, firstTokenMs: 500, ...more },
});
const asked = (...events) => ({
  script: 'npm test',
  events: [{ type: 'started', by: 'confined' }, program, ...events],
});

test("a first look waits for no other script, a model's is loaded when there is one, and each is at most 100 kB", {
  skip,
}, async (context) => {
  const loaded = (page) =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name.split('/').at(-1))
        .filter((name) => ['later.js', 'model.js', 'shared.js'].includes(name)),
    );
  const plain = await show(context, 'danger');
  assert.deepEqual((await loaded(plain)).sort(), ['later.js', 'shared.js']);
  const without = await harness.page();
  context.after(() => without.close());
  await without.route('**/later.js', () => {});
  await without.reload();
  await without.evaluate(
    (all) => {
      for (const message of all) globalThis.harness.post(message);
    },
    messagesOf(await readCase('danger')),
  );
  await without.locator('.verdict.danger').waitFor();
  assert.match(await textOf(without, '.facts-gone'), /Lost for good/);
  await post(plain, messagesOf(await readCase('imagined'), 2));
  assert.deepEqual((await loaded(plain)).sort(), ['later.js', 'model.js', 'shared.js']);
  assert.match(await textOf(plain, '.facts-model'), /One possible outcome, imagined by Qwen/);
  const media = process.env['FORETELL_MEDIA'] ?? new URL('../../dist/media', import.meta.url).pathname;
  for (const name of ['later', 'model', 'shared']) {
    const { size } = await stat(`${media}/${name}.js`);
    assert.ok(size <= 100_000, `${name}.js: ${size} bytes`);
  }
});

test('thoughts stream in a folded part, with counters', { skip }, async (context) => {
  const page = await show(context, 'thinking');
  assert.match(await textOf(page, '.asked-title'), /npm run build: what it prints.*thinking.*≈ \d+ tokens/);
  assert.equal(await page.locator('.thoughts').count(), 0);
  const count = async () => Number(/≈\s([\d,]+)/.exec(await textOf(page, '.asked-title'))?.[1].replace(',', ''));
  const before = await count();
  const { events } = await readCase('thinking');
  const thought = { type: 'thought', question: 1, text: 'and so on '.repeat(100) };
  await page.waitForTimeout(400);
  await post(page, [{ type: 'events', run: 1, first: events.length + 1, events: [thought] }]);
  assert.ok((await count()) > before + 100);
  assert.match(await textOf(page, '.asked-title'), /\/s · \d/);
  await tabTo(page, '.reasoning .fold');
  await page.keyboard.press('Enter');
  assert.match(await textOf(page, '.thoughts'), /^The user runs.*and so on$/);
  const said = { type: 'said', question: 1, text: 'built' };
  const exact = { promptTokens: 9, completionTokens: 1234, reasoningTokens: 1200, exact: true };
  const end = reply(1, { observation: 'built', rule: 'tagged', usage: exact, reasoning: 'short' });
  await post(page, [{ type: 'events', run: 1, first: events.length + 2, events: [said, end] }]);
  assert.match(await textOf(page, '.asked-title'), /1,234 tokens · 2,468\/s · 1\.0 s/);
  assert.doesNotMatch(await textOf(page, '.facts-model'), /≈/);
  assert.match(await textOf(page, '.asked-body'), /Observation built Read between the observation tags/);
});

test('an observation that begins again replaces what came before', { skip }, async (context) => {
  const said = (text, restart) => ({ type: 'said', question: 1, text, ...(restart ? { restart } : {}) });
  const page = await show(context, asked(question(1), said('wrong'), said('right', true), said(' now')));
  assert.equal(await textOf(page, '.observation'), 'right now');
});

test('that it cannot know, that it failed, and that it only thought: each says so', { skip }, async (context) => {
  const page = await show(context, 'modelFailed');
  // A failure is said at the top, and nowhere else.
  const [gone, cut] = (await page.locator('.model-failure').allTextContents()).map((text) =>
    text.replaceAll(/\s+/g, ' '),
  );
  assert.match(
    gone,
    /The model failed\. Nothing listens at localhost:8000; start .* Nothing is known of npm run build\./,
  );
  assert.match(cut, /The model failed\. The model spent all .* Nothing is known of python3 train\.py\./);
  const whole = await textOf(page, '.panel');
  assert.equal(whole.split('Nothing listens').length, 2);
  assert.doesNotMatch(whole, /because nothing listens/i);
  const section = await textOf(page, '.facts-model');
  assert.match(section, /npm run build: what it prints failed/);
  assert.match(section, /The model says that it cannot know: whether the images/);
  assert.match(section, /Cut at the limit of 32,768 tokens: 32,768 of 32,768 tokens were spent thinking/);
  assert.match(section, /The server ignored the limit/);
  await page.locator('.model-failure').getByRole('button', { name: 'Connect a Model' }).click();
  assert.deepEqual(await sentOf(page, 'errand'), [{ type: 'errand', errand: 'connectModel' }]);
});

test('without a model an assumption offers to connect one', { skip }, async (context) => {
  const page = await show(context, 'abstained');
  assert.match(await textOf(page, '.connect.model'), /A language model can imagine tsc, vite/);
  await tabTo(page, '.connect.model button');
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'errand'), [{ type: 'errand', errand: 'connectModel' }]);
  assert.equal(await page.getByRole('button', { name: 'Imagine Whole Command' }).count(), 0);
  const other = await show(context, 'modelFailed');
  assert.equal(await other.locator('.connect.model').count(), 0);
});

test('samples: how many say each line, as a hint', { skip }, async (context) => {
  const page = await show(context, 'questions');
  await page.locator('.asked-title button').first().click();
  const lines = await page.locator('.agreed-line').allTextContents();
  assert.match(lines.join('\n'), /2\/3\s*2 of 3 agree:\s*✓ 34 modules/);
  assert.match(await page.locator('.observation-title').first().textContent(), /a hint/);
  assert.match(await textOf(page, '.conditions'), /under Disk full 3 samples/);
});

test('two views of a prediction, as tabs', { skip }, async (context) => {
  const page = await show(context, 'questions');
  await tabTo(page, '#tab-prediction');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'tab-prompt');
  assert.equal(await page.locator('#tab-prompt').getAttribute('aria-selected'), 'true');
  assert.equal(await page.locator('#tab-prompt').getAttribute('aria-controls'), 'view-prompt');
  assert.equal(await page.locator('#view-prompt').getAttribute('role'), 'tabpanel');
  assert.equal(await page.locator('#view-prediction').count(), 0);
  // Whoever predicts the same command again goes on reading prompts; another command shows what it would do.
  await post(page, messagesOf(await readCase('questions'), 2));
  assert.equal(await page.locator('#view-prompt').count(), 1);
  await post(page, messagesOf(await readCase('imagined'), 3));
  assert.equal(await page.locator('#view-prediction').count(), 1);
  await page.locator('#tab-prediction').focus();
  await page.keyboard.press('End');
  await page.reload();
  await post(page, messagesOf(await readCase('imagined'), 3));
  assert.equal(await page.locator('#view-prompt').count(), 1);
});

test('exactly what was sent, question by question', { skip }, async (context) => {
  const page = await show(context, 'prompt', { height: 800 });
  assert.match(await textOf(page, '.question-head'), /760 tokens of prompt 699 cached \(92 %\) swe template/);
  assert.match(await textOf(page, '.token-legend'), /Template 71 \(10 %\).*Workspace context 379 \(52 %\)/);
  assert.match(await textOf(page, '.question-counted'), /^Counted block by block .* 35 more are the chat template’s/);
  assert.match(await textOf(page, '.facts-promptLeftOut'), /package-lock\.json.*a lock file is long/);
  assert.match(await textOf(page, '.facts-promptSecrets'), /Secrets taken out 4 .*\.env\s?API key.*private key × 2/);
  assert.equal(await page.locator('.prompt-text').count(), 2, 'only the action is unfolded');
  await page.locator('.message .fold').first().click();
  await page.locator('.prompt-block .fold', { hasText: 'Tools' }).scrollIntoViewIfNeeded();
  const texts = await page.locator('.message').first().locator('.prompt-text').allTextContents();
  assert.match(texts.join(''), /You are the environment[\s\S]*run_shell_command: runs a command/);
  await tabTo(page, '#questions');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.match(await textOf(page, '.question-title'), /npm run build: what it changes/);
  // Nobody has counted the blocks of this one.
  assert.match(await textOf(page, '.question-counted'), /^Blocks are estimated/);
  assert.match(await textOf(page, '.token-legend'), /Template ≈ \d+/);
  // The messages of the questions before are shown, too.
  assert.equal(await page.locator('.message').count(), 14);
  assert.match(await textOf(page, '.message:nth-child(11)'), /assistant.*What it prints/);
  await page.locator('#title-promptParameters').click();
  assert.match(
    await textOf(page, '.facts-promptParameters'),
    /http:\/\/localhost:8000\/v1.*temperature\s?0\.6.*presence_penalty\s?not sent: the server/,
  );
  await page.locator('#title-promptReply').click();
  assert.match(await textOf(page, '.facts-promptReply .model-text'), /^<predicted_observation> !! dist/);
});

test('open and copy parts of a question', { skip }, async (context) => {
  const page = await show(context, 'prompt');
  const press = async (name) => {
    await page.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
    const [sent] = (await takeSent(page)).filter(({ type }) => /Question$/.test(type));
    return sent.what ?? sent.as;
  };
  const opened = [];
  for (const name of ['Open Template', 'Open Prompt', 'Open Raw Request', 'Open Raw Reply'])
    opened.push(await press(name));
  assert.deepEqual(opened, ['template', 'prompt', 'request', 'reply']);
  const copied = [];
  for (const name of ['Copy as Text', 'Copy as curl', 'Copy as AgentWorldBench Row']) copied.push(await press(name));
  assert.deepEqual(copied, ['prompt', 'curl', 'row']);
  assert.equal(await press('Open message 3 in an editor'), 'message');
});

test('edit a message and predict again; what was typed survives a reload', { skip }, async (context) => {
  const page = await show(context, 'prompt', { height: 800 });
  await tabTo(page, '#edit-0');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'message-draft');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'edit-0');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Be brief. ');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#message-draft').count(), 1, 'Escape throws nothing away');
  await page.waitForTimeout(600);
  await page.reload();
  await post(page, messagesOf(await readCase('prompt')));
  assert.match(await page.locator('#message-draft').inputValue(), /Be brief\. $/);
  await page.locator('#message-draft').focus();
  await page.keyboard.press('Control+Enter');
  const [sent] = await sentOf(page, 'askAgain');
  assert.deepEqual({ ...sent, content: '' }, { type: 'askAgain', run: 1, question: 1, message: 0, content: '' });
  assert.match(sent.content, /^You are the environment[\s\S]*Be brief\. $/);
  await post(page, messagesOf(await readCase('questions'), 2));
  assert.equal(await page.locator('#message-draft').count(), 0);
});

test('imagine the whole command, and under what', { skip }, async (context) => {
  const page = await show(context, 'questions');
  await tabTo(page, '[aria-label="Imagine Whole Command"]');
  await page.keyboard.press('Enter');
  const { script } = await readCase('questions');
  assert.deepEqual(await sentOf(page, 'imagine'), [{ type: 'imagine', script }]);
  await tabTo(page, '#imagining');
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: 'No network' }).focus();
  await page.keyboard.press('Space');
  assert.deepEqual(await sentOf(page, 'imagining'), [
    { type: 'imagining', conditions: ['disk-full', 'no-network'], text: '', samples: 3 },
  ]);
  await page.locator('#condition-text').focus();
  await page.keyboard.type('it is Sunday');
  await page.keyboard.press('Escape');
  const [{ text }] = await sentOf(page, 'imagining');
  assert.equal(text, 'it is Sunday');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'imagining');
  assert.equal(await page.locator('#imagining').getAttribute('aria-label'), 'Conditions to imagine under, 4 chosen');
});

test('an imagined prediction beside the rehearsed one, with its score', { skip }, async (context) => {
  const page = await show(context, 'beside', { height: 800 });
  const section = await textOf(page, '.facts-beside');
  assert.match(section, /Imagined beside rehearsed factual score 0\.\d\d/);
  assert.match(section, /Output differs: 5 of 6 lines said, 1 made up/);
  assert.match(section, /only rehearsed: src\/core\/currency\.ts.*only imagined: src\/core\/tax\.ts/);
  assert.match(await textOf(page, '#verdict'), /SAFE.*The rehearsal says something else/);
  assert.match(section, /Exit code agrees: 0/);
  assert.match(section, /files\.txt changed in another way\s?notes\/old\.md only rehearsed/);
});

test('compare with the last run, and stop it', { skip }, async (context) => {
  const page = await show(context, 'lastRun');
  const button = page.getByRole('button', { name: 'Compare with Last Run' });
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
  await button.focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'compareLast'), [{ type: 'compareLast', run: 1, on: false }]);
  await post(page, messagesOf({ ...(await readCase('lastRun')), beside: undefined }));
  await button.focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await sentOf(page, 'compareLast'), [{ type: 'compareLast', run: 1, on: true }]);
});

test('nothing is said to be imagined before a model has said anything, nor behind its failure', {
  skip,
}, async (context) => {
  const noteOf = async (name) => textOf(await show(context, name), '.facts-model');
  assert.match(await noteOf('answering'), /One possible outcome/);
  assert.doesNotMatch(await noteOf('thinking'), /One possible outcome/);
  assert.doesNotMatch(await noteOf('modelFailed'), /One possible outcome/);
});

const evil =
  '<img src=x onerror=alert(1)><a href="command:x">y</a> https://evil.example \u001b]8;;command:x\u0007link \u001b[31mred\u202egnp.exe\u2066 \u0000';

test('what a model says is text, wherever it stands', { skip }, async (context) => {
  const messages = [{ role: 'user', content: evil }];
  const blocks = [{ part: 'action', title: evil, message: 0, start: 0, end: evil.length, tokens: 3 }];
  const more = {
    ...{ title: evil, domain: evil, messages, blocks, conditions: [evil] },
    leftOut: [{ what: evil, why: evil }],
    redacted: [{ where: evil, kind: evil, count: 1 }],
  };
  const answer = {
    ...{ raw: evil, reasoning: evil, observation: evil, rule: evil, unknown: evil, model: evil, url: evil },
    ...{ failure: { code: evil, message: evil }, warnings: [evil], dropped: [{ name: evil, why: evil }] },
    ...{ body: { [evil]: evil }, agreement: { samples: 2, lines: [1] } },
  };
  const page = await show(context, asked(question(1, more), reply(1, answer)), { height: 1200 });
  const isText = async () => {
    assert.equal(await page.locator('img, a, iframe').count(), 0);
    const shown = await page.locator('main').textContent();
    assert.match(shown, /<img src=x onerror=alert\(1\)>/);
    assert.doesNotMatch(shown, /[\u0000\u001b\u202e\u2066]/);
    assert.match(shown, /⟨U\+202E⟩/);
  };
  await page.locator('.reasoning .fold').click();
  await isText();
  await page.locator('#tab-prompt').click();
  for (const name of ['promptParameters', 'promptReply']) await page.locator(`#title-${name}`).click();
  await isText();
});

test('5 MB of thoughts and a prompt of 64,000 tokens stay smooth', { skip, timeout: 60_000 }, async (context) => {
  const line = `${'thinking about it '.repeat(6)}\n`;
  const content = 'const price = pricing(cart, currency);\n'.repeat(6500);
  const count = 200;
  const size = Math.ceil(content.length / count);
  const blocks = Array.from({ length: count }, (_, index) => {
    const end = Math.min(content.length, (index + 1) * size);
    return { part: 'grounding', title: `file ${index}`, message: 0, start: index * size, end, tokens: 320 };
  });
  const long = question(1, { messages: [{ role: 'user', content }], blocks, tokens: { count: 64_000, exact: true } });
  const page = await show(context, asked(long, { type: 'thought', question: 1, text: line.repeat(100) }));
  await page.locator('.reasoning .fold').click();
  const times = await page.evaluate(
    async ([text, rounds]) => {
      const spent = [];
      for (let round = 0; round < rounds; round++) {
        const start = performance.now();
        const events = [{ type: 'thought', question: 1, text }];
        globalThis.harness.post({ type: 'events', run: 1, first: 5 + round, events });
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        spent.push(performance.now() - start);
      }
      return spent.sort((a, b) => a - b);
    },
    [line.repeat(500), 100],
  );
  const length = await page.evaluate(() => document.querySelector('.thoughts').textContent.length);
  assert.ok(length > 5_000_000, `${length} characters`);
  assert.ok(times[50] < 2_000, `50 kB take ${times[50]} ms, the slowest ${times[99]} ms`);
  // The prompt is in the document only where it is unfolded.
  const openMs = await page.evaluate(async () => {
    const start = performance.now();
    document.getElementById('tab-prompt').click();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - start;
  });
  assert.ok(openMs < 10_000, `${openMs} ms`);
  assert.equal(await page.locator('.prompt-text').count(), 1, 'only the short end of it');
  await page.locator('.prompt-block .fold').nth(3).click();
  assert.equal(await page.locator('.prompt-text').count(), 2);
  await page.locator('#edit-0').click();
  assert.equal((await page.locator('#message-draft').inputValue()).length, content.length);
  assert.deepEqual(await typesOf(page), []);
});
