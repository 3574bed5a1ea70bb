// Shows the built panel in Chromium without VS Code: its messages from a file, the colours of VS Code's own themes.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

/** Where Chromium is, or `undefined`. */
export function findChromium() {
  const places = [process.env['FORETELL_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
  return places.find((place) => place && existsSync(place));
}

/** Colours of VS Code's default themes, as its own workbench computes them. */
export const themes = JSON.parse(await readFile(join(here, 'themes.json'), 'utf8'));

const kinds = {
  dark: 'vscode-dark',
  dark2026: 'vscode-dark',
  light: 'vscode-light',
  light2026: 'vscode-light',
  hcDark: 'vscode-dark vscode-high-contrast',
  hcLight: 'vscode-high-contrast vscode-high-contrast-light',
};

const workspace = {
  trusted: true,
  folders: ['/home/ada/shop'],
  home: '/home/ada',
  engine: { available: true, name: 'confined' },
};
const settings = { keys: { predict: 'Alt+P' } };

/** Reads a case: what the host would have sent. */
export async function readCase(name) {
  return JSON.parse(await readFile(join(here, 'cases', `${name}.json`), 'utf8'));
}

/** The messages of the host for a case. `run` counts predictions. */
export function messagesOf(given, run = 1) {
  const command = { kind: 'command', script: given.script ?? '', shell: 'bash', cwd: '/home/ada/shop' };
  const action = given.edit ? { kind: 'edit', changes: [] } : command;
  const empty = {
    ...{ action, engine: '', output: [], files: [], effects: [], loss: [], verdict: { reasons: [] }, programs: [] },
    ...{ assumptions: [], otherwise: [], notices: [], questions: [] },
  };
  const snapshot = {
    type: 'snapshot',
    run,
    sequence: 0,
    prediction: given.script === undefined && !given.edit ? null : empty,
    workspace: given.workspace ?? workspace,
    settings: given.settings ?? settings,
    session: (!given.session?.endsWithShown && given.session) || { scripts: [], cwd: '/home/ada/shop' },
    ...(given.banner ? { banner: given.banner } : {}),
    ...(given.refusal ? { refusal: given.refusal } : {}),
    ...(given.unsaved ? { unsaved: given.unsaved } : {}),
    ...(given.gateOpened ? { gateOpened: true } : {}),
    ...(given.keptAnswers ? { keptAnswers: given.keptAnswers } : {}),
    ...(given.edit ? { edit: given.edit } : {}),
    ...(given.hasLast ? { hasLast: true } : {}),
    ...(given.beside ? { beside: { ...given.beside, prediction: { ...empty, ...given.beside.prediction } } } : {}),
  };
  const messages = [snapshot];
  if (given.events?.length) messages.push({ type: 'events', run, first: 1, events: given.events });
  if (given.consequences) {
    const { checked, consequences } = given;
    messages.push({ type: 'consequences', run, consequences, ...(checked ? { checked } : {}) });
  }
  if (given.past) messages.push({ type: 'past', commands: given.past });
  if (given.session?.endsWithShown) messages.push({ type: 'changed', session: given.session });
  if (given.safer) messages.push({ type: 'safer', run, safer: given.safer });
  if (given.observed) messages.push({ type: 'observed', run, observed: given.observed });
  return messages;
}

/** Starts Chromium and a server for the page. Close it when done. */
export async function openHarness({
  media = process.env['FORETELL_MEDIA'] ?? join(root, 'dist/media'),
  // Which page: that of the panel, or that of the trajectory editor.
  of = 'predict',
} = {}) {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium is not installed; set FORETELL_CHROMIUM to its path.');
  // As in VS Code the scripts come from another origin than the page, which is told that it may read them.
  const resources = await serve({
    '/predict.js': [join(media, `${of}.js`), 'text/javascript'],
    ...Object.fromEntries(
      ['later', 'model', 'shared'].map((name) => [`/${name}.js`, [join(media, `${name}.js`), 'text/javascript']]),
    ),
    '/predict.css': [join(media, `${of}.css`), 'text/css'],
  });
  const pages = await serve({ '/': [join(here, 'harness.html'), 'text/html'] }, resources.origin);
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
    ],
  });
  return {
    browser,
    async page({ theme = 'dark', width = 1200, height = 260, reducedMotion = 'reduce' } = {}) {
      const page = await browser.newPage({ viewport: { width, height }, reducedMotion });
      page.problems = [];
      page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
      page.on('pageerror', (error) => page.problems.push(String(error)));
      await page.goto(`${pages.origin}/`);
      await dress(page, theme);
      return page;
    },
    async close() {
      await browser.close();
      await Promise.all([pages.close(), resources.close()]);
    },
  };
}

/** Gives a page the colours of a theme. */
async function dress(page, theme) {
  await page.evaluate(([variables, kind]) => harness.theme(variables, kind), [themes[theme], kinds[theme]]);
}

/** The page as it is when it was just opened. */
export async function renew(page, theme = 'dark') {
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await dress(page, theme);
}

/** Shows a case in a page that is loaded anew for it. */
export async function showAnew(page, name, theme) {
  await renew(page, theme);
  await showCase(page, await readCase(name));
}

/** Serves files by their path on a free port; in them, `MEDIA` stands for an origin. */
async function serve(files, media = '') {
  const server = createServer(async (request, response) => {
    const [file, type] = files[request.url ?? ''] ?? [];
    if (!file) return response.writeHead(404).end();
    const text = await readFile(file, 'utf8');
    const page = type === 'text/html' ? text.replaceAll('NONCE', 'abc123').replaceAll('MEDIA', media) : text;
    return response
      .writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'access-control-allow-origin': '*' })
      .end(page);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => server.close(resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close };
}

/** Posts messages to the panel, one after the other, and waits until they are painted. */
export async function post(page, messages) {
  await page.evaluate(async (all) => {
    for (const message of all) harness.post(message);
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await painted();
    // The second script may have to be loaded first.
    for (let frames = 0; document.querySelector('.panel[data-loading]') && frames < 300; frames++) await painted();
  }, messages);
}

/** What the panel sent to the host; empties the list. */
export async function takeSent(page) {
  return page.evaluate(() => harness.sent.splice(0));
}

/** Shows a case as it is when its buttons were clicked, and keys pressed. */
export async function showCase(page, given) {
  await post(page, messagesOf(given));
  for (const selector of given.click ?? []) await page.click(selector);
  for (const key of given.press ?? []) await page.keyboard.press(key);
}
