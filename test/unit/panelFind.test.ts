import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSearch, type Place, placeAt, type Sought, searchOn } from '../../media/later/find/findPlaces.ts';

const linesOf = (lines: readonly string[]): Sought => ({
  ...{ count: lines.length, once: false, parts: [] },
  textAt: (index) => lines[index] ?? '',
  placeAt: (line, start, end) => ({ kind: 'output', name: 'predicted', line, start, end }),
});
const pathsOf = (paths: readonly string[]): Sought => ({
  ...{ count: paths.length, once: true, parts: [] },
  textAt: (index) => paths[index] ?? '',
  placeAt: (index) => ({ kind: 'file', path: paths[index] ?? '' }),
});

/** Line by line, all at once. */
function simply(query: string, paths: readonly string[], lines: readonly string[]): Place[] {
  const wanted = query.toLowerCase();
  const places: Place[] = [];
  for (const path of paths) if (path.toLowerCase().includes(wanted)) places.push({ kind: 'file', path });
  for (const [line, text] of lines.entries()) {
    const lower = text.toLowerCase();
    for (let start = lower.indexOf(wanted); start >= 0; start = lower.indexOf(wanted, start + wanted.length)) {
      places.push({ kind: 'output', name: 'predicted', line, start, end: start + wanted.length });
    }
  }
  return places;
}

const paths = Array.from({ length: 12_000 }, (_, index) => `quay/${index % 7}/Buoy${index}-buoy\n${index % 11}`);
const lines = Array.from({ length: 23_456 }, (_, index) => (index % 9 === 0 ? '' : `buoy ${index} BUOY ${index * 7}`));

for (const query of ['buoy', '7', '77', '23455', '0 buoy 0', 'nowhere', 'quay/3']) {
  test(`find: “${query}” in many lines and paths, in slices, is found as line by line`, () => {
    const sought = [pathsOf(paths), linesOf(lines)];
    const expected = simply(query, paths, lines);
    for (const most of [1, 1_000_000, Number.POSITIVE_INFINITY]) {
      // The second and third time the texts are in small letters already.
      const search = createSearch(query, sought);
      let slices = 0;
      for (let before = 0; !search.isWhole; slices++, before = search.count) {
        searchOn(search, most);
        assert.ok(search.count >= before);
        // What is found by now keeps its number.
        if (search.count > 0) assert.deepEqual(placeAt(search, search.count - 1), expected[search.count - 1]);
      }
      assert.equal(slices > 3, most === 1);
      const found = Array.from({ length: search.count }, (_, index) => placeAt(search, index));
      assert.deepEqual(found, expected);
    }
  });
}

test('find: nothing is looked for, and nothing is there', () => {
  for (const search of [createSearch('', [linesOf(lines)]), createSearch('x', []), createSearch('x', [linesOf([])])]) {
    searchOn(search);
    assert.deepEqual([search.isWhole, search.count, placeAt(search, 0)], [true, 0, undefined]);
  }
});
