import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { LiveAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import type { LanguageRequest } from '../../src/core/worlds/language/imagine/languageRequest.ts';
import { type Call, callsIn, messagesIn } from './promptReading.ts';
import { openWorkbench, printed, table } from './workbench.ts';

/** What a model is shown of the steps before: an edit and then a command, a command and then another. */

const bench = openWorkbench();
const at = (name: string) => path.join(bench.place.cwd, name);

/** Predicts one step after the other in one session. */
async function predictSteps(
  steps: readonly (string | Omit<LiveAction & { kind: 'edit' }, 'kind'>)[],
  language: Partial<LanguageRequest> = {},
): Promise<Prediction[]> {
  const { foretell, language: model } = bench.model;
  const session = foretell.openSession();
  const predictions: Prediction[] = [];
  for (const step of steps) {
    const { cwd } = bench.place;
    const action: LiveAction =
      typeof step === 'string' ? { kind: 'command', script: step, shell: 'bash', cwd } : { cwd, ...step, kind: 'edit' };
    const { events } = session.predict({
      action,
      env: bench.place.env,
      workspaceFolders: [cwd],
      language: { ...model, ...language },
      signal: new AbortController().signal,
    });
    predictions.push(await foldAll(action, events));
  }
  await session.close();
  return predictions;
}

/** The calls of the first prompt that asks about this command. */
function promptAbout(words: string): Call[] {
  for (const text of bench.prompts()) {
    const calls = callsIn(messagesIn(JSON.parse(text)));
    if (String(calls.at(-1)?.arguments['command']).includes(words)) return calls;
  }
  assert.fail(`nothing was asked about ${words}`);
}

const pathOf = (call: Call) => String(call.arguments['absolute_path'] ?? call.arguments['file_path'] ?? '');

test('after an edit, the model is asked about a program with the edit as an earlier call and the file as it would be', async () => {
  bench.says(table({ '*': printed('tested\n') }));
  const call = {
    name: 'edit',
    arguments: { file_path: at('check.js'), old_string: 'process.exit(0);', new_string: 'process.exit(3);' },
  };
  const [edit, command] = await predictSteps([
    { changes: [], calls: [call], agent: 'qwen', agentVersion: 'recorded' },
    'npm run lint; cat check.js',
  ]);
  assert.match(edit?.output[0]?.text ?? '', /Successfully modified file/);
  assert.match(command?.output.map(({ text }) => text).join('') ?? '', /process\.exit\(3\)/);
  const calls = promptAbout('check.js');
  const made = calls.findIndex(({ name }) => name === 'edit');
  assert.deepEqual(calls[made]?.arguments, call.arguments);
  assert.equal(calls[made]?.reply, `Successfully modified file: ${at('check.js')} (1 replacements).`);
  const reads = calls.flatMap((one, index) =>
    one.name === 'read_file' && pathOf(one) === at('check.js') ? [index] : [],
  );
  assert.ok(reads.length > 0 && reads.every((index) => index > made), `${made} ${reads}`);
  for (const index of reads) assert.match(calls[index]?.reply ?? '', /^process\.exit\(3\);/);
  assert.match(
    calls.find((one) => String(one.arguments['command']).includes('--untracked-files=all'))?.reply ?? '',
    / M check\.js/,
  );
  // What the edit did is no change of the program's.
  assert.deepEqual(command?.files, []);
});

test('calls of the other dialect are told by what they did, those of the own one word for word', async () => {
  bench.says(table({ '*': printed('') }));
  const edit = { file_path: at('src/index.js'), old_string: 'shop = 1', new_string: 'shop = 2' };
  const call = { name: 'Edit', arguments: edit };
  await predictSteps([{ changes: [], calls: [call], agent: 'claude', agentVersion: 'recorded' }, 'node src/index.js'], {
    dialect: 'claude',
  });
  const claude = promptAbout('src/index.js').filter(({ name }) => name === 'Edit');
  assert.deepEqual(
    claude.map((one) => one.arguments),
    [edit],
  );
  assert.match(claude[0]?.reply ?? '', /updated/);
  bench.says(table({ '*': printed('') }));
  await predictSteps([{ changes: [], calls: [call] }, 'node src/index.js']);
  const [qwen] = promptAbout('src/index.js').filter(({ name }) => name === 'edit');
  assert.deepEqual(qwen?.arguments, {
    file_path: at('src/index.js'),
    old_string: 'export const shop = 1;\n',
    new_string: 'export const shop = 2;\n',
  });
  assert.equal(qwen?.reply, `Successfully modified file: ${at('src/index.js')} (1 replacements).`);
});

test('several calls have each their own observation', async () => {
  bench.says(table({ '*': printed('') }));
  const write = (name: string, content: string) => ({
    name: 'write_file',
    arguments: { file_path: at(name), content },
  });
  const calls = [write('one.js', 'one\n'), write('README.md', '# Other\n')];
  await predictSteps([{ changes: [], calls, agent: 'qwen', agentVersion: 'recorded' }, 'node one.js']);
  const told = promptAbout('one.js').filter(({ name }) => name === 'write_file');
  assert.deepEqual(
    told.map(({ reply }) => reply),
    [
      `Successfully created and wrote to new file: ${at('one.js')}.`,
      `Successfully overwrote file: ${at('README.md')}.`,
    ],
  );
});

test('a patch is a command with what its tool printed, operations on files are commands', async () => {
  bench.says(table({ '*': printed('') }));
  const text = '--- a/check.js\n+++ b/check.js\n@@ -1 +1,2 @@\n process.exit(0);\n+// end\n';
  await predictSteps([
    { changes: [], patch: { text, tool: 'patch', strip: 1 } },
    { changes: [], operations: [{ kind: 'rename', from: at('README.md'), to: at('READ ME.md') }] },
    'node check.js',
  ]);
  const commands = promptAbout('check.js').filter(({ name }) => name === 'run_shell_command');
  const patch = commands.find((one) => String(one.arguments['command']).startsWith('patch'));
  assert.equal(patch?.arguments['command'], `patch -p1 <<'EOF'\n${text}EOF`);
  assert.match(patch?.reply ?? '', /Output: patching file check\.js\nError: \(none\)\nExit Code: 0/);
  assert.ok(commands.some((one) => one.arguments['command'] === "mv -n README.md 'READ ME.md'"));
});

test('unsaved text is a call that would make it, a new file one that writes it', async () => {
  bench.says(table({ '*': printed('') }));
  await predictSteps([
    {
      changes: [
        { path: at('build.js'), after: 'console.log("built");\n' },
        { path: at('src/new.js'), after: 'export const fresh = 1;\n' },
        { path: at('README.md'), after: null },
      ],
    },
    'node build.js',
  ]);
  const calls = promptAbout('build.js');
  const written = calls.filter(({ name }) => name === 'write_file' || name === 'edit');
  assert.deepEqual(
    written.map((one) => [one.name, pathOf(one), one.arguments['content'] ?? one.arguments['new_string']]),
    [
      ['edit', at('build.js'), 'console.log("built");\n'],
      ['write_file', at('src/new.js'), 'export const fresh = 1;\n'],
    ],
  );
  assert.ok(calls.some((one) => one.arguments['command'] === 'rm README.md'));
  assert.ok(
    calls.some((one) => one.name === 'read_file' && pathOf(one) === at('src/new.js')),
    'what is new can be read',
  );
  assert.ok(!calls.some((one) => one.name === 'read_file' && pathOf(one) === at('README.md')), 'what is gone cannot');
});

test('an earlier command stands there with its predicted output', async () => {
  bench.says(table({ 'node build.js': printed('built 3 files\n', 2, 'one warning\n'), '*': printed('') }));
  await predictSteps(['node build.js; echo "VERSION = 2" > version.js', 'node version.js']);
  const calls = promptAbout('version.js');
  const told = calls.find((one) => String(one.arguments['command']).startsWith('node build.js; echo'));
  assert.equal(
    told?.reply,
    [
      'Command: node build.js; echo "VERSION = 2" > version.js',
      `Directory: ${bench.place.cwd}`,
      'Output: built 3 files',
      'Error: one warning',
      'Exit Code: 0',
      'Signal: (none)',
      'Background PIDs: (none)',
      'Process Group PGID: (none)',
    ].join('\n'),
  );
  const read = calls.find((one) => one.name === 'read_file' && pathOf(one) === at('version.js'));
  assert.equal(read?.reply, 'VERSION = 2\n');
});

test('a whole command that is imagined knows the steps before as well', async () => {
  bench.says((words) => (words === '' ? 'user@host:~$' : printed('')));
  const [, whole] = await predictSteps(
    [{ changes: [{ path: at('check.js'), after: 'process.exit(4);\n' }] }, 'node check.js'],
    { whole: true },
  );
  assert.equal(whole?.engine, 'language');
  const calls = promptAbout('node check.js');
  const edit = calls.findIndex((one) => String(one.arguments['command']).startsWith('patch check.js'));
  assert.match(calls[edit]?.reply ?? '', /patching file check\.js/);
  assert.match(String(calls[edit]?.arguments['command']), /^-process\.exit\(0\);\n\+process\.exit\(4\);$/m);
  const read = calls.findIndex((one) => one.arguments['command'] === 'cat check.js');
  assert.ok(read > edit, `${read} after ${edit}`);
  assert.match(calls[read]?.reply ?? '', /process\.exit\(4\);/);
});

test('what was only predicted is not shown as real to a prediction of its own', async () => {
  bench.says(table({ '*': printed('') }));
  await predictSteps([{ changes: [{ path: at('check.js'), after: 'process.exit(9);\n' }] }, 'node check.js']);
  await bench.predict('echo "// more" >> check.js; node check.js --twice');
  bench.says(table({ '*': printed('') }));
  await bench.predict('node check.js');
  const read = promptAbout('check.js').find((one) => one.name === 'read_file' && pathOf(one) === at('check.js'));
  assert.equal(read?.reply, readFileSync(at('check.js'), 'utf8'));
});

test('no secret of an earlier step is sent', async () => {
  bench.says(table({ '*': printed('') }));
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  await predictSteps([
    { changes: [{ path: at('.env'), after: `TOKEN=${secret}\nPASSWORD=hunter2hunter2\n` }] },
    `echo ${secret} > token.txt; cat token.txt`,
    'node build.js',
  ]);
  const sent = bench.prompts().join('\n');
  assert.ok(bench.prompts().length > 0);
  assert.ok(!sent.includes(secret) && !sent.includes('hunter2hunter2'));
  assert.match(sent, /\[redacted: /);
});

test('a prompt says which of the steps before are predictions, and an edit that was computed is none', async () => {
  bench.says(table({ '*': printed('built\n') }));
  await predictSteps([
    { changes: [{ path: at('check.js'), after: 'process.exit(4);\n' }] },
    'node build.js',
    'node check.js',
  ]);
  const calls = promptAbout('node check.js');
  const number = (words: string) =>
    1 + calls.findIndex((one) => String(one.arguments['command'] ?? one.name).includes(words));
  const body = bench.prompts().map((text) => messagesIn(JSON.parse(text)).at(-1)?.content ?? '');
  const suffix = body.find((text) => text.includes('node check.js')) ?? '';
  const [, numbers = ''] =
    /The observations? of turns? ([\d, and to]+) (?:is a prediction|are predictions)/.exec(suffix) ?? [];
  const first = Number(/\d+/.exec(numbers)?.[0]);
  assert.equal(first, number('node build.js'), numbers);
  assert.ok(number('edit') < first);
});
