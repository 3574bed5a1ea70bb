import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { type PolicyProcess, runPolicy } from '../../src/cli/policy.ts';
import type { PolicyEffect } from '../../src/core/facts/policyFact.ts';
import { type Decided, decide, type Policies } from '../../src/core/policy/decide.ts';
import { matchesPattern, projectRoot } from '../../src/core/policy/pathPattern.ts';
import { Policy, type PolicyRule, policySchema } from '../../src/core/policy/policy.ts';
import { policyEffects } from '../../src/core/policy/policyEffects.ts';
import { presetNames, presets } from '../../src/core/policy/presets.ts';
import { parsePolicy, readPolicies, userPolicyFile } from '../../src/core/policy/readPolicies.ts';
import { newPolicyText, ruleFor, withRule } from '../../src/core/policy/writePolicy.ts';
import { emptyPrediction } from '../../src/core/prediction/fold.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-policies-')));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const root = '/home/u/project';
const decided = (effects: PolicyEffect[], level: Decided['level'] = 'safe'): Decided => ({
  ...{ effects, level, root, home: '/home/u' },
});
const layered = (rules: PolicyRule[], more: Partial<Policies['layers'][number]> = {}): Policies => ({
  layers: [{ origin: 'user', file: '/p', rules, mayAllow: true, ...more }],
  problems: [],
});
const rule = (answer: 'allow' | 'ask' | 'deny', given: object): PolicyRule =>
  Policy.parse({ version: 1, rules: [{ name: answer, answer, [answer === 'allow' ? 'only' : 'if']: given }] })
    .rules[0] as PolicyRule;

test('the JSON schema that editors take is made of the form that is read', () => {
  const file = 'media/policy.schema.json';
  const text = `${JSON.stringify(policySchema(), undefined, 2)}\n`;
  if (process.env['UPDATE_GOLDEN']) fs.writeFileSync(file, text);
  assert.equal(fs.readFileSync(file, 'utf8'), text);
  for (const name of presetNames) assert.ok(Policy.safeParse({ version: 1, rules: presets[name].rules }).success, name);
});

describe('patterns of paths', () => {
  const place = { root, home: '/home/u' };
  const rows: [pattern: string, file: string, matches: boolean, isFolder?: true][] = [
    ['dist/**', `${root}/dist/a/b`, true],
    ['dist/**', `${root}/dist`, false],
    ['dist/**', `${root}/dist`, true, true],
    ['dist/**', `${root}/distant/a`, false],
    ['dist/*', `${root}/dist/a/b`, false],
    ['**', `${root}/a`, true],
    ['**', '/home/u/other', false],
    ['**/*.ts', `${root}/a.ts`, true],
    ['**/*.ts', `${root}/a/b/c.ts`, true],
    ['../other/**', '/home/u/other/a', false],
    ['~/notes/*', '/home/u/notes/x', true],
    ['/tmp/**', '/tmp/x', true],
    ['/tmp/**', '/tmpx/x', false],
    ['b(1).t?t', `${root}/b(1).txt`, true],
    ['.env*', `${root}/.env.local`, true],
  ];
  for (const [pattern, file, matches, isFolder] of rows)
    test(`${pattern} ${matches ? 'matches' : 'does not match'} ${file}`, () => {
      assert.equal(matchesPattern(pattern, { path: file, ...(isFolder ? { isFolder } : {}) }, place), matches);
    });

  test('one that cannot be read makes its file no policy, so that no denial is overlooked', () => {
    for (const pattern of ['../x', '+(a)', 'src/**.ts', '']) {
      const text = JSON.stringify({ version: 1, rules: [{ name: 'x', answer: 'deny', if: { writes: [pattern] } }] });
      assert.deepEqual(parsePolicy('/p', text), { kind: 'notPolicy', file: '/p', at: 'rules.0.if.writes.0' });
    }
  });

  test('without a project, and below a home folder that is one, relative patterns match nothing', () => {
    const there = (file: string) => file === '/home/u/.git' || file === '/home/u/project/.git';
    assert.equal(projectRoot('/home/u/project/src', {}, '/home/u', there), '/home/u/project');
    assert.equal(projectRoot('/home/u/other', {}, '/home/u', there), undefined);
    assert.equal(projectRoot('/etc', {}, '/home/u', there), undefined);
    assert.equal(projectRoot('/etc', { CLAUDE_PROJECT_DIR: '/' }, '/home/u', there), undefined);
    assert.equal(matchesPattern('**', { path: '/etc/passwd' }, { root: undefined, home: '/home/u' }), false);
  });
});

describe('deny counts over ask, and ask over allow', () => {
  const writes: PolicyEffect[] = [
    { kind: 'writes', path: `${root}/dist/x` },
    { kind: 'exits', code: 0 },
  ];
  const all = [
    rule('allow', { writes: ['**'] }),
    rule('ask', { writes: ['dist/**'] }),
    rule('deny', { writes: ['dist/x'] }),
  ];
  test('whoever says it', () => {
    assert.equal(decide(layered(all), decided(writes)).kind, 'deny');
    assert.equal(decide(layered(all.slice(0, 2)), decided(writes)).kind, 'ask');
    assert.equal(decide(layered(all.slice(0, 1)), decided(writes)).kind, 'allow');
    assert.equal(decide(layered(all.slice(0, 1), { mayAllow: false }), decided(writes)).kind, 'none');
  });

  test('all conditions of a rule have to hold', () => {
    const both = rule('deny', { writes: ['dist/**'], exit: 'failure' });
    assert.equal(decide(layered([both]), decided(writes)).kind, 'none');
    assert.equal(decide(layered([both]), decided([...writes, { kind: 'exits', code: 1 }])).kind, 'deny');
  });

  test('one effect that a rule has no room for, and nothing is allowed', () => {
    const wide = rule('allow', {
      ...{ writes: ['/**'], deletes: ['/**'], permissions: ['/**'], network: 'any', programs: 'consented' },
      ...{ leavesRunning: true, certainty: ['rehearsed', 'computed', 'remembered'], exit: 'any' },
    });
    const never: PolicyEffect[] = [
      { kind: 'unknown', part: { of: 'ending' } },
      { kind: 'unknown', part: { of: 'model' } },
      { kind: 'judged', level: 'caution', risk: 'readsSecret' },
      { kind: 'loses', what: '/x', way: 'none' },
      { kind: 'git', part: 'commits' },
      { kind: 'listens', on: 'tcp 127.0.0.1:80' },
      { kind: 'marks', effect: 'signal' },
    ];
    assert.equal(decide(layered([wide]), decided(writes)).kind, 'allow');
    assert.equal(decide(layered([wide]), { ...decided(writes), level: undefined }).kind, 'none');
    for (const effect of never)
      assert.equal(decide(layered([wide]), decided([...writes, effect])).kind, 'none', JSON.stringify(effect));
  });

  test('hosts are met by pattern, loopback by address', () => {
    const reach = (to: string, host: string, where: 'loopback' | 'elsewhere'): PolicyEffect[] => [
      { kind: 'connects', to, host, reach: where },
    ];
    const elsewhere = reach('tcp 10.1.2.3:443', '10.1.2.3', 'elsewhere');
    assert.equal(decide(layered([rule('allow', { network: ['10.1.*'] })]), decided(elsewhere)).kind, 'allow');
    assert.equal(decide(layered([rule('allow', { network: 'loopback' })]), decided(elsewhere)).kind, 'none');
    assert.equal(decide(layered([rule('deny', { network: 'any' })]), decided(elsewhere)).kind, 'deny');
    const own = reach('tcp 127.0.0.1:80', '127.0.0.1', 'loopback');
    assert.equal(decide(layered([rule('allow', { network: 'loopback' })]), decided(own)).kind, 'allow');
  });

  test('a rule for other projects does not count', () => {
    const here = { ...rule('allow', { writes: ['**'] }), in: ['~/project'] };
    assert.equal(decide(layered([here]), decided(writes)).kind, 'allow');
    assert.equal(decide(layered([{ ...here, in: ['~/other/**'] }]), decided(writes)).kind, 'none');
  });
});

describe('facts of a prediction as effects', () => {
  const known: Prediction = {
    ...emptyPrediction({ kind: 'command', script: 'x', shell: 'bash', cwd: root }),
    ...{ engine: 'confined', ending: 'done', exitCode: 0, exitBasis: 'rehearsed' },
    verdict: { level: 'safe', reasons: [] },
  };
  const allKnown = { policies: layered([rule('allow', { writes: ['**'], exit: 'any' })]) };
  const kindFor = (prediction: Prediction) =>
    decide(allKnown.policies, decided(policyEffects(prediction, { root }), prediction.verdict.level)).kind;

  test('what is not certain is never allowed', () => {
    const file = {
      path: `${root}/x`,
      change: 'created',
      type: 'file',
      mode: '0644',
      sizeBytes: 1,
      volatile: false,
    } as const;
    assert.equal(kindFor(known), 'allow');
    assert.equal(kindFor({ ...known, files: [{ ...file, basis: 'rehearsed' }] }), 'allow');
    const uncertain: Partial<Prediction>[] = [
      { ending: 'abstained' },
      { ending: 'cancelled' },
      { exitBasis: 'assumed' },
      { exitBasis: 'imagined' },
      { engine: 'remembered' },
      { files: [{ ...file, basis: 'imagined' }] },
      { files: [{ ...file, basis: 'assumed' }] },
      { files: [{ ...file, basis: 'rehearsed', volatile: true }] },
      { programs: [{ id: 1, argv: ['x'], cwd: root, basis: 'assumed' }] },
      { programs: [{ id: 1, argv: ['x'], cwd: root, basis: 'rehearsed', byConsent: true }] },
      { assumptions: [{ argv: ['x'], assumed: '', why: '' }] },
      { output: [{ stream: 'stdout', text: 'x', basis: 'rehearsed', offline: true }] },
      { effects: [{ effect: 'network', detail: '', basis: 'assumed' }] },
      { verdict: { reasons: [] } },
    ];
    for (const part of uncertain) assert.notEqual(kindFor({ ...known, ...part }), 'allow', JSON.stringify(part));
  });

  test('a rule that is made from a prediction allows it and no other folder', () => {
    const effects: PolicyEffect[] = [
      { kind: 'writes', path: `${root}/dist`, isFolder: true },
      { kind: 'writes', path: `${root}/dist/a/b.js` },
      { kind: 'deletes', path: `${root}/old[1].txt` },
      { kind: 'loses', what: `${root}/old[1].txt`, way: 'commit' },
      { kind: 'git', part: 'index' },
      { kind: 'exits', code: 0 },
    ];
    const made = ruleFor(effects, { name: 'x', root });
    assert.deepEqual(made.blocked, []);
    assert.deepEqual(made.rule.answer === 'allow' && made.rule.only.writes, ['dist/**']);
    const policy = parsePolicy('/p', withRule(newPolicyText('careful').replace('{', '{ // mine\n'), made.rule));
    assert.ok(!('kind' in policy));
    const policies = layered([...policy.rules]);
    assert.equal(decide(policies, decided(effects)).kind, 'allow');
    assert.equal(decide(policies, decided([{ kind: 'writes', path: `${root}/src/a` }])).kind, 'none');
    assert.equal(decide(policies, { ...decided(effects), root: '/home/u/other' }).kind, 'none');
    assert.deepEqual(ruleFor([{ kind: 'unknown', part: { of: 'exit' } }], { name: 'x', root }).blocked.length, 1);
  });
});

describe('policy files', () => {
  const env = { HOME: folder, XDG_CONFIG_HOME: path.join(folder, 'config') };
  const user = userPolicyFile(env);
  const project = path.join(folder, 'project');
  const places = { env, cwd: path.join(project, 'src'), trusted: true, team: path.join(folder, 'none.json') };
  const write = (file: string, text: string, mode = 0o600) => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.rmSync(file, { force: true });
    fs.writeFileSync(file, text, { mode });
    fs.chmodSync(file, mode);
  };

  test('one that others can write, a link, and what is no policy do not count, and are told', () => {
    const cases: [string, () => void][] = [
      ['notOwn', () => write(user, newPolicyText('careful'), 0o666)],
      ['notJson', () => write(user, '{ "version": 1,\n "rules": [ }')],
      ['otherVersion', () => write(user, '{ "version": 2, "rules": [] }')],
      ['notPolicy', () => write(user, '{ "version": 1, "rules": [{ "name": "x", "answer": "allow", "if": {} }] }')],
      ['tooLarge', () => write(user, ' '.repeat(2 * 1024 ** 2))],
    ];
    for (const [kind, make] of cases) {
      make();
      assert.deepEqual(
        readPolicies(places).problems.map((one) => one.kind),
        [kind],
      );
    }
    fs.rmSync(user);
    fs.symlinkSync('/dev/null', user);
    assert.deepEqual(
      readPolicies(places).problems.map((one) => one.kind),
      ['notOwn'],
    );
    fs.rmSync(user);
  });

  test('a workspace that is not trusted is not read', () => {
    write(path.join(project, '.foretell/policy.json'), newPolicyText('everyday'));
    assert.equal(readPolicies(places).layers.length, 2);
    assert.ok(readPolicies(places).layers.every(({ mayAllow }) => !mayAllow));
    assert.deepEqual(readPolicies({ ...places, trusted: false }).layers, []);
  });

  test('init and sign are for the user alone', async () => {
    const run = async (args: string[], more: Partial<PolicyProcess> = {}) => {
      let said = '';
      const status = await runPolicy(args, {
        ...{ cwd: project, env, isAtTerminal: true, shell: 'bash', calledByAgent: () => undefined },
        say: async (text) => {
          said += text;
        },
        tell: (line) => {
          said += line;
        },
        foretell: () => assert.fail('no engine is needed'),
        ...more,
      });
      return { status, said };
    };
    assert.equal((await run(['init'], { isAtTerminal: false })).status, 1);
    assert.equal((await run(['init'], { calledByAgent: () => 'the variable CLAUDECODE is set' })).status, 1);
    assert.equal((await run(['sign'], { calledByAgent: () => 'the variable CLAUDECODE is set' })).status, 1);
    assert.equal(fs.existsSync(user), false);
    assert.equal((await run(['init', 'careful'])).status, 0);
    assert.equal((await run(['init', 'careful'])).status, 3);
    assert.equal((await run(['init', 'reckless'])).status, 64);
    assert.match((await run([])).said, /not signed/);
    assert.equal((await run(['sign'])).status, 0);
    assert.doesNotMatch((await run([])).said, /not signed/);
  });
});
