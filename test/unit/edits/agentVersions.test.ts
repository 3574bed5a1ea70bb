import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedRelease, readNamedAgent } from '../../../src/core/action/edit/agentVersions.ts';
import { makeCall } from '../../../src/core/action/edit/editTools.ts';
import { memoryPlace } from './memoryPlace.ts';

const place = memoryPlace({ '/w/f': 'a\nb\nc\n' });

test('an agent is named with or without its version', () => {
  assert.deepEqual(readNamedAgent('claude'), { agent: 'claude' });
  assert.deepEqual(readNamedAgent('claude@2.1'), { agent: 'claude', agentVersion: '2.1' });
  assert.deepEqual(readNamedAgent('codex@v0.153.0-alpha.2'), { agent: 'codex', agentVersion: '0.153.0-alpha.2' });
  for (const wrong of ['', 'nobody', 'claude@', 'claude@x', 'claude@2@1', 'Claude'])
    assert.ok('problem' in readNamedAgent(wrong), wrong);
});

test('a version means a release that was checked, or none', () => {
  const releases = ['2.1.330', '2.1.9', '2.0'];
  assert.equal(checkedRelease('2.1.330', releases), '2.1.330');
  assert.equal(checkedRelease('2.1', releases), '2.1.330');
  assert.equal(checkedRelease('2.0.77', releases), '2.0');
  assert.equal(checkedRelease('2.1.33', releases), undefined);
  assert.equal(checkedRelease('3', releases), undefined);
});

test('words are claimed for a version that was checked, files for any', async () => {
  const call = { name: 'Edit', arguments: { file_path: '/w/f', old_string: 'b', new_string: 'B' } };
  const said = async (agentVersion?: string) => makeCall(call, place, { agent: 'claude', agentVersion });
  const exact = await said('2.1.332');
  assert.match(exact?.observation ?? '', /has been updated successfully/);
  assert.equal(exact?.notices, undefined);
  const family = await said('2.1');
  assert.equal(family?.observation, exact?.observation);
  assert.match(family?.notices?.[0] ?? '', /2\.1 was taken for 2\.1\.332/);
  for (const version of [undefined, '2.1.1', '9']) {
    const outcome = await said(version);
    assert.equal(outcome?.observation, undefined);
    assert.equal(Buffer.from(outcome?.writes[0]?.bytes ?? []).toString(), 'a\nB\nc\n');
  }
});

test('what versions do differently to a file is a doubt where none is named', async () => {
  const marked = memoryPlace({ '/w/f': '\uFEFFa\n' });
  const call = { name: 'Write', arguments: { file_path: '/w/f', content: 'x\n' } };
  const open = await makeCall(call, marked, { agent: 'claude' });
  assert.match(open?.doubts.join(' ') ?? '', /differs between versions of Claude Code/);
  const named = await makeCall(call, marked, { agent: 'claude', agentVersion: '2.1.330' });
  assert.deepEqual(named?.doubts, []);
});
