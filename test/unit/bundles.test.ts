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
