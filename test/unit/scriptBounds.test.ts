import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptBounds } from '../../src/core/programs/scriptBounds.ts';

const of = (script: string, stopped = ['pytest', 'npm'], ran = () => true) => {
  const { exitCode, lines, isNumber, errorsApart } = scriptBounds(script, {
    stopped: new Set(stopped.filter((name) => script.includes(name))),
    ran,
  });
  return [exitCode ?? '?', lines ?? '?', ...(isNumber ? ['number'] : []), ...(errorsApart ? ['apart'] : [])].join(' ');
};

test('what stands behind a stopped program is certain as far as the script tells', () => {
  for (const [script, expected] of [
    ['pytest', '? ? apart'],
    ['pytest | head -20', '0 20 apart'],
    ['pytest 2>&1 | head -20', '0 20'],
    ['cd /w && pytest 2>&1 | tail -5', '0 5'],
    ['cd /w && pytest -q 2>&1 | tail -n 5; echo "exit: $?"', '0 6'],
    ['pytest | wc -l', '0 1 number apart'],
    ['pytest 2>/dev/null | sort | uniq -c | head', '0 10'],
    ['pytest 2>&1 | head -50 | grep -v ok', '? 50'],
    ['pytest 2>&1 | head -50 | grep -c ok', '? 1'],
    ['pytest 2>&1 | grep -E "a|b" | head -5', '0 5'],
    ['pytest 2>&1 | grep -q x', '? 0'],
    ["pytest 2>&1 | sed -n '10,14p'", '0 5'],
    ['pytest > out.txt', '? 0 apart'],
    ['pytest > out.txt 2>&1', '? 0'],
    ['pytest &> out.txt; wc -l', '? ? apart'],
    ['pytest || true', '0 ? apart'],
    ['pytest && true', '? ? apart'],
    ['pytest; false', '1 ? apart'],
    ['pytest; exit 3', '3 ? apart'],
    ['pytest || exit 3', '? ? apart'],
    ['pytest && echo ok || echo failed', '0 ? apart'],
    ['! pytest | head -1', '1 1 apart'],
    ['(pytest | head -3)', '0 3 apart'],
    ['npm test 2>&1 | tail -3', '0 3'],
    ['ls; pytest 2>&1 | head -3', '0 3'],
  ] as const)
    assert.equal(of(script), expected, script);
});

test('nothing is claimed where something else decides it', () => {
  for (const script of [
    'set -o pipefail; pytest | head -20',
    'set -e; pytest; true',
    'head() { cat; }; pytest | head -20',
    'trap "echo x" EXIT; pytest || true',
    'pytest | head -20 &',
    '. ./env && pytest | head -20',
    'if pytest; then exit 1; fi; true',
    'pytest | head -20 "',
  ])
    assert.equal(of(script), '? ?', script);
  for (const script of [
    'pytest | tail -f',
    'pytest | awk "{print}"',
    'pytest | head -20 file',
    'pytest | head -$N',
    'pytest | sort -n -h',
    'pytest | cut -f0',
    "pytest | sed 's/x/y/'",
    'while pytest | head -1; do true; done',
    'echo $(pytest)',
  ])
    assert.match(of(script), /^\? \?/, script);
  assert.match(
    of('pytest | head -20', ['pytest'], () => false),
    /^\? \?/,
    'another head',
  );
  assert.equal(of('pytest | head -20', ['vitest', 'pytest']), '0 20 apart');
  assert.deepEqual(scriptBounds('pytest | head -20', { stopped: new Set(['hook']), ran: () => true }), {});
});
