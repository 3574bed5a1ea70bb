import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };

interface Contributed {
  commands: { command: string; title: string; category: string; enablement?: string }[];
  menus: Record<string, { command?: string; submenu?: string; when?: string; group?: string }[]>;
  submenus: { id: string; label: string }[];
}

const { commands, menus, submenus }: Contributed = manifest.contributes;

function nameOf({ category, title }: Contributed['commands'][number]): string {
  return `${category}: ${title}`;
}

test('commands stand in three categories, and those of the lab are about trajectories, prompts and measures', () => {
  const categories = ['Foretell', "Foretell's Lab", "Foretell's Setup"];
  assert.deepEqual([...new Set(commands.map(({ category }) => category))].sort(), categories);
  const lab = commands.filter(({ category }) => category === "Foretell's Lab").map(({ command }) => command);
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

test('the palette is led by what people do daily', () => {
  const palette = new Map(menus['commandPalette']?.map(({ command, when }) => [command, when ?? '']));
  // VS Code lists them by their names, compared as here; a name that sorts before "Foretell: " would lead.
  const inOrder = commands.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other), 'en-US'));
  const categories = inOrder.map(({ category }) => category);
  assert.deepEqual([...new Set(categories)], ['Foretell', "Foretell's Lab", "Foretell's Setup"]);
  assert.equal(categories.lastIndexOf('Foretell') + 1, categories.indexOf("Foretell's Lab"));
  // In a window in which nothing was done yet.
  const now = ['', 'workspaceFolderCount != 0', 'isWorkspaceTrusted', 'workspaceFolderCount != 0 || editorIsOpen'];
  const fresh = inOrder.filter(({ command }) => now.includes(palette.get(command) ?? ''));
  assert.equal(fresh[0]?.command, 'foretell.predict');
});

test('documents, notes and messages call a command what the palette calls it', () => {
  const names = commands.map((command) => nameOf(command).replace('…', ''));
  const below = ['docs', 'media', 'src'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  );
  const wrong: string[] = [];
  for (const file of ['README.md', 'package.json', ...below.filter((file) => /\.(md|ts)$/.test(file))]) {
    const text = readFileSync(file, 'utf8').replace(/\s+/g, ' ');
    for (const [said] of text.matchAll(/Foretell(?:'s \p{L}+| Lab)?: \p{Lu}\p{Ll}+ \p{Lu}.{0,80}/gu)) {
      if (!names.some((name) => said.startsWith(name))) wrong.push(`${file}: ${said.slice(0, 60)}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('everything in a menu is a command that exists', () => {
  const known = new Set(commands.map(({ command }) => command));
  const named = Object.values(menus).flatMap((items) => items.flatMap(({ command }) => command ?? []));
  assert.deepEqual(
    named.filter((command) => !known.has(command)),
    [],
  );
});
