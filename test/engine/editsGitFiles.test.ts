import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import type { Action } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What is written into git's own files is judged alike, whether an agent's tool, an editor or a command writes it. */

const { foretell, folder } = throwAwayForetell('edits', { spareLaunchers: 0 });

before(() => {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: folder, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  fs.writeFileSync(path.join(folder, 'f.txt'), 'a\n');
  git('add', '.');
  git('commit', '-qm', 'a');
  git('branch', 'other');
  fs.writeFileSync(path.join(folder, 'f.txt'), 'b\n');
  git('commit', '-qam', 'b');
  git('worktree', 'add', '-q', path.join(folder, 'tree'), 'other');
});

async function predict(action: Action): Promise<Prediction> {
  const { events, view } = foretell.predict({
    action,
    hash: true,
    workspaceFolders: [folder],
    signal: new AbortController().signal,
  });
  const prediction = await foldAll(action, events);
  await view.close();
  return prediction;
}

const cases: [name: string, content: string, level: 'safe' | 'caution' | 'danger'][] = [
  ['.git/HEAD', 'ref: refs/heads/other\n', 'danger'],
  ['.git/config', '[core]\n\tfsmonitor = ./evil.sh\n', 'danger'],
  ['.git/config', '[alias]\n\tst = !./evil.sh\n', 'danger'],
  ['.git/hooks/post-checkout', '#!/bin/sh\n./evil.sh\n', 'danger'],
  ['.git/refs/heads/main', `${'0'.repeat(40)}\n`, 'danger'],
  ['.git/packed-refs', 'x', 'danger'],
  ['.git/index', 'x', 'danger'],
  ['.git/worktrees/tree/HEAD', 'ref: refs/heads/main\n', 'danger'],
  ['tree/.git', 'gitdir: /somewhere/else\n', 'danger'],
];

for (const [name, content, level] of cases) {
  test(`${name} (${JSON.stringify(content)}), by a call, as a content, by a patch and by a command`, async () => {
    const file = path.join(folder, name);
    const old = fs.existsSync(file) ? fs.readFileSync(file) : undefined;
    const call = { name: 'Write', arguments: { file_path: file, content } };
    const script = `cat > '${file}' <<'E'\n${content.replace(/\n$/, '')}\nE`;
    const asCall = await predict({ kind: 'edit', changes: [], cwd: folder, calls: [call] });
    const asContent = await predict({ kind: 'edit', changes: [{ path: file, after: content }], cwd: folder });
    const asCommand = await predict({ kind: 'command', script, shell: 'bash', cwd: folder });
    const gitOf = ({ effects }: Prediction) =>
      effects.flatMap(({ effect, detail }) => (effect === 'git' ? [detail] : [])).sort();
    assert.deepEqual(
      [asCall, asContent].map(({ verdict }) => verdict.level),
      [level, level],
    );
    assert.ok(gitOf(asCall).length > 0);
    assert.deepEqual(gitOf(asCall), gitOf(asContent));
    if (content.endsWith('\n')) {
      assert.equal(asCommand.verdict.level, level);
      assert.deepEqual(gitOf(asCall), gitOf(asCommand));
    }
    if (old?.includes('\n') && !old.includes(0)) {
      const lines = (text: string, mark: string) => text.replace(/^(.*)\n/gm, (_, line) => `${mark}${line}\n`);
      const [from, to] = [old.toString(), content.endsWith('\n') ? content : `${content}\n`];
      const count = (text: string) => text.split('\n').length - 1;
      const text = `--- a/${name}\n+++ b/${name}\n@@ -1,${count(from)} +1,${count(to)} @@\n${lines(from, '-')}${lines(to, '+')}`;
      const asPatch = await predict({
        kind: 'edit',
        changes: [],
        cwd: folder,
        patch: { text, tool: 'patch', strip: 1 },
      });
      assert.equal(asPatch.verdict.level, level, JSON.stringify(asPatch.output));
      assert.ok(gitOf(asPatch).length > 0);
    }
  });
}
