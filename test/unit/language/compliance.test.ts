import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complianceOf } from '../../../src/core/worlds/language/conditions/complianceOf.ts';
import {
  conditionPresets,
  conditionsFor,
  readConditions,
} from '../../../src/core/worlds/language/conditions/conditionPresets.ts';
import { drawConditions } from '../../../src/core/worlds/language/conditions/drawConditions.ts';
import { domains } from '../../../src/core/worlds/language/prompt/turns/turn.ts';
import { type ConditionCase, conditionCases, unmetCases } from './conditionReplies.ts';
import { conditionWordings } from './conditionWordings.ts';

const how = ({ condition, domain, action, earlier = [] }: Omit<ConditionCase, 'complies' | 'departs'>, reply: string) =>
  complianceOf([condition], { domain, dialect: 'qwen', action, earlier, observation: reply })[0]?.how;

test('each condition is told from a reply that complies and from one that does not', () => {
  for (const one of conditionCases) {
    const name = `${one.condition} in ${one.domain}: ${JSON.stringify(one.action)}`;
    assert.equal(how(one, one.complies), 'complies', name);
    assert.equal(how(one, one.departs), 'departs', name);
  }
});

test('a condition is told in whichever words tools and servers have for it', () => {
  // Whether an action cannot but meet it, is not always known; a reply that ignores it must never be taken for one that does not.
  const wrong = conditionWordings.flatMap((one) => {
    const found = [how(one, one.complies), how(one, one.departs)];
    const isRight = found[0] === 'complies' && found[1] !== 'complies';
    return isRight ? [] : [`${one.condition}: ${found.join(', ')}: ${JSON.stringify(one.complies).slice(0, 160)}`];
  });
  assert.deepEqual(wrong, []);
});

test('an action that may not meet a condition is not held against the reply', () => {
  for (const { reply, ...one } of unmetCases) {
    assert.equal(how(one, reply), 'notMet', `${one.condition}: ${JSON.stringify(one.action)}`);
  }
});

test('every condition has a case, and every domain has conditions of three kinds', () => {
  const tried = new Set(conditionCases.map(({ condition }) => condition));
  assert.deepEqual(
    conditionPresets.filter(({ id }) => !tried.has(id)),
    [],
  );
  for (const domain of domains) {
    const presets = conditionsFor([domain]);
    assert.ok(presets.length >= 6, `${domain} has ${presets.length}`);
    assert.ok(new Set(presets.map(({ stratum }) => stratum)).size >= 3, domain);
  }
});

test('draws are the same for the same seed, and a batch has every kind, and every condition, equally often', () => {
  for (const domain of domains) {
    const presets = conditionsFor([domain]);
    const strata = new Set(presets.map(({ stratum }) => stratum));
    const drawn = Array.from({ length: strata.size * 60 }, (_, seed) => drawConditions(presets, { seed })[0]);
    assert.deepEqual(
      drawn,
      drawn.map((_, seed) => drawConditions(presets, { seed })[0]),
    );
    for (const stratum of strata) {
      const of = drawn.filter((one) => one?.stratum === stratum);
      assert.equal(of.length, 60, `${domain}: ${stratum}`);
      const members = presets.filter((one) => one.stratum === stratum);
      for (const member of members) assert.equal(of.filter((one) => one === member).length, 60 / members.length);
    }
    const several = drawConditions(presets, { seed: 5, count: 3 });
    assert.equal(new Set(several.map(({ stratum }) => stratum)).size, 3);
  }
});

test('what is asked for is read: ids, draws, and what there is not in a domain', () => {
  assert.deepEqual(readConditions(['disk-full', 'disk-full'], ['swe']), { ids: ['disk-full'] });
  const drawn = readConditions(['random:7:2'], ['android']);
  assert.ok('ids' in drawn && drawn.ids.length === 2);
  const elsewhere = readConditions(['rate-limit'], ['terminal']);
  assert.match(
    'problem' in elsewhere ? elsewhere.problem : '',
    /not one of the domain terminal; choose from disk-full/,
  );
  const unknown = readConditions(['nonsense'], []);
  assert.match(
    'problem' in unknown ? unknown.problem : '',
    /^There is no condition nonsense; choose from .*random:SEED/,
  );
  assert.ok('problem' in readConditions(['random:'], []));
});
