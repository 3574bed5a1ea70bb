import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { AssumedPart, AssumptionReason } from '../../src/core/facts/assumption.ts';
import { Doubt } from '../../src/core/facts/doubt.ts';
import { EffectFact } from '../../src/core/facts/effect.ts';
import { Failure } from '../../src/core/facts/failure.ts';
import { GateReason } from '../../src/core/facts/gate.ts';
import { ProgramLabel } from '../../src/core/facts/programLabel.ts';
import { ReplyFault } from '../../src/core/facts/replyFault.ts';
import { RiskFact } from '../../src/core/facts/risk.ts';
import { PredictionEvent } from '../../src/core/prediction/event.ts';
import { emptyPrediction, fold } from '../../src/core/prediction/fold.ts';
import { PredictionJson, toJson } from '../../src/core/prediction/json.ts';
import { PredictedFacts, Prediction } from '../../src/core/prediction/prediction.ts';
import { LabHostMessage } from '../../src/protocol/labProtocol.ts';
import { HostMessage, PostedPrediction } from '../../src/protocol/panelProtocol.ts';
import { fieldsOf, leavesOf, samplesOf } from './schemaSamples.ts';

/** What one end says reaches the other: events → prediction → panel, trajectory editor and JSON. */

const action = { kind: 'command' as const, script: 'ls', shell: 'bash' as const, cwd: '/w' };
// Programs and questions are found by their numbers; of a fact only the kind is checked.
const fixed = { id: 7, question: 7, kind: 'a kind' };

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

const events = samplesOf(PredictionEvent, fixed).map((event) => PredictionEvent.parse(event));
const full = samplesOf(PredictedFacts, { kind: 'a kind', label: { kind: 'startedBy', by: 'sudo' } }).map((facts) =>
  Prediction.parse({ ...Object(facts), action }),
)[0];

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

/** What facts say where they stand in JSON, where they are checked as far as their kind. */
const facts = {
  'verdict.reasons[].fact': RiskFact,
  'effects[].fact': EffectFact,
  'assumptions[].assumes[]': AssumedPart,
  'assumptions[].because': AssumptionReason,
  'assumptions[].fault': ReplyFault,
  'programs[].gate': GateReason,
  'programs[].label': ProgramLabel,
  'assumptions[].label': ProgramLabel,
  'otherwise[].label': ProgramLabel,
  doubt: Doubt,
  failed: Failure,
};

// FORETELL_UPDATE=1 adds what is new.
const version1 = 'test/fixtures/json/version1.txt';

test('JSON version 1 keeps its fields; one that was always there still is', () => {
  const ofFacts = Object.entries(facts).flatMap(([place, fact]) => fieldsOf(fact).map((line) => `${place}.${line}`));
  const fields = [...fieldsOf(PredictionJson), ...ofFacts].sort();
  if (process.env['FORETELL_UPDATE'] === '1') fs.writeFileSync(version1, `${fields.join('\n')}\n`);
  const now = new Set(fields);
  const promised = fs.readFileSync(version1, 'utf8').trimEnd().split('\n');
  // What was absent at times may be there always.
  const gone = promised.filter((line) => !now.has(line) && !now.has(line.replace('?: ', ': ')));
  assert.deepEqual(gone, []);
});
