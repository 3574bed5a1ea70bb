import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { PolicyDecision } from '../../src/core/facts/policyFact.ts';
import { foldAll, type PredictedInputs } from '../../src/core/foretell.ts';
import { answerHook } from '../../src/core/hooks/answerHook.ts';
import type { HookAnswer, HookDeed } from '../../src/core/hooks/hookCall.ts';
import type { Policies } from '../../src/core/policy/decide.ts';
import { confirmed, policyDecision } from '../../src/core/policy/policyDecision.ts';
import { type PresetName, presetNames, presets } from '../../src/core/policy/presets.ts';
import { signPolicy, userPolicyFile } from '../../src/core/policy/readPolicies.ts';
import { decisionText } from '../../src/core/words/policyText.ts';
import { gitSettings } from '../gitSettings.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';
import { twins } from './obfuscations.ts';

const { foretell, folder, workspace } = throwAwayForetell('policy');

function repository(): string {
  const root = workspace({ 'kept.txt': 'kept\n', 'src/a.ts': 'export const a = 1;\n', '.gitignore': 'ignored\n' });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env: { ...process.env, ...gitSettings } });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  git('switch', '-qc', 'topic');
  fs.writeFileSync(path.join(root, 'topic.txt'), 'topic\n');
  git('add', '.');
  git('commit', '-qm', 'second');
  git('switch', '-q', '-');
  fs.writeFileSync(path.join(root, 'kept.txt'), 'kept and changed\n');
  git('commit', '-qam', 'third');
  fs.writeFileSync(path.join(root, 'src/b.ts'), 'export const b = 2;\n');
  fs.writeFileSync(path.join(root, 'notes.txt'), 'one\ntwo\n');
  fs.writeFileSync(path.join(root, 'kept.txt'), 'kept, changed and not committed\n');
  // Clocks of files tick late: what was written just before a run cannot be told from what is written while it runs.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40);
  return root;
}

const shipped = (name: PresetName): Policies => ({
  layers: [{ origin: 'preset', file: name, rules: presets[name].rules, mayAllow: true }],
  problems: [],
});

interface Judged {
  decisions: Record<PresetName, PolicyDecision>;
  inputs: PredictedInputs | undefined;
}

/** What each shipped policy says of a command; `meanwhile` happens between the prediction and the answer. */
async function judge(script: string, root: string, meanwhile = () => {}): Promise<Judged> {
  const action = { kind: 'command', script, shell: 'bash', cwd: root } as const;
  const predicted = foretell.predict({
    ...{ action, hash: true, trusted: true, compared: true, limits: { wallMs: 10_000 } },
    signal: new AbortController().signal,
  });
  const prediction = await foldAll(action, predicted.events);
  const inputs = predicted.inputs?.(prediction.files.map((file) => file.path));
  meanwhile();
  const entries = presetNames.map((name) => {
    const grounds = { policies: shipped(name), root, home: '/home/nobody' };
    return [name, confirmed(policyDecision(prediction, grounds), inputs)];
  });
  await predicted.view.close();
  return { decisions: Object.fromEntries(entries) as Judged['decisions'], inputs };
}

const told = ({ decisions }: Judged) => JSON.stringify(Object.values(decisions).map((one) => decisionText(one)));

describe('what only reads, and what can be brought back, is allowed', () => {
  const root = repository();
  for (const script of [
    'ls -la',
    'git status',
    'git log --oneline | head -3',
    'grep -rn one . && cd src && wc -l *',
    'date',
  ]) {
    test(`in every shipped policy: ${script}`, async () => {
      const judged = await judge(script, root);
      for (const name of presetNames) assert.equal(judged.decisions[name].kind, 'allow', told(judged));
    });
  }
  for (const script of [
    'echo x > new.txt',
    'mkdir -p a/b && touch a/b/c',
    'sed -i s/one/two/ src/a.ts',
    'git add src',
    'echo "*.png binary" > .gitattributes',
    'echo \'{ "name": "a", "dependencies": { "b": "^1.2.3" } }\' > package.json',
    'mkdir -p docs && echo all > docs/makefile.md',
    'cp -r src copy',
  ]) {
    test(`in the everyday one: ${script}`, async () => {
      const judged = await judge(script, root);
      assert.equal(judged.decisions.everyday.kind, 'allow', told(judged));
      assert.notEqual(judged.decisions.careful.kind, 'allow', told(judged));
    });
  }
  for (const script of [
    'npm test',
    'cat ~/.ssh/id_rsa',
    'echo x > ../outside',
    'git config core.pager x',
    'curl localhost',
    'no-such-program-here; ls',
    'no-such-program-here || true',
    'git stash -q && git stash drop -q',
    'git add notes.txt; rm notes.txt; git reset -q',
    'fallocate -z -l 2 kept.txt',
    'chmod -R a= src',
    'mkdir .in && mv src .in && chmod 0 .in',
    'git status > /dev/null; touch .git/index.lock',
    'git status > /dev/null; echo "* filter=x" >> .git/info/attributes',
    'echo src >> .git/info/exclude',
    'git status > /dev/null; echo /tmp > .git/objects/info/alternates',
    'mkdir -p .github/workflows && touch .github/workflows/ci.yml',
    'echo {} > .mcp.json',
    'echo "all:; @true" > Makefile',
    'echo \'{ "scripts": { "prepare": "true" } }\' > package.json',
    'echo "* filter=x" > .gitattributes',
    'cp src/a.ts vite.config.ts',
    'mkdir -p .githooks && cp src/a.ts .githooks/pre-commit',
    'ln -s src/a.ts conftest.py',
    'mv src/a.ts .pre-commit-config.yaml',
  ]) {
    test(`in none: ${script}`, async () => {
      const judged = await judge(script, root);
      for (const name of presetNames) assert.notEqual(judged.decisions[name].kind, 'allow', told(judged));
    });
  }
});

test('what is read is compared with what was judged, just before it is allowed', async () => {
  const root = repository();
  const script = 'sh run.sh';
  const file = path.join(root, 'run.sh');
  const write = (text: string, mode: number) => {
    fs.writeFileSync(file, text);
    fs.chmodSync(file, mode);
    fs.utimesSync(file, 1, 1);
  };
  write('ls\n', 0o755);
  // What changed as late as the clock of files tells apart is not known to be what was read.
  while (Date.now() < fs.statSync(file).ctimeMs + 100) await new Promise((resolve) => setTimeout(resolve, 10));
  const same = await judge(script, root);
  const other = await judge(script, root, () => write('rm -rf src\n', 0o755));
  assert.ok(same.inputs && 'changed' in same.inputs, JSON.stringify(same.inputs));
  assert.equal(same.decisions.everyday.kind, 'allow', told(same));
  const { everyday } = other.decisions;
  assert.equal(everyday.kind, 'none');
  assert.deepEqual(everyday.kind === 'none' && everyday.nearest?.broken, [
    { kind: 'unknown', part: { of: 'changed', path: file } },
  ]);
});

test('what was only asked about, and was not there, is compared as well', async () => {
  for (const script of ['test -e gone || cat kept.txt', '[ -d gone ] && cat kept.txt; true']) {
    const root = repository();
    const gone = path.join(root, 'gone');
    assert.equal((await judge(script, root)).decisions.careful.kind, 'allow', script);
    const { careful } = (await judge(script, root, () => fs.mkdirSync(gone))).decisions;
    assert.equal(careful.kind, 'none', script);
  }
});

test('a program that is known to be harmless, and is not here, may be another one where the call is made', async () => {
  const missing = ['xmllint', 'hexyl', 'tokei', 'eza', 'interdiff', 'dc'].find(
    (name) => !(process.env['PATH'] ?? '').split(':').some((one) => fs.existsSync(path.join(one, name))),
  );
  assert.ok(missing !== undefined, 'every one of them is installed here');
  const judged = await judge(`ls | ${missing}`, repository());
  for (const name of presetNames) assert.notEqual(judged.decisions[name].kind, 'allow', told(judged));
});

/** A part of them is tried in each run, another one by each day; `FORETELL_SHARE=1`: all. */
const share = Number(process.env['FORETELL_SHARE'] ?? 6);
const first = Number(process.env['FORETELL_FIRST'] ?? Math.floor(Date.now() / 86_400_000));

test(`${twins.length} hidden forms of dangerous commands: no shipped policy allows one (part ${first % share} of ${share})`, async () => {
  const root = repository();
  const queue = twins.filter((_, index) => index % share === first % share);
  const passed: string[] = [];
  const work = async () => {
    for (let twin = queue.shift(); twin; twin = queue.shift()) {
      const { decisions } = await judge(twin.script, root);
      for (const name of presetNames)
        if (decisions[name].kind === 'allow')
          passed.push(`${name}, ${twin.way}: ${twin.script}\n  ${decisionText(decisions[name])}`);
    }
  };
  assert.ok(queue.length > 0);
  await Promise.all([work(), work()]);
  assert.deepEqual(passed, []);
});

describe('a hook answers by policy', () => {
  const env = {
    ...process.env,
    XDG_STATE_HOME: path.join(folder, 'state'),
    XDG_CONFIG_HOME: path.join(folder, 'config'),
  };
  async function answerTo(deed: HookDeed, cwd: string): Promise<HookAnswer> {
    const { answer, close } = await answerHook(
      { deed, cwd, id: `session ${Math.random()}` },
      {
        ...{ foretell, env, cwd, shell: 'bash', tell: 'caution', wallMs: 30_000 },
        signal: new AbortController().signal,
        now: Date.now,
      },
    );
    await close();
    return answer;
  }
  const command = (script: string): HookDeed => ({ kind: 'command', script });
  const setPolicy = (value: unknown) => {
    fs.mkdirSync(path.dirname(userPolicyFile(env)), { recursive: true });
    fs.writeFileSync(userPolicyFile(env), JSON.stringify(value), { mode: 0o600 });
  };
  const removePolicy = () => fs.rmSync(userPolicyFile(env), { force: true });

  test('never allow without one', async () => {
    removePolicy();
    assert.deepEqual(await answerTo(command('ls'), repository()), { kind: 'nothing' });
  });

  test('allow, deny without a code, ask with one; danger is denied where no rule allows it', async () => {
    const root = repository();
    setPolicy({
      version: 1,
      extends: ['everyday'],
      rules: [
        { name: 'Keep the sources', answer: 'deny', if: { deletes: ['src/**'] } },
        { name: 'New files', answer: 'ask', if: { writes: ['asked/**'] } },
      ],
    });
    assert.equal((await answerTo(command('ls'), root)).kind, 'allow');
    const edit = { name: 'Write', arguments: { file_path: path.join(root, 'new.ts'), content: 'x\n' } };
    assert.equal((await answerTo({ kind: 'edit', call: edit, agent: 'claude' }, root)).kind, 'allow');
    const denied = await answerTo(command('$(printf r)m -r src'), root);
    assert.ok(denied.kind === 'deny' && denied.toAgent.includes('Keep the sources'), JSON.stringify(denied));
    assert.doesNotMatch(denied.toAgent, /foretell allow/);
    const asked = await answerTo(command('mkdir asked && touch asked/x'), root);
    assert.ok(asked.kind === 'deny' && asked.toAgent.includes('New files'), JSON.stringify(asked));
    assert.match(asked.toAgent, /foretell allow [0-9a-f]{6}/);
    const danger = await answerTo(command('rm notes.txt'), root);
    assert.equal(danger.kind, 'deny');
    assert.match(danger.kind === 'deny' ? danger.toAgent : '', /A safer command: .*mv -t/);
    assert.ok(fs.existsSync(path.join(root, 'notes.txt')));
  });

  test('no call changes a policy, and a broken one allows nothing', async () => {
    const root = repository();
    setPolicy({ version: 1, extends: ['everyday'], rules: [] });
    const guarded = await answerTo(command(`echo '{}' > ${userPolicyFile(env)}`), root);
    assert.equal(guarded.kind, 'deny');
    assert.equal((await answerTo(command('node /opt/foretell/dist/cli.js policy init everyday'), root)).kind, 'deny');
    fs.symlinkSync(path.resolve('dist/cli.js'), path.join(root, 'tool'));
    const linked = `ln -s ${path.resolve('dist/cli.js')} t; ./t allow abc123`;
    for (const script of ['./tool allow abc123', 'node tool allow abc123', linked]) {
      const answer = await answerTo(command(script), root);
      assert.match(answer.kind === 'deny' ? answer.toAgent : '', /only the user may do that/, script);
    }
    setPolicy({ version: 1, extends: ['everyday'], rules: [{ name: 'x', answer: 'deny', if: { delets: ['**'] } }] });
    assert.equal((await answerTo(command('ls'), root)).kind, 'nothing');
    const held = await answerTo(command('touch new'), root);
    assert.ok(held.kind === 'deny' && held.toAgent.includes('rules.0.if.delets'), JSON.stringify(held));
  });

  test('a repository only tightens, until its policy is signed, and whoever changes it does not loosen it', async () => {
    const root = repository();
    removePolicy();
    const file = path.join(root, '.foretell/policy.json');
    const write = (rules: unknown[]) => {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, JSON.stringify({ version: 1, rules }));
    };
    const anything = { name: 'Anything', answer: 'allow', only: { writes: ['**'], git: ['upkeep'] } };
    const keep = { name: 'Keep', answer: 'deny', if: { writes: ['locked/**'] } };
    write([anything, keep]);
    assert.equal((await answerTo(command('ls'), root)).kind, 'nothing');
    assert.equal((await answerTo(command('mkdir locked'), root)).kind, 'deny');
    assert.equal(signPolicy(env, file, fs.readFileSync(file, 'utf8')), undefined);
    assert.equal((await answerTo(command('ls'), root)).kind, 'allow');
    write([anything]);
    assert.equal((await answerTo(command('ls'), root)).kind, 'nothing');
    assert.equal((await answerTo(command('mkdir locked'), root)).kind, 'deny');
    assert.equal((await answerTo(command('rm -r .foretell'), root)).kind, 'deny');
  });
});
