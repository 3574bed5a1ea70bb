// A VS Code window in headless Chromium, and what can be done in it: the words of the driver.
import { chromium } from 'playwright-core';

/** Opens Chromium. The window itself is opened by `page.goto`. */
export async function openBrowser({ chromiumPath, locale = 'en-US', size = { width: 1400, height: 900 } }) {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    headless: true,
    // Root has no other sandbox in containers; the page is our own.
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  const context = await browser.newContext({
    viewport: size,
    locale,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // Where several windows start at once on a slow machine, each takes minutes.
  context.setDefaultTimeout(60_000);
  context.setDefaultNavigationTimeout(300_000);
  return { browser, page: await context.newPage() };
}

/** Address of the window. A payload is only read when the server has its test driver on. */
export function windowAddress({ port, folder, extension, tests, plain }) {
  const remote = (file) => `vscode-remote://127.0.0.1:${port}${file}`;
  const query = new URLSearchParams();
  if (folder?.endsWith('.code-workspace')) query.set('workspace', folder);
  else if (folder) query.set('folder', folder);
  else query.set('ew', 'true');
  if (!plain) {
    const payload = [['skipWelcome', 'true']];
    if (extension) payload.push(['extensionDevelopmentPath', remote(extension)]);
    if (tests) payload.push(['extensionTestsPath', remote(tests)]);
    query.set('payload', JSON.stringify(payload));
  }
  return `http://127.0.0.1:${port}/?${query}`;
}

/**
 * The words of the driver, for one page. Selectors are looked for in the window first, then in every frame: webviews are
 * frames in frames.
 */
export function driverWords(page) {
  const consoleLines = [];
  page.on('console', (message) => consoleLines.push(message.text()));
  const find = async (selector) => {
    for (const frame of page.frames()) {
      const found = frame.locator(selector).first();
      if ((await found.count().catch(() => 0)) > 0) return found;
    }
    return page.locator(selector).first();
  };
  const timeout = 45_000;
  // `force`: an editor and a terminal lie below transparent layers that take the mouse for them.
  return {
    press: (key) => page.keyboard.press(key),
    type: (text, delayMs = 0) => page.keyboard.type(text, { delay: delayMs }),
    click: async (selector) => (await find(selector)).click({ timeout }),
    rightClick: async (selector) => {
      const element = await find(selector);
      // An editor that still scrolls would get the click on another line. What is drawn anew meanwhile is found again by the click.
      const handle = await element.elementHandle();
      await handle?.waitForElementState('stable', { timeout: 5_000 }).catch(() => undefined);
      await element.click({ button: 'right', timeout, force: true });
    },
    doubleClick: async (selector) => (await find(selector)).dblclick({ timeout }),
    /** On the last element with this text: selects its line in an editor or a terminal. */
    tripleClick: async (selector, text) => {
      const all = page.locator(selector).filter({ hasText: text });
      await all.last().click({ clickCount: 3, timeout, force: true });
    },
    hover: async (selector) => (await find(selector)).hover({ timeout }),
    focus: async (selector) => (await find(selector)).focus({ timeout }),
    mouseDrag: async (from, to) => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 8 });
      await page.mouse.up();
    },
    box: async (selector) => (await find(selector)).boundingBox({ timeout }),
    text: async (selector) => (await find(selector)).textContent({ timeout }),
    texts: (selector) => page.locator(selector).allInnerTexts(),
    count: (selector) => page.locator(selector).count(),
    waitFor: async (selector, timeoutMs = 60_000) => {
      const until = Date.now() + timeoutMs;
      while (Date.now() < until) {
        for (const frame of page.frames()) {
          const found = frame.locator(selector).first();
          if (await found.isVisible().catch(() => false)) return true;
        }
        await page.waitForTimeout(30);
      }
      throw new Error(`${selector} did not appear within ${timeoutMs} ms`);
    },
    screenshot: async (file, clip) => {
      await page.screenshot({ path: file, ...(clip ? { clip } : {}) });
    },
    evaluate: (source) => page.evaluate(source),
    /** Evaluates in the first frame that has an element for this selector. */
    evaluateInFrame: async (selector, source) => {
      for (const frame of page.frames()) {
        if (
          (await frame
            .locator(selector)
            .count()
            .catch(() => 0)) > 0
        )
          return frame.evaluate(source);
      }
      throw new Error(`no frame has ${selector}`);
    },
    /** What the window and its frames printed to their console so far and holds this text. */
    consoleLines: (text) => consoleLines.filter((line) => line.includes(text)),
    readClipboard: () => page.evaluate(() => navigator.clipboard.readText()),
    resize: (width, height) => page.setViewportSize({ width, height }),
    reload: async () => {
      await page.reload();
    },
  };
}
