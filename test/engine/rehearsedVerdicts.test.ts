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

/** Code in a workspace that is trusted. */
const ofCode: readonly [script: string, headline: string][] = [
  [`perl -e 'unlink("missing") or die "no"'`, 'fails'],
  [`perl -e 'unlink("u.txt"); unlink("missing") or die "no"'`, 'danger'],
  [`perl -e 'system("rm -rf missing")'`, 'safe'],
  [`perl -e 'system("rm -rf u.txt")'`, 'danger'],
];
for (const [script, headline] of ofCode) {
  test(`code that ran: ${script}`, { skip: !fs.existsSync('/usr/bin/perl') }, async () => {
    const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: template };
    const { events, view } = foretell.predict({ action, env, trusted: true, signal: new AbortController().signal });
    const { verdict } = await foldAll(action, events);
    await view.close();
    assert.equal(headlineOf(verdict), headline, verdict.reasons.map(({ text }) => text).join('\n'));
  });
}

/** Programs that nobody knows, which the user has let run: what they did is the verdict, whatever they are called. */
const ofUnknown: readonly [code: string, headline: string][] = [
  ['print 1', 'safe'],
  ['unlink("u.txt")', 'danger'],
  ['exit 3', 'fails'],
  ['use Socket; socket(S, PF_INET, SOCK_STREAM, 0); connect(S, sockaddr_in(80, inet_aton("192.0.2.1")))', 'caution'],
];
for (const [code, headline] of ofUnknown) {
  test(`an unknown program with consent: ${code}`, { skip: !fs.existsSync('/usr/bin/perl') }, async () => {
    const place = fs.mkdtempSync(path.join(folder, 'unknown-'));
    fs.cpSync(template, place, { recursive: true, preserveTimestamps: true });
    fs.writeFileSync(path.join(place, 'tool'), `#!/usr/bin/perl\n${code};\n`, { mode: 0o755 });
    const action: CommandAction = { kind: 'command', script: './tool', shell: 'bash', cwd: place };
    const consent = { folder: place, programs: 'all' } as const;
    const { events, view } = foretell.predict({ action, env, consent, signal: new AbortController().signal });
    const { verdict } = await foldAll(action, events);
    await view.close();
    assert.equal(headlineOf(verdict), headline, verdict.reasons.map(({ text }) => text).join('\n'));
  });
}

/** What the words ask for, and the rehearsal shows that it does not happen. */
const notDone: readonly [script: string, reason: string][] = [
  [
    'if [ -e nosuch ]; then echo x > ~/.bashrc; fi',
    'Asks to create /nonexistent/.bashrc, which is run or read at the next start (nothing is there here).',
  ],
  ['echo x >> /nosuch/hosts.d/a', 'Asks to create /nosuch/hosts.d/a, outside the workspace (nothing is there here).'],
  [
    'cd /etc/nosuch && echo x > hosts',
    'Fails with exit code 1: bash: line 1: cd: /etc/nosuch: No such file or directory.',
  ],
  ['tee /etc/nosuch/hosts < a.txt', '`tee` writes `/etc/nosuch/hosts`, which belongs to the system (it failed here).'],
  [
    'chmod 777 /etc/nosuch',
    '`chmod 777` changes who may use `/etc/nosuch`, which belongs to the system (it failed here).',
  ],
  ['kill -0 $$ && kill -9 -1', '`kill -9 -1` ends processes of everybody.'],
  ['echo $(nosuch x.js) b | xargs rm -f', 'Changes no files; only reads or prints.'],
  ['x=$(head -c 3 a.txt); rm -rf "$x"', 'Changes no files; only reads or prints.'],
  ['for x in $(head -c 3 a.txt) $(tail -c 4 a.txt); do rm -rf "$x"; done', 'Changes no files; only reads or prints.'],
  [
    'x=$(sed -n 9p a.txt); rm -rf "$x/nosuch"',
    '`rm` asks to delete `/nosuch`, a folder at the top of the file system.',
  ],
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

/** What only the shell knew before is known when it has run: nothing is said of it any more. */
const settled: readonly [script: string, notSaid: RegExp][] = [
  ['eval "$(echo cm0gdS50eHQ= | base64 -d)"', /only known when it runs|not known to Foretell/],
  ['$(echo rm) u.txt', /only known when it runs|not known to Foretell/],
  [fs.existsSync('/usr/bin/busybox') ? 'busybox rm u.txt' : 'true', /not started here/],
  ['cd /nosuch; rm -r *', /a folder at the top of the file system/],
  ['git submodule deinit -f --all', /by its settings/],
  ['grep a /srv/dev/nosuch/*.go /srv/proc/*/a | head -1', /what it really is/],
  ['git init -q --bare ../r.git; git fetch ../r.git', /talks to the network/],
];
for (const [script, notSaid] of settled) {
  test(`said before, and settled by the run: ${script}`, async () => {
    const place = path.join(folder, `settled-${settled.findIndex(([one]) => one === script)}`);
    fs.cpSync(template, place, { recursive: true, preserveTimestamps: true });
    const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place };
    const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
    const prediction = await foldAll(action, events);
    await view.close();
    assert.equal(prediction.ending, 'done');
    assert.doesNotMatch(prediction.verdict.reasons.map(({ text }) => text).join('\n'), notSaid);
  });
}

test('a branch was renamed where its log says so, and not where another one stands where it stood', async () => {
  const said = async (script: string) => {
    const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: template };
    const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
    const prediction = await foldAll(action, events);
    await view.close();
    return prediction.effects.flatMap(({ git }) => (git && /^ref/.test(git.kind) ? [git.kind] : []));
  };
  assert.deepEqual(await said('git branch -m master main'), ['refRenamed']);
  assert.deepEqual((await said('git switch -q -c main && git branch -D master')).sort(), ['refCreated', 'refDeleted']);
  assert.deepEqual((await said('git tag a && git tag b a && git tag -d a')).sort(), ['refCreated']);
});
