import type { TurnAction } from '../../../src/core/action/turnAction.ts';
import type { ConditionId } from '../../../src/core/worlds/language/conditions/conditionPresets.ts';
import type { Domain } from '../../../src/core/worlds/language/prompt/turns/turn.ts';
import { renderShellReply } from '../../../src/core/worlds/language/prompt/turns/turnTextShell.ts';

/** An action, and what a model that follows the condition, and one that does not, would reply. */
export interface ConditionCase {
  condition: ConditionId;
  domain: Domain;
  action: TurnAction;
  earlier?: { action: TurnAction; observation: string }[];
  complies: string;
  departs: string;
}

/** An action that has nothing to do with the condition, and its usual reply. */
export interface UnmetCase {
  condition: ConditionId;
  domain: Domain;
  action: TurnAction;
  reply: string;
}

const shell = (command: string): TurnAction => ({ kind: 'tool', name: 'run_shell_command', arguments: { command } });
const typed = (command: string): TurnAction => ({
  kind: 'keystrokes',
  keystrokes: [{ keystrokes: `${command}\n`, duration: 1 }],
});
const call = (name: string, given: Record<string, unknown> = {}): TurnAction => ({
  kind: 'tool',
  name,
  arguments: given,
});
const text = (words: string): TurnAction => ({ kind: 'text', text: words });
const replied = (command: string, stdout: string, exitCode = 0, stderr = '') =>
  renderShellReply('qwen', { command, stdout, stderr, exitCode });
const screen = (command: string, output: string) => `root@box:/app# ${command}\n${output}root@box:/app#`;

function ofShell(
  condition: ConditionId,
  command: string,
  complies: { stdout?: string; stderr?: string; exitCode: number },
  departs: string,
): ConditionCase {
  const { stdout = '', stderr = '', exitCode } = complies;
  return {
    condition,
    domain: 'swe',
    action: shell(command),
    complies: replied(command, stdout, exitCode, stderr),
    departs: replied(command, departs),
  };
}

const orders = call('list_orders', { customer: 7 });
const order = call('get_order', { id: 31 });
const search = call('search', { query: 'tide tables brest' });
const page = call('visit', { url: 'https://example.org/brest' });
const results = (excerpts: readonly string[], dates: readonly string[] = []) =>
  excerpts
    .map(
      (excerpt, at) =>
        `${at + 1}. Tides ${at + 1}\n   https://example.org/${at + 1}${dates[at] ? `\n   ${dates[at]}` : ''}\n   ${excerpt}`,
    )
    .join('\n');

/** What tools answer. */
const ofAnswers: ConditionCase[] = [
  {
    ...{ condition: 'hidden-answer', domain: 'mcp', action: order },
    complies: '{"id": 31, "state": null, "items": 2}',
    departs: '{"id": 31, "state": "open", "items": 2}',
  },
  {
    ...{ condition: 'hidden-answer', domain: 'search', action: search },
    complies: results(['High water at Brest is at…', 'The next tide of the port comes ...']),
    departs: results(['High water at Brest is at…', 'High water is at 06:12.']),
  },
  {
    ...{ condition: 'partial-page', domain: 'mcp', action: orders },
    complies: '{"orders": [{"id": 1}, {"id": 2}, {"id": 3}], "next_cursor": "b7"}',
    departs: '{"orders": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}], "next_cursor": null}',
  },
  {
    ...{ condition: 'partial-page', domain: 'mcp', action: orders },
    complies: '{"total": 12, "orders": [{"id": 1}, {"id": 2}]}',
    departs: '{"total": 3, "orders": [{"id": 1}, {"id": 2}, {"id": 3}]}',
  },
  {
    ...{ condition: 'partial-page', domain: 'search', action: search },
    complies: `${results(['a', 'b', 'c'])}\nPage 1 of 9`,
    departs: results(['a', 'b', 'c', 'd']),
  },
  {
    ...{ condition: 'stale-cache', domain: 'mcp', action: order },
    earlier: [
      { action: order, observation: '{"id": 31, "state": "open"}' },
      { action: call('close_order', { id: 31 }), observation: '{"ok": true}' },
    ],
    complies: '{"state": "open", "id": 31}',
    departs: '{"id": 31, "state": "closed"}',
  },
  {
    ...{ condition: 'contradiction', domain: 'mcp', action: order },
    earlier: [{ action: order, observation: '{"id": 31, "state": "open", "sum": 20}' }],
    complies: '{"id": 31, "state": "open", "sum": 25}',
    departs: '{"id": 31, "state": "open", "sum": 20}',
  },
  {
    ...{ condition: 'wrong-schema', domain: 'mcp', action: orders },
    complies: '{"orders": {"0": {"id": "31"}, "1": {"id": "32"}}, "total": "2"}',
    departs: '{"orders": [{"id": 31}, {"id": 32}], "total": 2}',
  },
  {
    ...{ condition: 'cut-result', domain: 'mcp', action: orders },
    complies: `{"orders": [${'{"id": 31, "state": "open"}, '.repeat(20)}`.slice(0, 200),
    departs: `{"orders": [${Array(20).fill('{"id": 31, "state": "open"}').join(', ')}]}`,
  },
  {
    ...{ condition: 'rate-limit', domain: 'mcp', action: orders },
    complies: '{"error": {"status": 429, "message": "Too many requests, retry after 30 s"}}',
    departs: '{"error": {"status": 500, "message": "Internal error"}}',
  },
  {
    ...{ condition: 'rate-limit', domain: 'search', action: search },
    complies: 'Error: 429 Too Many Requests. Retry-After: 30',
    departs: results(['a']),
  },
  {
    ...{ condition: 'signed-out', domain: 'mcp', action: orders },
    complies: '{"status": 401, "title": "Unauthorized"}',
    departs: '{"orders": [{"id": 4017}]}',
  },
  {
    ...{ condition: 'service-down', domain: 'search', action: page },
    complies: 'HTTP 503 Service Unavailable',
    departs: 'Tides of Brest',
  },
  {
    ...{ condition: 'no-results', domain: 'search', action: search },
    complies: 'No results found.',
    departs: results(['a']),
  },
  {
    ...{ condition: 'old-index', domain: 'search', action: search },
    complies: results(['a', 'b'], ['2018-06-30', 'Mar 3, 2019']),
    departs: results(['a', 'b'], ['2018-06-30', 'Mar 3, 2024']),
  },
  {
    ...{ condition: 'page-gone', domain: 'search', action: page },
    complies: '404 Not Found: https://example.org/brest',
    departs: 'Tides of Brest: high water at 06:12.',
  },
  {
    ...{ condition: 'page-gone', domain: 'web', action: text("goto('https://example.org/prices')") },
    complies: "[1] heading '404'\n[2] text 'This page does not exist.'",
    departs: "[1] heading 'Prices'",
  },
];

const click = text('click [12]');
const tap = text('tap(120, 300)');
const pyautogui = text('pyautogui.click(20, 30)');

function ofScreen(
  condition: ConditionId,
  domain: Domain,
  action: TurnAction,
  complies: string,
  departs = "[1] heading 'Prices'\n[2] button 'Close'",
): ConditionCase {
  return { condition, domain, action, complies, departs };
}

/** What stands on screens. */
const ofScreens: ConditionCase[] = [
  ofScreen('offline', 'web', click, "[1] text 'No internet'\n[2] text 'ERR_INTERNET_DISCONNECTED'"),
  ofScreen('offline', 'android', tap, '[0] No internet connection\n[1] Retry'),
  ofScreen('loading', 'os', pyautogui, 'window "Files"\n  progress "Loading…"'),
  ofScreen(
    'session-expired',
    'web',
    click,
    "[1] text 'Your session has expired'\n[2] textbox 'Password'\n[3] button 'Sign in'",
  ),
  ofScreen('consent-banner', 'web', click, "[1] dialog 'Cookies'\n[2] button 'Accept all'\n[3] button 'Reject all'"),
  ofScreen(
    'form-refused',
    'web',
    text("type [7] 'Anna'"),
    "[7] textbox ''\n[8] text 'This entry is not valid'",
    "[7] textbox 'Anna'",
  ),
  ofScreen(
    'permission-question',
    'android',
    tap,
    '[0] While using the app\n[1] Only this time\n[2] Don’t allow',
    '[0] Allow',
  ),
  ofScreen(
    'not-responding',
    'os',
    pyautogui,
    'dialog "Writer isn\'t responding"\n  button "Force Close"\n  button "Wait"',
  ),
  ofScreen('battery-low', 'android', tap, '[0] Battery low\n[1] 5%\n[2] Battery Saver\n[3] Dismiss'),
  ofScreen('storage-full', 'os', pyautogui, 'dialog "Not enough space"\n  button "Free up space"'),
  ofScreen('landscape', 'android', tap, 'FrameLayout [0,0][2400,1080]', 'FrameLayout [0,0][1080,2400]'),
  ofScreen('unsaved-question', 'os', pyautogui, 'button "Save"\nbutton "Don’t Save"\nbutton "Cancel"', 'button "Save"'),
  ofScreen(
    'password-question',
    'os',
    pyautogui,
    'dialog "Authentication Required"\nfield "Password"\nbutton "Cancel"\nbutton "Authenticate"',
  ),
  ofScreen('read-only', 'os', pyautogui, 'window "a.odt [Read-Only]"', 'window "a.odt"'),
];

/** One at least for each condition. */
export const conditionCases: ConditionCase[] = [
  ofShell(
    'disk-full',
    'echo hi > a.txt',
    { stderr: 'bash: echo: write error: No space left on device', exitCode: 1 },
    '',
  ),
  {
    ...{ condition: 'disk-full', domain: 'terminal', action: typed('cp a b') },
    complies: screen('cp a b', "cp: error writing 'b': No space left on device\n"),
    departs: screen('cp a b', ''),
  },
  {
    ...{ condition: 'disk-full', domain: 'swe', action: call('write_file', { file_path: '/app/a', content: 'x' }) },
    complies: 'Error writing file: ENOSPC: no space left on device',
    departs: 'Successfully overwrote file: /app/a.',
  },
  ofShell(
    'no-network',
    'curl https://example.org',
    { stderr: 'curl: (6) Could not resolve host: example.org', exitCode: 6 },
    '<html>',
  ),
  ofShell('permission-denied', 'touch a', { stderr: "touch: cannot touch 'a': Permission denied", exitCode: 1 }, ''),
  ofShell(
    'slow-service',
    'curl -m 5 https://example.org',
    { stderr: 'curl: (28) Operation timed out after 5001 milliseconds', exitCode: 28 },
    'ok',
  ),
  ofShell('flaky-test', 'pytest -q', { stdout: '..F\n1 failed, 2 passed in 0.12s', exitCode: 1 }, '3 passed in 0.12s'),
  ofShell(
    'flaky-test',
    'npm test',
    { stdout: '# tests 4\n# pass 3\n# fail 1', exitCode: 1 },
    '# tests 4\n# pass 4\n# fail 0',
  ),
  ofShell(
    'flaky-test',
    'go test ./...',
    { stdout: '--- FAIL: TestA (0.01s)\nFAIL', exitCode: 1 },
    'ok  	example 0.1s',
  ),
  ofShell(
    'package-missing',
    'node server.js',
    { stderr: "Error: Cannot find module 'express'", exitCode: 1 },
    'listening',
  ),
  ofShell('out-of-memory', 'npm run build', { stderr: 'Killed', exitCode: 137 }, 'built in 2s'),
  ofShell('wrong-node-version', 'node --version', { stdout: 'v14.21.3', exitCode: 0 }, 'v20.11.0'),
  ofShell('wrong-python-version', 'python3 --version', { stdout: 'Python 3.7.17', exitCode: 0 }, 'Python 3.12.1'),
  ofShell(
    'port-in-use',
    'python3 -m http.server 8000',
    { stderr: 'OSError: [Errno 98] Address already in use', exitCode: 1 },
    'Serving HTTP',
  ),
  ofShell(
    'git-conflict',
    'git merge topic',
    { stdout: 'CONFLICT (content): Merge conflict in a.txt', exitCode: 1 },
    'Already up to date.',
  ),
  ofShell(
    'git-conflict',
    'git push',
    { stderr: ' ! [rejected]        main -> main (non-fast-forward)', exitCode: 1 },
    'Everything up-to-date',
  ),
  ofShell(
    'clock-skew',
    'date',
    { stdout: 'Tue Mar  4 09:12:01 UTC 2031', exitCode: 0 },
    'Tue Nov 24 09:12:01 UTC 2026',
  ),
  ...ofAnswers,
  ...ofScreens,
];

/** Replies that say nothing of the condition, because nothing asks for it. */
export const unmetCases: UnmetCase[] = [
  { condition: 'disk-full', domain: 'swe', action: shell('ls'), reply: replied('ls', 'a\nb') },
  { condition: 'disk-full', domain: 'swe', action: shell('rm a 2> /dev/null'), reply: replied('rm a', '') },
  { condition: 'no-network', domain: 'swe', action: shell('curl http://localhost:3000'), reply: replied('curl', 'ok') },
  { condition: 'permission-denied', domain: 'swe', action: shell('false && touch a'), reply: replied('x', '', 1) },
  { condition: 'flaky-test', domain: 'swe', action: shell('cat test.js'), reply: replied('cat test.js', 'test') },
  { condition: 'git-conflict', domain: 'swe', action: shell('git push --force'), reply: replied('git push', '') },
  { condition: 'stale-cache', domain: 'mcp', action: order, reply: '{"id": 31}' },
  { condition: 'contradiction', domain: 'mcp', action: order, reply: '{"id": 31}' },
  { condition: 'wrong-schema', domain: 'mcp', action: order, reply: '{"error": "no such order"}' },
  { condition: 'cut-result', domain: 'mcp', action: order, reply: '{"id": 31}' },
  { condition: 'no-results', domain: 'search', action: page, reply: 'Tides' },
  { condition: 'page-gone', domain: 'search', action: search, reply: results(['a']) },
];
