import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

interface Bundles {
  nodeBundles(options: { apart: Set<string> }): BuildOptions[];
  parts: Record<string, string[]>;
}

/** It keeps what is the same for everybody. */
const caches = ['src/core/context/secrets/redactForPrompt.ts'];

/** It keeps something between two calls. */
const keeps = (file: string) =>
  /^(?:export )?(?:let \w|const \w+(?:: [^=]+)? = new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\);)/m.test(
    fs.readFileSync(file, 'utf8'),
  );

test('what keeps something between two calls is in one file of the extension only', async () => {
  const { nodeBundles, parts }: Bundles = await import(pathToFileURL(path.resolve('src/tools/build.mjs')).href);
  const ours = nodeBundles({ apart: new Set() }).filter(({ entryPoints }) => {
    const [name = ''] = Object.keys(entryPoints ?? {});
    return name === 'extension' || Object.hasOwn(parts, name);
  });
  assert.equal(ours.length, Object.keys(parts).length + 1);
  const places = new Map<string, string[]>();
  for (const { metafile } of await Promise.all(ours.map((options) => build({ ...options, write: false })))) {
    for (const [bundle, { inputs }] of Object.entries(metafile?.outputs ?? {}))
      for (const [file, { bytesInOutput }] of Object.entries(inputs))
        if (bytesInOutput > 0) places.set(file, [...(places.get(file) ?? []), path.basename(bundle)]);
  }
  const twice = [...places].filter(([file, bundles]) => file.startsWith('src/') && bundles.length > 1 && keeps(file));
  assert.deepEqual(
    twice.filter(([file]) => !caches.includes(file)).map(([file, bundles]) => `${file}: ${bundles.join(', ')}`),
    [],
  );
});

/** In bytes. V8 reads all of it whenever an editor starts. */
const mostAtStart = 200_000;

test('an editor that starts reads neither a library nor what is known of programs', async () => {
  const { nodeBundles }: Bundles = await import(pathToFileURL(path.resolve('src/tools/build.mjs')).href);
  const extension = nodeBundles({ apart: new Set() }).find(({ entryPoints }) =>
    Object.hasOwn(entryPoints ?? {}, 'extension'),
  );
  const { metafile } = await build({ ...extension, write: false });
  const [output] = Object.values(metafile?.outputs ?? {});
  const read = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const large = /^node_modules\/|^src\/core\/(?:programs|verdict\/verdict|worlds\/confined)\b/;
  assert.deepEqual(
    read.map(([file]) => file).filter((file) => large.test(file)),
    [],
  );
  const bytes = output?.bytes ?? Number.NaN;
  assert.ok(bytes <= mostAtStart, `dist/extension.js has ${bytes} bytes, and may have ${mostAtStart}`);
});

test('what the extension loads of the core, or with other parts, has names of its own: of two that are the same neither is there', async () => {
  const { nodeBundles, parts }: Bundles = await import(pathToFileURL(path.resolve('src/tools/build.mjs')).href);
  const apart = new Set<string>();
  await Promise.all(nodeBundles({ apart }).map((options) => build({ ...options, write: false })));
  assert.ok(apart.size > 20);
  const own = Object.values(parts).map((files) => files.filter((file) => file.startsWith('src/')));
  for (const files of [[...apart], ...own]) {
    const named = files.flatMap((file) => [...exported(fs.readFileSync(file, 'utf8'))].map((name) => ({ name, file })));
    const twice = named.filter(({ name }, at) => named.findIndex((one) => one.name === name) !== at);
    assert.deepEqual(twice, []);
  }
});

/** Names of what a file of ours exports, but for types. */
function exported(text: string): Set<string> {
  const declared = text.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm);
  const listed = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(','));
  const others = listed.map((one) => one.trim().split(' as ').at(-1) ?? '');
  return new Set([...declared].map(([, name = '']) => name).concat(others.filter((name) => /^\w+$/.test(name))));
}
