import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialState, isEdited, type PanelState, reduce, shownScript } from '../../media/predict/state.ts';
import type { PredictionEvent } from '../../src/core/prediction/event.ts';
import { emptyPrediction } from '../../src/core/prediction/fold.ts';
import type { HostMessage } from '../../src/protocol/panelProtocol.ts';

const workspace = { trusted: true, folders: ['/w'], engine: { available: true as const, name: 'confined' } };

function snapshot(
  run: number,
  script: string | undefined,
  more: Partial<Extract<HostMessage, { type: 'snapshot' }>> = {},
): HostMessage {
  const prediction =
    script === undefined ? null : emptyPrediction({ kind: 'command', script, shell: 'bash', cwd: '/w' });
  return {
    ...{ type: 'snapshot', run, sequence: 0, prediction, workspace, settings: { keys: {} } },
    ...{ session: { scripts: [], cwd: '/w' }, ...more },
  } as HostMessage;
}

function events(run: number, first: number, ...list: PredictionEvent[]): HostMessage {
  return { type: 'events', run, first, events: list };
}

function after(state: PanelState, ...messages: HostMessage[]): PanelState {
  return messages.reduce((now, message) => reduce(now, { type: 'message', message }), state);
}

const started: PredictionEvent = { type: 'started', by: 'confined' };
const output = (text: string): PredictionEvent => ({ type: 'output', stream: 'stdout', text, basis: 'rehearsed' });
const file: PredictionEvent = {
  type: 'file',
  change: { path: '/w/a', change: 'created', type: 'file', mode: '0644', sizeBytes: 1, volatile: false },
  basis: 'rehearsed',
};

test('events are folded as on the other side', () => {
  const state = after(
    initialState(),
    snapshot(1, 'x'),
    events(1, 1, started, output('a')),
    events(1, 3, output('b'), file),
  );
  assert.equal(state.sequence, 4);
  assert.equal(state.prediction?.output[0]?.text, 'ab');
  assert.equal(state.tree.all.created, 1);
  assert.equal(state.missed, false);
});

test('what overlaps is not folded twice, what is missing is asked for', () => {
  let state = after(
    initialState(),
    snapshot(1, 'x'),
    events(1, 1, started, output('a')),
    events(1, 2, output('a'), output('b')),
  );
  assert.equal(state.prediction?.output[0]?.text, 'ab');
  assert.equal(state.sequence, 3);
  state = after(state, events(1, 9, output('z')));
  assert.equal(state.missed, true);
  state = after(state, snapshot(1, 'x'));
  assert.equal(state.missed, false);
});

test('events of an older run are nothing, those of a newer one ask for its snapshot', () => {
  const state = after(initialState(), snapshot(2, 'x'), events(1, 1, started));
  assert.equal(state.missed, false);
  assert.equal(after(state, events(3, 1, started)).missed, true);
});

test('a new run takes the draft away, the same run keeps it', () => {
  let state = after(initialState(), snapshot(1, 'ls'));
  state = reduce(state, { type: 'edit', text: 'ls -l' });
  assert.equal(shownScript(state), 'ls -l');
  assert.ok(isEdited(state));
  state = after(state, snapshot(1, 'ls'));
  assert.equal(shownScript(state), 'ls -l');
  assert.equal(shownScript(after(state, snapshot(2, 'pwd'))), 'pwd');
  assert.equal(shownScript(reduce(state, { type: 'restore' })), 'ls');
});

test('a draft survives a reload of the webview', () => {
  const kept = reduce(after(initialState(), snapshot(4, 'ls')), { type: 'edit', text: 'ls -l' }).kept;
  assert.equal(shownScript(after(initialState(structuredClone(kept)), snapshot(4, 'ls'))), 'ls -l');
});

test('typing the same again is no edit', () => {
  const state = reduce(after(initialState(), snapshot(1, 'ls')), { type: 'edit', text: 'ls' });
  assert.equal(isEdited(state), false);
});

test('folding and questions belong to their run', () => {
  let state = after(initialState(), snapshot(1, 'x'));
  state = reduce(state, { type: 'fold', tree: 'files', key: '/w/a', open: true });
  state = reduce(state, { type: 'open', what: 'rehearse' });
  state = reduce(state, { type: 'section', name: 'programs', open: false });
  state = after(state, snapshot(2, 'y'));
  assert.deepEqual(state.kept.folding, {});
  assert.equal(state.open, undefined);
  assert.deepEqual(state.kept.sections, { programs: false });
});

test('an answer is asked for once, until the program asks again', () => {
  const asks: PredictionEvent = { type: 'asks', prompt: 'y/n? ' };
  let state = after(initialState(), snapshot(1, 'x'), events(1, 1, started, asks));
  assert.equal(state.prediction?.asks, 'y/n? ');
  state = reduce(reduce(state, { type: 'answering', text: 'y' }), { type: 'answered' });
  assert.equal(state.answered, true);
  assert.equal(state.answer, '');
  assert.equal(after(state, events(1, 3, output('y\n'), asks)).answered, false);
});

test('changes of the workspace rebuild the tree and leave the rest', () => {
  let state = after(
    initialState(),
    snapshot(1, 'x', { banner: { kind: 'warning', sentence: 'b' } }),
    events(1, 1, started, file),
  );
  state = after(state, { type: 'changed', workspace: { ...workspace, folders: ['/other'], trusted: false } });
  assert.equal(state.tree.roots.has('/'), true);
  assert.equal(state.workspace.trusted, false);
  assert.equal(state.banner?.sentence, 'b');
  assert.equal(after(state, { type: 'changed', banner: null }).banner, undefined);
});

test('what was observed belongs to its run', () => {
  const state = after(initialState(), snapshot(2, 'x'), { type: 'observed', run: 1, observed: { state: 'running' } });
  assert.equal(state.observed, undefined);
});
