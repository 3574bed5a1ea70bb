import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { sweTools, toolDefinitions } from '../../../src/core/worlds/language/prompt/toolDefinitions.ts';
import {
  demonstratedCommands,
  demonstrations,
  demonstrationTurns,
  demonstrationWorkspace,
} from '../../../src/core/worlds/language/prompt/turns/demonstrations.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'foretell-demonstrations-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

test('what the demonstrations say is what the commands do', (t) => {
  if (spawnSync('python3', ['--version']).status !== 0) return t.skip('python3 is not installed');
  for (const [name, text] of Object.entries(demonstrationWorkspace.files))
    writeFileSync(path.join(scratch, name), text);
  for (const wanted of demonstratedCommands) {
    const env = { ...process.env, LC_ALL: 'C' };
    const ran = spawnSync('bash', ['-c', wanted.command], { cwd: scratch, encoding: 'utf8', env });
    const { command } = wanted;
    assert.deepEqual({ command, stdout: ran.stdout, stderr: ran.stderr, exitCode: ran.status }, wanted);
  }
});

for (const dialect of ['qwen', 'claude'] as const) {
  test(`tools and demonstrations of the ${dialect} dialect fit each other`, () => {
    const tools = new Map(sweTools[dialect].map((tool) => [tool.name, tool]));
    const wanted =
      dialect === 'qwen'
        ? [
            'run_shell_command',
            'read_file',
            'write_file',
            'edit',
            'list_directory',
            'glob',
            'search_file_content',
            'todo_write',
          ]
        : ['Bash', 'Read', 'Write', 'Edit', 'MultiEdit', 'Glob', 'Grep', 'TodoWrite', 'LS'];
    assert.deepEqual([...tools.keys()].sort(), wanted.sort());
    for (const { action } of demonstrationTurns(dialect)) {
      assert.ok(action.kind === 'tool');
      const { properties, required } = (tools.get(action.name)?.parameters ?? {}) as {
        properties: Record<string, unknown>;
        required: string[];
      };
      for (const name of Object.keys(action.arguments)) assert.ok(name in properties, `${action.name} has no ${name}`);
      for (const name of required) assert.ok(name in action.arguments, `${action.name} needs ${name}`);
    }
    const lines = toolDefinitions(dialect)
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map((line) => line.function),
      sweTools[dialect],
    );
    const text = demonstrations(dialect);
    assert.match(text, dialect === 'qwen' ? /Exit Code: 1\n/ : /Exit code 1\n/);
    assert.ok(text.length < 6000);
  });
}
