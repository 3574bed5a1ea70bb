import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Facts } from '../../src/core/verdict/facts.ts';
import { failureRisks } from '../../src/core/verdict/failureRisks.ts';

/** What the failing program of these calls is said to have said. */
function saidIn(errors: string, ...calls: string[]): string | undefined {
  return failureIn(errors, calls)?.said;
}

/** Each call has the same exit code; `> ` before it: the one before it started it. */
function failureIn(errors: string, calls: readonly string[], effects: Facts['effects'] = []) {
  const cwd = '/w';
  const programs = calls.map((call, index) => ({
    ...(call.startsWith('> ') ? { parent: index } : {}),
    ...{
      id: index + 1,
      argv: call.replace('> ', '').split(' '),
      cwd,
      basis: 'rehearsed' as const,
      exitCode: 1,
      text: call,
    },
  }));
  const facts: Facts = {
    action: { kind: 'command', script: calls.join('; '), shell: 'bash', cwd },
    ...{ workspaceFolders: [cwd], home: '/home/me', userId: 1000, env: {} },
    ...{ programs, effects, loss: [], files: [], errors, exitCode: 1, exitBasis: 'rehearsed' },
  };
  const [risk] = failureRisks(facts, []);
  return risk?.fact.kind === 'fails' && risk.fact.failure.of === 'command' ? risk.fact.failure : undefined;
}

test('of several programs that fail the last one is told with its own words', () => {
  const errors = "cat: a: No such file\nrm: cannot remove 'x': No such file\nrm: cannot remove 'y': No such file\n";
  assert.equal(saidIn(errors, 'cat a', 'rm x', 'rm y'), "rm: cannot remove 'y': No such file");
  assert.equal(saidIn(errors, 'cat a', '/usr/bin/rm x y'), "rm: cannot remove 'x': No such file");
  assert.equal(saidIn(errors, 'rm x y', 'cat a'), 'cat: a: No such file');
});

test('where no line begins with its name the first one is told', () => {
  assert.equal(saidIn('\nfatal: not a git repository\nhint: x\n', 'git log'), 'fatal: not a git repository');
  assert.equal(saidIn('', 'git log'), undefined);
  const rejected = 'To ../r.git\n ! [rejected] main -> main (fetch first)\nerror: failed to push some refs\nhint: x\n';
  assert.equal(saidIn(rejected, 'git push'), 'error: failed to push some refs');
});

test('of a program and those that it started the innermost one that says what is wrong is told', () => {
  const told = (errors: string, ...calls: string[]) => {
    const { program, said } = failureIn(errors, calls) ?? {};
    return [program?.argv.join(' '), said];
  };
  const push = "Switched to a new branch 'x'\nfatal: 'origin' does not appear to be a git repository\n";
  assert.deepEqual(told(push, 'git push', '> git-receive-pack origin'), ['git push', push.split('\n')[1]]);
  assert.deepEqual(told('cp: cannot stat\nmake: *** Error 1\n', 'make', '> cp a b'), ['cp a b', 'cp: cannot stat']);
  assert.deepEqual(told('it broke\n', 'npm test', '> ./check'), ['./check', 'it broke']);
});
