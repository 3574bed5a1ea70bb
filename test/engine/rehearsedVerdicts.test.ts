import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import { headlineOf } from '../../src/core/verdict/headlineOf.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** The headline of rehearsed commands in a git repository with committed, ignored and untracked work. */

const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
const git = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
const setUp = `git init -q -b master . && git config user.email a@example.org && git config user.name A
printf 'line1\\nline2\\nline3\\n' > a.txt; mkdir src docs notes; echo 'x' > src/x.js; echo doc > docs/d.md
printf '*.log\\n.env\\nnotes/\\n' > .gitignore; git add -A; git commit -qm Init
echo 'SECRET=abc123' > .env; echo 'hello world' > debug.log; seq 100 > notes/idea.txt; echo 'untracked work' > u.txt`;

const { foretell, folder } = throwAwayForetell('verdicts', { keepsShells: true });
let template: string;

before(() => {
  template = path.join(folder, 'template');
  fs.mkdirSync(template);
  execFileSync('bash', ['-c', setUp], { cwd: template, env: { ...env, ...git } });
});

const lines = fs.readFileSync('test/golden/rehearsed/verdicts.txt', 'utf8').trim().split('\n');
for (const [number, line] of lines.entries()) {
  if (line.startsWith('#')) continue;
  const [, headline = '', first = '', script = ''] =
    /^(\w+) \|(.*?)\| (.*)$/.exec(line)?.map((part) => part.trim()) ?? [];
  test(`${script}${first === '' ? '' : ` (after: ${first})`}`, async () => {
    const place = path.join(folder, `w${number}`);
    fs.cpSync(template, place, { recursive: true, preserveTimestamps: true });
    if (first !== '') execFileSync('bash', ['-c', first], { cwd: place, env: { ...env, ...git } });
    const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place };
    const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
    const prediction = await foldAll(action, events);
    await view.close();
    const reasons = prediction.verdict.reasons.map(({ level, text }) => `${level}: ${text}`).join('\n');
    assert.equal(headlineOf(prediction.verdict, prediction.diagnostics), headline, reasons);
  });
}

/** What the words ask for, and the rehearsal shows that it does not happen. */
const notDone: readonly [script: string, reason: string][] = [
  [
    'if [ -e nosuch ]; then echo x > ~/.bashrc; fi',
    'Asks to overwrite /nonexistent/.bashrc, which is run or read at the next start (it stays as it is here).',
  ],
  [
    'echo x >> /nosuch/hosts.d/a',
    'Asks to append to /nosuch/hosts.d/a, outside the workspace (it stays as it is here).',
  ],
  [
    'cd /etc/nosuch && echo x > hosts',
    'Fails with exit code 1: bash: line 1: cd: /etc/nosuch: No such file or directory.',
  ],
  ['tee /etc/nosuch/hosts < a.txt', '`tee` writes `/etc/nosuch/hosts`, which belongs to the system (it failed here).'],
  [
    'chmod 777 /etc/nosuch',
    '`chmod` changes who may use `777 /etc/nosuch`, which belongs to the system (it failed here).',
  ],
  [
    'if false; then kubectl delete ns prod; fi',
    '`kubectl delete` deletes `ns prod` from the cluster (it was not started here).',
  ],
  ['kill -0 $$ && kill -9 -1', '`kill -9 -1` ends processes of everybody.'],
  ['echo $(nosuch x.js) b | xargs rm -f', '`rm` deletes `b` (nothing would be lost now).'],
  ['x=$(head -c 3 a.txt); rm -rf "$x"', '`rm` deletes `lin` with everything in it (nothing would be lost now).'],
  [
    'for x in $(head -c 3 a.txt) $(tail -c 4 a.txt); do rm -rf "$x"; done',
    '`rm` deletes `lin ne3` with everything in it (nothing would be lost now).',
  ],
  ['x=$(sed -n 9p a.txt); rm -rf "$x/nosuch"', '`rm` asks to delete `/nosuch`, a directory of the system.'],
  ['x=$(date +%N); rm -rf "$x"', '`rm` deletes `$(date +%N)`, whose value is not known (nothing would be lost now).'],
  ['[ -x ./nosuch ] && ./nosuch --all || echo no', 'Changes no files; only reads or prints.'],
  ['nosuchprogram; true', 'Changes no files; only reads or prints.'],
  [
    '[ -x src/x.js ] && ./src/x.js || echo no',
    '`./src/x.js` is not known to Foretell; it was not started here, and may be another time.',
  ],
];
for (const [script, reason] of notDone) {
  test(`asked for and not done: ${script}`, async () => {
    const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: template };
    const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
    const prediction = await foldAll(action, events);
    await view.close();
    const reasons = prediction.verdict.reasons.map(({ text }) => text);
    assert.ok(reasons.includes(reason), reasons.join('\n'));
    assert.ok(!reasons.some((text) => text.includes('may do anything')), reasons.join('\n'));
  });
}
