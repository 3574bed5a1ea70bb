import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';
import { codeFiles, codeFromFiles } from './cases/knownFiles.ts';

// Without consent no code of a file runs, whichever way it takes into a runtime that runs snippets. A run takes a share of them.
const { foretell, folder, workspace } = throwAwayForetell('knownFiles', { spareLaunchers: 2 });
const env = { PATH: '/usr/bin:/bin', HOME: folder };
const share = Number(process.env['FORETELL_SHARE'] ?? 16) === 1 ? 1 : 12;
const first = Math.floor(Math.random() * share);

describe('code of files', { skip: !fs.existsSync('/usr/bin/python3') }, () => {
  const place = workspace({ ...codeFiles });
  for (const file of Object.keys(codeFiles)) {
    const shell = (script: string) => execFileSync('/bin/sh', ['-c', script], { cwd: place, env });
    shell(`base64 ${file} > ${file}.b64; gzip -k ${file}; tar rf all.tar ${file}`);
  }
  const git = (...words: string[]) => execFileSync('git', words, { cwd: place, env });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-qm', 'all');
  const before = fs.readdirSync(place).sort();

  assert.ok(codeFromFiles.length >= 400, 'more than 400 ways');
  codeFromFiles.forEach((script, index) => {
    if (index % share !== first) return;
    test(script, async () => {
      const action = { kind: 'command', script, shell: 'bash', cwd: place } as const;
      const signal = new AbortController().signal;
      const { events, view } = foretell.predict({ action, env, trusted: true, signal });
      const { output, files, programs, ending } = await foldAll(action, events);
      await view.close();
      const printed = output.map(({ text = '' }) => text).join('');
      assert.ok(!printed.includes('HIT'), printed);
      const left = files.filter((file) => path.basename(file.path) === 'left' && file.basis === 'rehearsed');
      assert.deepEqual(left, []);
      const ran = programs.filter(
        ({ argv, basis }) => /^(?:python3|node|perl)$/.test(argv[0] ?? '') && basis === 'rehearsed',
      );
      assert.deepEqual([ran, ending], [[], 'abstained']);
      assert.deepEqual(fs.readdirSync(place).sort(), before);
    });
  });
});
