import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentName } from '../../../src/core/action/action.ts';
import { agentTools } from '../../../src/core/action/edit/agentTools.ts';
import { makeCall } from '../../../src/core/action/edit/editTools.ts';
import { readEdit } from '../../../src/core/action/edit/readEdit.ts';
import { memoryPlace } from './memoryPlace.ts';

/** Numbers below 1 that are the same in every run. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const names = [
  ...['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'replace', 'write_file', 'edit', 'edit_file', 'multiedit', 'write'],
  ...['apply_patch', 'replace_string_in_file', 'multi_replace_string_in_file', 'create_file', 'insert_edit_into_file'],
  ...[
    'str_replace_editor',
    'file_editor',
    'replace_in_file',
    'write_to_file',
    'apply_diff',
    'search_replace',
    'create',
  ],
  ...[
    'insert',
    'open',
    'shell',
    'search_replace_blocks',
    'udiff',
    'whole_files',
    'delete_file',
    'apply_patch_call',
    'editor',
  ],
];
const keys = [
  ...[
    'file_path',
    'filePath',
    'path',
    'target_file',
    'notebook_path',
    'filename',
    'old_string',
    'new_string',
    'oldString',
  ],
  ...['newString', 'old_str', 'new_str', 'content', 'contents', 'file_text', 'edits', 'replacements', 'diff', 'input'],
  ...[
    'command',
    'patchText',
    'replace_all',
    'cell_id',
    'cell_type',
    'edit_mode',
    'new_source',
    'start_line',
    'end_line',
  ],
  ...[
    'replacement_text',
    'search',
    'replace',
    'insert_line',
    'text',
    'line',
    'folder',
    'operation',
    'type',
    '__proto__',
  ],
];
const block = '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE';
const values: readonly unknown[] = [
  ...[
    '/w/f.txt',
    '/w/n.ipynb',
    '/w/bin',
    '/w',
    'f.txt',
    '../x',
    '',
    'a',
    'b\n',
    'a\nb\nc\n',
    '\u0000',
    '\ud800',
    '\\u00e9',
  ],
  ...[
    'é',
    '$&',
    block,
    `f.txt\n${block}`,
    '*** Begin Patch\n*** Update File: f.txt\n@@\n-a\n+b\n*** End Patch',
    '/w/gone/x',
  ],
  ...['create', 'str_replace', 'insert', 'view', 'c1', 'cell-0', 'delete', 'replace', 'x'.repeat(10_000)],
  ...[null, true, false, 0, 1, -1, 1.5, 1e12, [], {}, [null], [{ old_string: 'a', new_string: 'b' }], { a: 1 }],
  [{ filePath: '/w/f.txt', oldString: 'a', newString: 'b' }],
  [{ oldText: 'a', newText: 'b' }],
];
const place = memoryPlace({
  '/w/f.txt': 'a\nb\nc\n',
  '/w/n.ipynb': '{"cells":[{"cell_type":"code","id":"c1","source":"x","metadata":{},"outputs":[]}],"nbformat":4}',
  '/w/bin': Buffer.from([0, 255, 254, 10]),
});
const agents = [undefined, ...AgentName.options];

test('10,000 calls of any form: an outcome or a sentence, and no word for a version that was not checked', async () => {
  const chance = chanceOf(20261123);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const counts = { made: 0, refused: 0, problem: 0, worded: 0 };
  for (let round = 0; round < 10_000; round += 1) {
    const given = Object.fromEntries(
      Array.from({ length: 1 + Math.floor(chance() * 5) }, () => [pick(keys), pick(values)]),
    );
    const agent = agents[round % agents.length];
    const agentVersion = pick([undefined, 'recorded', '2.1', '9.9.9']);
    const options = { cwd: '/w', ...(agent ? { agent } : {}), ...(agent && agentVersion ? { agentVersion } : {}) };
    const text = JSON.stringify({ name: pick(names), arguments: given });
    const read = readEdit(text, options);
    if ('problem' in read) {
      assert.match(read.problem, /\S[.;?]?$/, text);
      counts.problem += 1;
      continue;
    }
    for (const call of read.action.calls ?? []) {
      const outcome = await makeCall(call, place, read.action);
      assert.ok(outcome, text);
      assert.equal(outcome.refusal !== undefined || outcome.exitCode === 0, true, text);
      for (const write of outcome.writes) assert.ok(write.path.startsWith('/'), text);
      const isUnchecked = agentVersion === undefined || agentVersion === '9.9.9';
      if (isUnchecked) assert.equal(outcome.observation, undefined, text);
      counts[outcome.refusal ? 'refused' : 'made'] += 1;
      if (outcome.observation !== undefined) counts.worded += 1;
    }
  }
  for (const [what, count] of Object.entries(counts)) assert.ok(count > 20, `${what}: ${count}`);
});

test('every tool names the versions whose words it has as they are written', () => {
  for (const { agent, names, releases = [] } of agentTools)
    for (const release of releases) assert.match(release, /^(?:recorded|\d+(?:\.\d+)*)$/, `${agent} ${names}`);
});
