import type { TurnAction } from '../../../src/core/action/turnAction.ts';
import { renderShellReply } from '../../../src/core/worlds/language/prompt/turns/turnTextShell.ts';
import type { ConditionCase } from './conditionReplies.ts';

type Said = string | { says: string; exitCode: number };

/** What tools of many kinds say under a condition of shells, in their own words; `usual`: what each says without it. */
const inShells: readonly { condition: ConditionCase['condition']; usual: string; says: Record<string, Said> }[] = [
  {
    condition: 'disk-full',
    usual: '',
    says: {
      "python3 -c \"open('a', 'w').write('x')\" > out.txt": 'OSError: [Errno 28] No space left on device',
      'tar cf all.tar src':
        'tar: all.tar: Cannot write: No space left on device\ntar: Error is not recoverable: exiting now',
      "sed -i 's/a/b/' notes.txt": "sed: couldn't flush ./sedXk3T: No space left on device",
      'mkdir build': "mkdir: cannot create directory 'build': No space left on device",
    },
  },
  {
    condition: 'no-network',
    usual: 'done',
    says: {
      'npm install left-pad': 'npm ERR! code EAI_AGAIN\nnpm ERR! errno EAI_AGAIN',
      'pip install flask': 'Failed to establish a new connection: [Errno -3] Temporary failure in name resolution',
      'git clone https://github.com/a/b':
        "fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com",
      'apt-get update': "W: Failed to fetch http://deb.debian.org/debian  Temporary failure resolving 'deb.debian.org'",
      'ssh build@10.2.0.4 uptime': 'ssh: connect to host 10.2.0.4 port 22: No route to host',
      'curl https://1.1.1.1': 'curl: (7) Failed to connect to 1.1.1.1 port 443 after 0 ms: Network is unreachable',
      'wget -q https://example.org': "wget: bad address 'example.org'",
      'docker pull alpine': 'dial tcp: lookup registry-1.docker.io on 127.0.0.53:53: server misbehaving',
      'aws s3 ls': 'Could not connect to the endpoint URL: "https://s3.amazonaws.com/"',
      'gh pr list': 'error connecting to api.github.com\ncheck your internet connection or https://githubstatus.com',
    },
  },
  {
    condition: 'permission-denied',
    usual: '',
    says: {
      'python3 -m venv .venv > log.txt': 'bash: log.txt: Permission denied',
      'mkdir dist': "mkdir: cannot create directory 'dist': Permission denied",
      'sudo touch a.txt': { says: 'bash: sudo: command not found', exitCode: 127 },
      'rm notes.txt': "rm: cannot remove 'notes.txt': Permission denied",
    },
  },
  {
    condition: 'slow-service',
    usual: 'ok',
    says: {
      'timeout 5 curl -s https://example.org': { says: '', exitCode: 124 },
      'wget -T 5 -t 1 https://example.org': 'Read error (Connection timed out) in headers.\nGiving up.',
      'pip install --timeout 5 flask':
        "ReadTimeoutError: HTTPSConnectionPool(host='pypi.org', port=443): Read timed out.",
    },
  },
  {
    condition: 'flaky-test',
    usual: '',
    says: {
      'npx jest': 'Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 11 passed, 12 total',
      'npx vitest run': ' Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 20 passed (21)',
      'cargo test': 'test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured',
      'python3 -m unittest': 'Ran 8 tests in 0.112s\n\nFAILED (failures=1)',
      ctest: '83% tests passed, 1 tests failed out of 6\n\nThe following tests FAILED:\n\t  4 - clock (Timeout)',
      'dotnet test': 'Failed!  - Failed:     1, Passed:     5, Skipped:     0, Total:     6',
      'node --test': 'ℹ tests 9\nℹ pass 8\nℹ fail 1',
      'make test': '[==========] 7 tests ran.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Clock.Ticks',
      'mvn test': '[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0',
    },
  },
  {
    condition: 'package-missing',
    usual: 'listening on 3000',
    says: {
      'npm run dev': { says: '> dev\n> vite\n\nsh: 1: vite: not found', exitCode: 127 },
      'go test ./...':
        'main.go:4:2: no required module provides package github.com/a/b; to add it:\n\tgo get github.com/a/b',
      'ruby app.rb': '<internal:kernel>: cannot load such file -- rack (LoadError)',
      'npm run build': "Module not found: Error: Can't resolve 'left-pad' in '/app/src'",
      'python3 manage.py check': "ImportError: Couldn't import Django.",
      'mvn test': '[ERROR] package org.junit.jupiter.api does not exist',
      'cargo test': 'error[E0432]: unresolved import `serde`',
    },
  },
  {
    condition: 'out-of-memory',
    usual: 'built in 2 s',
    says: {
      'go build ./...': 'go build example.org/x: /usr/lib/go/pkg/tool/compile: signal: killed',
      'make -j4': 'g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.',
      'mvn package': 'java.lang.OutOfMemoryError: Java heap space',
      'gcc -O2 -c huge.c': 'cc1: out of memory allocating 65536 bytes after a total of 201326592 bytes',
      'npm run build': 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
      'pnpm install': ' ELIFECYCLE  Command failed with exit code 137.',
    },
  },
  {
    condition: 'port-in-use',
    usual: 'listening',
    says: {
      'npm start': 'Error: listen EADDRINUSE: address already in use :::3000',
      'flask run': 'Address already in use\nPort 5000 is in use by another program.',
      'rails server': 'Address already in use - bind(2) for "127.0.0.1" port 3000 (Errno::EADDRINUSE)',
      'npm run serve': 'Web server failed to start. Port 8080 was already in use.',
      'php -S localhost:8000': 'Failed to listen on localhost:8000 (reason: Address already in use)',
      'npm run start': 'Error: That port is already in use.',
    },
  },
  {
    condition: 'git-conflict',
    usual: '',
    says: {
      'git rebase main': 'CONFLICT (content): Merge conflict in a.txt\nerror: could not apply 3f2a1b0... change',
      'git stash pop':
        'Auto-merging a.txt\nCONFLICT (content): Merge conflict in a.txt\nThe stash entry is kept in case you need it again.',
      'git push origin main': ' ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs',
    },
  },
  {
    condition: 'clock-skew',
    usual: '1764000000',
    says: {
      'date +%s': { says: '1930381921', exitCode: 0 },
      'date +%x': { says: '03/04/31', exitCode: 0 },
      'date -Is': { says: '2031-03-04T09:12:01+00:00', exitCode: 0 },
      'date -R': { says: 'Tue, 04 Mar 2031 09:12:01 +0000', exitCode: 0 },
    },
  },
];

const call = (name: string, given: Record<string, unknown>): TurnAction => ({ kind: 'tool', name, arguments: given });
const orders = call('list_orders', { customer: 7 });
const search = call('search', { query: 'tide tables brest' });
const tap: TurnAction = { kind: 'text', text: 'tap(120, 300)' };

/** What servers and screens show under a condition, in their own forms. */
const elsewhere: readonly ConditionCase[] = [
  ...[
    '{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": "30s"}]}}',
    'HTTP/1.1 429 Too Many Requests\nretry-after: 30',
    '{"statusCode": 429, "retry_after_ms": 30000}',
  ].map(
    (complies): ConditionCase => ({
      condition: 'rate-limit',
      domain: 'mcp',
      action: orders,
      complies,
      departs: '{"orders": [{"id": 429}, {"id": 30}]}'.replace('429', '31'),
    }),
  ),
  ...[
    '{"items": [{"id": 1}, {"id": 2}, {"id": 3}], "has_more": true}',
    '{"data": [{"id": 1}, {"id": 2}], "links": {"next": "/orders?page=2"}}',
    '{"content": [{"id": 1}, {"id": 2}, {"id": 3}], "totalPages": 4, "number": 0}',
    '{"results": [{"id": 1}, {"id": 2}, {"id": 3}], "nextPageToken": "CAM"}',
    '{"orders": [{"id": 1}, {"id": 2}, {"id": 3}], "total": "12"}',
  ].map(
    (complies): ConditionCase => ({
      condition: 'partial-page',
      domain: 'mcp',
      action: orders,
      complies,
      departs: '{"items": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}], "has_more": false}',
    }),
  ),
  ...[
    '1. Tides\n   https://example.org/1\n   High water at Brest is at…\n   2018-06-30',
    '[{"title": "Tides", "url": "https://example.org/1", "snippet": "High water at Brest is at …"}]',
    '1. **Tides** (example.org)\n   URL: https://example.org/1\n   Summary: High water at Brest is at...',
  ].map(
    (complies): ConditionCase => ({
      condition: 'hidden-answer',
      domain: 'search',
      action: search,
      complies,
      departs: '1. Tides\n   https://example.org/1\n   High water at Brest is at 06:12.',
    }),
  ),
  ...['June 2018', '30.06.2018', '2018/06/30', '06/30/2018', '30 June 2018', '2018-06'].map(
    (date): ConditionCase => ({
      condition: 'old-index',
      domain: 'search',
      action: search,
      complies: `1. Tides\n   https://example.org/1\n   ${date}\n   High water.`,
      departs: `1. Tides\n   https://example.org/1\n   ${date.replace('2018', '2025')}\n   High water.`,
    }),
  ),
  ...[
    '{"results": []}',
    'Your search did not match any documents.',
    '{"organic": [], "searchParameters": {"q": "x"}}',
  ].map(
    (complies): ConditionCase => ({
      condition: 'no-results',
      domain: 'search',
      action: search,
      complies,
      departs: '{"results": [{"url": "https://example.org/1", "title": "Tides"}]}',
    }),
  ),
  {
    condition: 'landscape',
    domain: 'android',
    action: tap,
    complies: '<node class="FrameLayout" bounds="[0, 0][2400, 1080]" />',
    departs: '<node class="FrameLayout" bounds="[0, 0][1080, 2400]" />',
  },
];

/** The same conditions in other words than the cases that the checks were made with. */
export const conditionWordings: readonly ConditionCase[] = [
  ...inShells.flatMap(({ condition, usual, says }) =>
    Object.entries(says).map(([command, said]): ConditionCase => {
      const { says: text, exitCode } = typeof said === 'string' ? { says: said, exitCode: 1 } : said;
      const [stdout, stderr] = exitCode === 0 ? [text, ''] : ['', text];
      return {
        condition,
        domain: 'swe',
        action: { kind: 'tool', name: 'run_shell_command', arguments: { command } },
        complies: renderShellReply('qwen', { command, stdout, stderr, exitCode }),
        departs: renderShellReply('qwen', { command, stdout: usual, stderr: '', exitCode: 0 }),
      };
    }),
  ),
  ...elsewhere,
];
