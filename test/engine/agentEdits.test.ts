import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { EditAction } from '../../src/core/action/action.ts';
import { readNamedAgent } from '../../src/core/action/edit/agentVersions.ts';
import { asPatchCall } from '../../src/core/action/edit/shellPatch.ts';
import { foldAll } from '../../src/core/foretell.ts';
import { contentOf, type ObservedCase, placed, placeFiles, unplaced } from '../bench/agents/agentCase.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

// What agents' packages really did and said, as `node test/bench.mjs agents NAME` observed it, is predicted.

const { foretell, folder: home } = throwAwayForetell('agent-edits');
const fixtures = path.resolve('test/fixtures/agentEdits');

/** How many of an agent's calls are certain, and of how many the words are claimed. */
const known: Readonly<Record<string, { calls: number; sure: number; worded: number }>> = {
  'claude@2.1.330': { calls: 93, sure: 91, worded: 91 },
  'claude@2.1.332': { calls: 123, sure: 122, worded: 122 },
  'cline@3.0.65': { calls: 112, sure: 111, worded: 109 },
  'codex@0.169.0': { calls: 146, sure: 146, worded: 144 },
  'copilot@1.0.102': { calls: 107, sure: 95, worded: 89 },
  'copilot@1.0.102-patches': { calls: 126, sure: 117, worded: 123 },
  'gemini@0.61.0': { calls: 102, sure: 77, worded: 0 },
  'opencode@1.18.34': { calls: 102, sure: 87, worded: 17 },
  'qwen@0.15.10': { calls: 102, sure: 85, worded: 0 },
};

for (const file of fs.readdirSync(fixtures)) {
  const named = readNamedAgent(file.replace(/(?:-patches)?\.jsonl$/, ''));
  assert.ok(!('problem' in named), file);
  const lines = fs.readFileSync(path.join(fixtures, file), 'utf8').trimEnd().split('\n');
  test(`edits of ${file}`, async (context) => {
    const root = path.join(home, file);
    const wrong: string[] = [];
    const counts = { calls: lines.length, sure: 0, worded: 0 };
    for (const [index, line] of lines.entries()) {
      const one = JSON.parse(line) as ObservedCase;
      const folder = path.join(root, `c${index}`);
      placeFiles(folder, one.files);
      const calls = [asPatchCall({ name: one.tool, arguments: placed(one.args, folder) })];
      const action: EditAction = { kind: 'edit', changes: [], cwd: root, calls, ...named };
      const { events, view } = foretell.predict({ action, signal: new AbortController().signal });
      const prediction = await foldAll(action, events);
      const label = `${one.tool}: ${one.name}`;
      const differs = (what: string, said: unknown, really: unknown) => {
        if (JSON.stringify(said) !== JSON.stringify(really))
          wrong.push(`${label}: ${what} ${JSON.stringify(said)}, really ${JSON.stringify(really)}`);
      };
      const isSure = prediction.ending === 'done';
      const text = unplaced(prediction.output.map((piece) => piece.text ?? '').join(''), folder);
      if (text !== '') differs('words', text.replace(/\n$/, ''), one.words?.replace(/\n$/, ''));
      if (isSure) {
        const changed: ObservedCase['changed'] = {};
        for (const { path: file, type, change } of prediction.files) {
          const name = path.relative(folder, file);
          const isGone = change === 'deleted' || type === 'directory';
          if (type === 'directory' && typeof one.files[name] !== 'string') continue;
          const bytes = isGone ? undefined : await view.read(file, 'after');
          changed[name] = bytes ? contentOf(Buffer.from(bytes)) : null;
        }
        const inOrder = (files: ObservedCase['changed']) => Object.entries(files).sort();
        differs('files', inOrder(changed), inOrder(one.changed));
        if (one.isError !== undefined) differs('refusal', prediction.exitCode !== 0, one.isError);
      }
      await view.close();
      if (isSure) counts.sure += 1;
      else context.diagnostic(`${label}: ${prediction.endingReason}`);
      if (text !== '') counts.worded += 1;
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual(counts, known[file.replace(/\.jsonl$/, '')]);
  });
}
