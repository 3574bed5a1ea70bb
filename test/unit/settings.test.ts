import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };

type Settings = Readonly<Record<string, { scope?: string; order?: number } | undefined>>;
const groups = manifest.contributes.configuration.map(({ title, properties }) => {
  const settings: Settings = properties;
  return { title, properties: Object.entries(settings).flatMap(([name, one]) => (one ? [{ name, ...one }] : [])) };
});
const offered = groups.flatMap(({ properties }) => properties.map(({ name }) => name));

/** Where settings of ours are read, and the part of their names that is not written again there. */
const readers = {
  'src/host/settings.ts': 'foretell.',
  'src/host/model/modelSettings.ts': 'foretell.',
  'src/host/bench/benchSettings.ts': 'foretell.bench.',
};

test('every setting that is offered is read somewhere', () => {
  const sources = fs
    .readdirSync('src/host', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => fs.readFileSync(path.join('src/host', name), 'utf8'));
  const isNamed = (name: string) => sources.some((source) => source.includes(`'${name}'`));
  assert.deepEqual(
    offered.filter(
      (name) => !isNamed(name.slice('foretell.'.length)) && !isNamed(name.slice('foretell.bench.'.length)),
    ),
    [],
  );
});

test('every setting that is read is offered', () => {
  for (const [file, start] of Object.entries(readers)) {
    const read = [...fs.readFileSync(file, 'utf8').matchAll(/\bsettings\.get(?:<.*?>)?\('([\w.]+)'/g)];
    assert.ok(read.length > 5, file);
    const unknown = read.map(([, name = '']) => `${start}${name}`).filter((name) => !offered.includes(name));
    assert.deepEqual(unknown, [], file);
  }
});

test('settings stand in groups, in order, and only those about a machine are of that machine', () => {
  assert.deepEqual(
    groups.map(({ title }) => title),
    ['Foretell', 'Limits', 'Model', "Foretell's Lab"],
  );
  for (const { title, properties } of groups)
    assert.deepEqual(
      properties.map(({ order }) => order),
      properties.map((_, at) => at + 1),
      title,
    );
  // A setting of a machine is not taken over by remote windows: what a person wants is the same everywhere, what a machine has is not.
  const machines = groups.flatMap(({ properties }) => properties.filter(({ scope }) => scope?.startsWith('machine')));
  assert.deepEqual(
    machines.map(({ name }) => name.replace('foretell.', '')),
    [
      'shell',
      ...[
        'limits.processes',
        'limits.memoryMegabytes',
        'limits.diskMegabytes',
        'memory.megabytes',
        'safetyNet.megabytes',
      ],
      'prompts.folder',
    ],
  );
});

test('a workspace that is not trusted sets nothing that starts programs, sends anything or costs anything', () => {
  const restricted: readonly string[] = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  const free =
    /^foretell\.(?:codeLens\.enabled|workingDirectory|besideTerminal|bench\.(?:pass\w+|price|judge\.price)|calibration\.enabled)$/;
  assert.deepEqual(
    offered.filter((name) => !restricted.includes(name) && !free.test(name)),
    [],
  );
  // Where it stands in no list, only the user's own settings count.
  for (const { name, scope } of groups.flatMap(({ properties }) => properties))
    if (/^foretell\.(?:model\.baseUrl|calibration\.enabled)$/.test(name)) assert.equal(scope, 'application', name);
});
