import assert from 'node:assert/strict';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };

interface Contributed {
  commands: { command: string; title: string; category: string; enablement?: string }[];
  menus: Record<string, { command?: string; submenu?: string; when?: string; group?: string }[]>;
  submenus: { id: string; label: string }[];
}

const { commands, menus, submenus }: Contributed = manifest.contributes;

test('commands stand in two categories, and those of the lab are about trajectories, prompts and measures', () => {
  assert.deepEqual([...new Set(commands.map(({ category }) => category))].sort(), ['Foretell', 'Foretell Lab']);
  const lab = commands.filter(({ category }) => category === 'Foretell Lab').map(({ command }) => command);
  for (const prefix of ['foretell.templates.', 'foretell.bench.']) {
    const own = commands.filter(({ command }) => command.startsWith(prefix)).map(({ command }) => command);
    assert.deepEqual(
      own.filter((command) => !lab.includes(command)),
      [],
    );
  }
  // No two are called the same, and none says the category again.
  assert.equal(new Set(commands.map(({ title, category }) => `${category}: ${title}`)).size, commands.length);
  assert.deepEqual(
    commands.filter(({ title }) => title.includes('Foretell')),
    [],
  );
});

test('the Explorer has one submenu, and every menu of files keeps to it', () => {
  assert.deepEqual(
    menus['explorer/context']?.map(({ submenu }) => submenu),
    ['foretell.explorer'],
  );
  assert.deepEqual(
    submenus.map(({ id, label }) => [id, label]),
    [['foretell.explorer', 'Foretell']],
  );
  assert.ok((menus['foretell.explorer']?.length ?? 0) >= 5);
});

test('the palette lists what makes sense now', () => {
  const palette = new Map(menus['commandPalette']?.map(({ command, when }) => [command, when ?? '']));
  const known = new Set(commands.map(({ command }) => command));
  assert.deepEqual(
    [...palette.keys()].filter((command) => command === undefined || !known.has(command)),
    [],
  );
  // What cannot be done is not listed: VS Code hides a command that is not enabled, and the menu says the rest.
  for (const { command, enablement = '' } of commands) {
    for (const key of enablement.matchAll(/foretell\.(?:hasPrediction|hasEdit|predicting|inSession|recording)/g)) {
      const when = palette.get(command);
      if (when !== undefined) assert.ok(when.includes(key[0]), `${command} names ${key[0]} in the palette too`);
    }
  }
  // What people do daily is to be had whatever is open.
  assert.equal(palette.has('foretell.predict'), false);
});

test('everything in a menu is a command that exists', () => {
  const known = new Set(commands.map(({ command }) => command));
  const named = Object.values(menus).flatMap((items) => items.flatMap(({ command }) => command ?? []));
  assert.deepEqual(
    named.filter((command) => !known.has(command)),
    [],
  );
});
