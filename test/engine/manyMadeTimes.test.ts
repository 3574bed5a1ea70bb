import assert from 'node:assert/strict';
import { test } from 'node:test';
import { throwAwayForetell } from '../throwAwayForetell.ts';

const { foretell, workspace } = throwAwayForetell('many-made-times', { spareLaunchers: 0 });

test('the second in which it was made is found in each of many files that hold it, also in larger ones', async () => {
  const place = workspace({
    // Each compiled module holds the time of its source, in four bytes; whoever packs it may write it in eight.
    'make.py': `import pathlib, py_compile, struct, time
for number in range(300):
    source = pathlib.Path(f'm{number}.py')
    source.write_text('x = 1\\n')
    py_compile.compile(str(source))
    made = source.stat().st_mtime
    pathlib.Path(f'd{number}').write_bytes(b'\\0' * (1 + number % 8) + struct.pack('<d' if number % 2 else '>d', made))
    pathlib.Path(f'i{number}').write_bytes(b'\\0' * (1 + number % 5) + struct.pack('<I' if number % 2 else '>I', int(made)))
    if number < 3: pathlib.Path(f'large{number}').write_bytes(b'\\0' * 500_000 * (number + 1) + struct.pack('<I', int(made)))
    pathlib.Path(f'same{number}').write_bytes(b'\\0' * number + b'k\\x08')
`,
  });
  const action = { kind: 'command', script: 'python3 make.py', shell: 'bash', cwd: place } as const;
  const env = { PATH: '/usr/bin:/bin', HOME: place };
  const signal = new AbortController().signal;
  const { events, view } = foretell.predict({ action, env, consent: { folder: place, programs: 'all' }, signal });
  const volatile = new Map<string, number>();
  for await (const event of events)
    if (event.type === 'file' && event.change.type === 'file' && event.change.volatile) {
      const kind = /([a-z]+)\d+[^/]*$/.exec(event.change.path)?.[1] ?? '';
      volatile.set(kind, (volatile.get(kind) ?? 0) + 1);
    }
  await view.close();
  assert.deepEqual(Object.fromEntries(volatile), { m: 300, d: 300, i: 300, large: 3 });
});
