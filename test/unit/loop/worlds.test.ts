import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenAiProvider } from '../../../src/core/worlds/language/client/client.ts';
import { conditionPresets } from '../../../src/core/worlds/language/conditions/conditionPresets.ts';
import { buildWorld, drawWorld, worldMessages } from '../../../src/core/worlds/language/world/buildWorld.ts';
import { createLedger } from '../../../src/core/worlds/language/world/ledger.ts';
import {
  readWorldText,
  renderEstablished,
  renderWorld,
  type World,
} from '../../../src/core/worlds/language/world/world.ts';
import { startServer } from '../../cassettes/server.ts';
import { conditionCases } from '../language/conditionReplies.ts';
import { lastMessages, openLoop, seen } from './loopFixture.ts';

const shop: World = {
  version: 1,
  title: 'A shop',
  description: 'A shop in Ghent that sells lamps.',
  entities: [
    { id: 'ord-31', kind: 'order', facts: { state: 'open', sum: 20 } },
    { id: 'ord-32', kind: 'order', facts: { state: 'shipped' } },
  ],
};
const tools = [
  { name: 'get_order', annotations: { readOnlyHint: true } },
  { name: 'close_order' },
  { name: 'list_orders', annotations: { readOnlyHint: true } },
];
const call = (name: string, given: Record<string, unknown> = {}) => ({ name, arguments: given });
const tool = (name: string, given: Record<string, unknown> = {}) => ({ kind: 'tool' as const, name, arguments: given });

test('a session under a condition says whether each observation complies', async (context) => {
  let replied = '';
  const { environment, steps } = await openLoop(context, { answer: () => seen(replied) });
  let complied = 0;
  for (const one of conditionCases) {
    const started = await environment.start({
      ...{ domain: one.domain, perturbations: [one.condition] },
      ...(one.domain === 'mcp' || one.domain === 'search' ? { tools: [{ name: 'list_orders' }] } : {}),
    });
    assert.ok(started.ok, JSON.stringify(started));
    assert.deepEqual(started.perturbations, [one.condition]);
    const { action } = one;
    const given = action.kind === 'tool' ? action : action.kind === 'text' ? action.text : action.keystrokes;
    const take = async (text: string, what: unknown) => {
      replied = text;
      const stepped = await environment.step(started.id, what);
      assert.ok(stepped.ok, `${one.condition}: ${JSON.stringify(stepped)}`);
      return stepped.compliance?.[0];
    };
    for (const turn of one.earlier ?? []) await take(turn.observation, turn.action);
    const before = steps.length;
    const how = await take(one.complies, given);
    assert.equal(how?.condition, one.condition);
    complied += Number(how?.how === 'complies');
    assert.deepEqual(steps[before]?.reply?.compliance, [how]);
    if (one.earlier) continue;
    environment.reset(started.id);
    assert.equal((await take(one.departs, given))?.how, 'departs', one.condition);
  }
  assert.ok(complied >= 0.95 * conditionCases.length, `${complied} of ${conditionCases.length}`);
  assert.ok(conditionCases.length >= conditionPresets.length);
});

test('conditions of a session are drawn by a seed, and are the same for the same seed', async (context) => {
  const { environment } = await openLoop(context, {});
  const begin = { domain: 'android', perturbations: ['random:3:2'] };
  const [first, second] = [await environment.start(begin), await environment.start(begin)];
  assert.ok(first.ok && second.ok);
  assert.equal(first.perturbations?.length, 2);
  assert.deepEqual(first.perturbations, second.perturbations);
  const refused = await environment.start({ domain: 'android', perturbations: ['disk-full'] });
  assert.ok(!refused.ok && refused.code === 'bad-request');
  assert.match(refused.message, /not one of the domain android/);
});

test('a world is told to the model, kept turn by turn, and what contradicts it is found', async (context) => {
  const replies = [
    '{"id": "ord-31", "state": "open", "sum": 20, "lamp": "brass"}',
    '{"id": "ord-31", "state": "open", "sum": 25, "lamp": "brass"}',
    '{"ok": true}',
    '{"id": "ord-31", "state": "closed", "sum": 20, "lamp": "brass"}',
    '{"id": "ord-32", "state": "open"}',
  ];
  let at = 0;
  const { environment, steps, world } = await openLoop(context, { answer: () => seen(replies[at++] ?? '{}') });
  const started = await environment.start({ domain: 'mcp', tools, world: shop });
  assert.ok(started.ok, JSON.stringify(started));
  const take = async (action: unknown) => {
    const stepped = await environment.step(started.id, action);
    assert.ok(stepped.ok, JSON.stringify(stepped));
    return stepped.contradictions ?? [];
  };
  assert.deepEqual(await take(call('get_order', { id: 'ord-31' })), []);
  assert.match(
    lastMessages(world)[0]?.content ?? '',
    /A shop in Ghent[\s\S]*## order ord-31\n- state: "open"\n- sum: 20/,
  );
  const sum = { entity: 'ord-31', attribute: 'sum', before: '20', after: '25', since: 0, isCertain: true };
  assert.deepEqual(await take(call('get_order', { id: 'ord-31' })), [sum]);
  assert.deepEqual(await take(call('close_order', { id: 'ord-31' })), []);
  // The action named the order, so its state may be another one now; so may its sum, which is 20 again.
  assert.deepEqual(await take(call('get_order', { id: 'ord-31' })), []);
  const uncertain = {
    entity: 'ord-32',
    attribute: 'state',
    before: 'shipped',
    after: 'open',
    since: 0,
    isCertain: false,
  };
  assert.deepEqual(await take(call('get_order', { id: 'ord-32' })), [uncertain]);
  const state = environment.state(started.id);
  assert.ok(state.ok);
  assert.deepEqual(
    state.world.contradictions.map(({ turn }) => turn),
    [2, 5],
  );
  assert.ok(
    state.world.facts.some(
      ({ entity, attribute, value }) => `${entity}.${attribute}=${value}` === 'ord-31.state=closed',
    ),
  );
  assert.deepEqual(steps[0]?.world?.described, shop);
  assert.deepEqual(steps[0]?.world?.facts, [{ entity: 'ord-31', attribute: 'lamp', value: 'brass' }]);
  assert.deepEqual(steps[1]?.world?.contradictions, [sum]);
  environment.reset(started.id);
  const again = environment.state(started.id);
  assert.ok(again.ok && again.world.contradictions.length === 0 && again.world.facts.length === 3);
});

test('many worlds are held at once, and none knows of another', async (context) => {
  const { environment } = await openLoop(context, {
    answer: ({ messages }) => seen(`{"id": "${/lmp-\d+/.exec(JSON.stringify(messages))?.[0]}", "state": "open"}`),
  });
  const started = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      environment.start({
        ...{ domain: 'mcp', tools },
        world: { ...shop, entities: [{ id: `lmp-${at}`, kind: 'lamp', facts: { state: at % 2 ? 'open' : 'sold' } }] },
      }),
    ),
  );
  const stepped = await Promise.all(
    started.map((one) => (one.ok ? environment.step(one.id, call('get_order', { id: 'x' })) : one)),
  );
  for (const [at, one] of stepped.entries()) {
    assert.ok(one.ok, JSON.stringify(one));
    assert.deepEqual(one.contradictions?.map(({ entity }) => entity) ?? [], at % 2 ? [] : [`lmp-${at}`]);
  }
});

test('files that are read again say the same, unless something may have changed them', () => {
  const ledger = createLedger('swe');
  const read = tool('read_file', { absolute_path: '/app/a' });
  assert.equal(ledger.take({ action: read, observation: 'one\n' }).facts.length, 1);
  assert.equal(ledger.take({ action: tool('run_shell_command', { command: 'ls' }), observation: 'a' }).facts.length, 0);
  const [found] = ledger.take({ action: read, observation: 'two\n' }).contradictions;
  assert.deepEqual([found?.before, found?.after, found?.isCertain], ['one\n', 'two\n', true]);
  ledger.take({ action: tool('run_shell_command', { command: 'make' }), observation: '' });
  assert.deepEqual(ledger.take({ action: read, observation: 'three\n' }).contradictions, []);
  ledger.take({ action: tool('write_file', { file_path: '/app/a', content: 'four' }), observation: 'Done' });
  assert.deepEqual(ledger.take({ action: read, observation: 'four\n' }).contradictions, []);
  assert.equal(ledger.take({ action: read, observation: 'five\n' }).contradictions.length, 1);
});

test('numbers and names are those of their kind, times are of the moment, order in lists is nothing', () => {
  const ledger = createLedger('mcp', { readOnlyTools: ['list'] });
  const list = tool('list');
  ledger.take({ action: list, observation: '{"orders": [{"id": 1, "sum": 2}, {"id": 2, "sum": 3}], "took_ms": 4}' });
  const other =
    '{"customers": [{"id": 1, "sum": 9}], "orders": [{"id": 2, "sum": 3}, {"id": 1, "sum": 2}], "took_ms": 7}';
  assert.deepEqual(ledger.take({ action: list, observation: other }).contradictions, []);
});

test('what turns have shown that are left out is told to the model', () => {
  const told = renderEstablished(
    [
      { entity: 'ord-31', attribute: 'state', value: 'x'.repeat(200) },
      { entity: 'ord-32', attribute: 'state', value: 'open' },
    ],
    60,
  );
  assert.match(told, /still holds/);
  assert.match(told, /\n- ord-32: state = "open"$/);
  assert.ok(!told.includes('ord-31'));
  assert.equal(renderEstablished([]), '');
});

test('a world is built by a model from a seed: the same request each time, and no world is asked for once more', async (context) => {
  const wish = { domain: 'mcp' as const, about: 'lamps', seed: 7, entities: 2 };
  assert.deepEqual(worldMessages(wish), worldMessages({ ...wish }));
  assert.notDeepEqual(worldMessages(wish), worldMessages({ ...wish, seed: 8 }));
  const difficulties = new Set([8, 9, 10, 11].map((seed) => drawWorld(seed).difficulty));
  assert.equal(difficulties.size, 4);
  const replies = ['Here is a world.', `<think>lamps</think>\n\`\`\`json\n${JSON.stringify(shop)}\n\`\`\``];
  let at = 0;
  const server = await startServer({ dialect: 'vllm', answer: () => replies[at++] ?? '' });
  context.after(() => server.close());
  const provider = createOpenAiProvider({ baseUrl: server.baseUrl });
  const built = await buildWorld(wish, { provider, signal: AbortSignal.timeout(20_000) });
  assert.deepEqual(built, { ...shop, domain: 'mcp', seed: 7 });
  assert.equal(server.completions().length, 2);
  assert.equal(server.completions()[0]?.body?.['seed'], 7);
  assert.match(renderWorld(shop), /^A shop in Ghent/);
});

test('a file is a world, a description, or neither', () => {
  assert.equal(readWorldText('A ship. It sails.'), undefined);
  assert.deepEqual(readWorldText(JSON.stringify(shop)), shop);
  const [order] = shop.entities;
  const twice = readWorldText(JSON.stringify({ ...shop, entities: [order, order] }));
  assert.match(twice && 'problem' in twice ? twice.problem : '', /two things are called ord-31/);
  for (const wrong of ['{', '{"version": 2}']) {
    const read = readWorldText(wrong);
    assert.ok(read && 'problem' in read, wrong);
  }
});
