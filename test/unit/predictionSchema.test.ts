import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { PredictionEvent } from '../../src/core/prediction/event.ts';
import { PredictionJson, toJson } from '../../src/core/prediction/json.ts';
import { emptyPrediction, fold, PredictedFacts, Prediction } from '../../src/core/prediction/prediction.ts';
import { LabHostMessage } from '../../src/protocol/labProtocol.ts';
import { HostMessage, PostedPrediction } from '../../src/protocol/panelProtocol.ts';
import { fieldsOf, leavesOf, samplesOf } from './schemaSamples.ts';

/** What one end says reaches the other: events → prediction → panel, trajectory editor and JSON. */

const action = { kind: 'command' as const, script: 'ls', shell: 'bash' as const, cwd: '/w' };
// Programs and questions are found by their numbers.
const numbers = { id: 7, question: 7 };

/** Values of an event that a prediction does not keep, and why. */
const notKept: Readonly<Record<string, readonly string[]>> = {
  // The numbers that say what an event belongs to.
  programEnded: ['id'],
  assumption: ['id'],
  counted: ['question'],
  thought: ['question'],
  said: ['question'],
  // The program has them already.
  gated: ['id', 'argv', 'cwd'],
  // It ends with the prediction, of which the reason is kept.
  abstained: ['at'],
};

const events = samplesOf(PredictionEvent, numbers).map((event) => PredictionEvent.parse(event));
const full = samplesOf(PredictedFacts).map((facts) => Prediction.parse({ ...Object(facts), action }))[0];

function before() {
  const prediction = emptyPrediction(action);
  for (const event of events) if (event.type === 'program' || event.type === 'question') fold(prediction, event);
  return prediction;
}

for (const event of events)
  test(`whatever an event says is in the prediction: ${event.type}`, () => {
    const kept = new Set(leavesOf(fold(before(), structuredClone(event))));
    const said = leavesOf(event, ['type', ...(notKept[event.type] ?? [])]);
    assert.deepEqual(
      said.filter((leaf) => !kept.has(leaf)),
      [],
    );
  });

test('a whole prediction crosses to the panel and to the trajectory editor unchanged', () => {
  assert.ok(full);
  for (const name of Object.keys(PredictedFacts.shape)) assert.ok(name in full, name);
  assert.deepEqual(PostedPrediction.parse(structuredClone(full)), full);
  assert.deepEqual(Prediction.parse(structuredClone(full)), full);
});

test('every event crosses to the panel and to the trajectory editor unchanged', () => {
  const toPanel = { type: 'events', run: 1, first: 1, events };
  assert.deepEqual(HostMessage.parse(structuredClone(toPanel)), toPanel);
  const toEditor = { type: 'runEvents', run: 1, first: 1, events };
  assert.deepEqual(LabHostMessage.parse(structuredClone(toEditor)), toEditor);
});

test('JSON says whatever a prediction says, but how far it is and how a model was asked', () => {
  assert.ok(full);
  const json = toJson(full, 'x');
  assert.deepEqual(PredictionJson.parse(structuredClone(json)), json);
  const said = new Set(leavesOf(json));
  const silent = [
    ...['progress', 'domain', 'begins', 'messages', 'blocks', 'tokens', 'leftOut', 'redacted', 'thoughts', 'said'],
    ...['question', 'raw', 'reasoning', 'url', 'body', 'dropped', 'firstTokenMs'],
  ];
  assert.deepEqual(
    leavesOf(full, silent).filter((leaf) => !said.has(leaf)),
    [],
  );
});

// FORETELL_UPDATE=1 adds what is new.
const version1 = 'test/fixtures/json/version1.txt';

test('JSON version 1 keeps its fields; one that was always there still is', () => {
  const fields = fieldsOf(PredictionJson);
  if (process.env['FORETELL_UPDATE'] === '1') fs.writeFileSync(version1, `${fields.join('\n')}\n`);
  const now = new Set(fields);
  const promised = fs.readFileSync(version1, 'utf8').trimEnd().split('\n');
  // What was absent at times may be there always.
  const gone = promised.filter((line) => !now.has(line) && !now.has(line.replace('?: ', ': ')));
  assert.deepEqual(gone, []);
});
