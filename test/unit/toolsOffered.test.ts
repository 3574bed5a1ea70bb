import assert from 'node:assert/strict';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { inputSchemaOf } from '../../src/core/toolbox/readInput.ts';
import { tools } from '../../src/core/toolbox/tools.ts';

test('VS Code is offered the tools of the server, with the same arguments and words for the model', () => {
  const offered = manifest.contributes.languageModelTools;
  assert.deepEqual(
    offered.map(({ name, modelDescription, inputSchema }) => ({ name, modelDescription, inputSchema })),
    tools.map((tool) => ({
      name: `foretell_${tool.name}`,
      modelDescription: tool.description,
      inputSchema: inputSchemaOf(tool),
    })),
  );
  assert.ok(offered.every(({ when }) => when === 'isWorkspaceTrusted'));
});

test('tools have names that every client takes, and say what they are for', () => {
  for (const { name, title, description } of tools) {
    assert.match(name, /^[a-z_]{1,64}$/);
    assert.ok(title.length > 5);
    assert.match(description, /\.$/);
  }
  assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length);
});
