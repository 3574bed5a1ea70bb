import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssumedPart, AssumptionReason, FoundAssumption } from '../../src/core/facts/assumption.ts';
import { inWords } from '../../src/core/prediction/factEvent.ts';
import { Assumption } from '../../src/core/prediction/parts.ts';

function told(found: Omit<FoundAssumption, 'argv'>): Assumption {
  const event = inWords({ type: 'assumption', id: 1, argv: ['npm', 'test'], ...found });
  assert.ok(event.type === 'assumption');
  const { type: _, id: _id, ...assumption } = event;
  assert.deepEqual(Assumption.parse(assumption), assumption);
  return assumption;
}

test('what is assumed leaves a prediction as kinds, data and a clause', () => {
  const because: AssumptionReason = { kind: 'noModel' };
  const said: readonly [assumes: AssumedPart[], unknown: ('output' | 'changes')[], clause: string, notKnown: string][] =
    [
      [
        [{ kind: 'exits', exitCode: 0 }, { kind: 'printsNothing' }, { kind: 'changesNothing' }],
        [],
        'exits 0, prints nothing, changes nothing',
        'What it prints, changes and returns is not known.',
      ],
      [
        [{ kind: 'exits', exitCode: 0 }],
        ['output', 'changes'],
        'exits 0; what it prints and changes is unknown',
        'What it prints, changes and returns is not known.',
      ],
      [
        [{ kind: 'endedFromOutside', exitCode: 130 }],
        [],
        'is ended from outside, with exit code 130',
        'What it returns is not known.',
      ],
      [
        [
          { kind: 'putsNothingInto', folder: 'out' },
          { kind: 'leavesEmpty', file: 'a' },
        ],
        [],
        'puts nothing into out, leaves a empty',
        'What it puts into out and what it writes into a are not known.',
      ],
      [
        [{ kind: 'onlyStarts' }],
        [],
        'does nothing but start what it is asked to start',
        'Whether it does more than start what it is asked to start is not known.',
      ],
    ];
  for (const [assumes, unknown, clause, notKnown] of said) {
    const assumption = told({ assumes, because, ...(unknown.length > 0 ? { unknown } : {}) });
    assert.deepEqual(
      [assumption.assumed, assumption.notKnown, assumption.why, assumption.cause],
      [clause, notKnown, 'no model is configured', 'no-model'],
    );
    assert.deepEqual([assumption.assumes, assumption.because], [assumes, because]);
  }
});

test('why it is assumed has a cause of each kind, and the fault of a reply', () => {
  const assumes: AssumedPart[] = [{ kind: 'changesNothing' }];
  const fault = { kind: 'field-missing', field: 'Output' } as const;
  const said: readonly [because: AssumptionReason, cause: string, why: string][] = [
    [{ kind: 'unknown', says: '' }, 'model-unknown', 'the model says that it cannot know'],
    [{ kind: 'unknown', says: 'no clock' }, 'model-unknown', 'the model says that it cannot know: no clock'],
    [{ kind: 'unusable', fault }, 'model-unusable', 'the model left out the field `Output`'],
    [{ kind: 'failed', code: 'x', message: 'It was cancelled.' }, 'model-failed', 'It was cancelled.'],
    [{ kind: 'lookedThrough' }, 'looked-through', 'it was looked through'],
  ];
  for (const [because, cause, why] of said) {
    const assumption = told({ assumes, because });
    assert.deepEqual([assumption.cause, assumption.why], [cause, why]);
    assert.deepEqual(assumption.fault, because.kind === 'unusable' ? fault : undefined);
  }
});
