import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Comparison,
  compare,
  type NodeState,
  type RealRun,
  type Truth,
  textDifference,
} from '../truth/compare.ts';
import { emptyLists, type PredictedFile, type PredictionJson } from '../truth/prediction.ts';

// The comparer is what all numbers rest on: each test feeds it one prediction that is wrong in one way.

const file = (sha256: string, more: Partial<NodeState> = {}): NodeState => ({
  type: 'file',
  mode: 0o644,
  uid: 1000,
  gid: 1000,
  sizeBytes: 3,
  sha256,
  ...more,
});
const folder: NodeState = { type: 'directory', mode: 0o755, uid: 1000, gid: 1000, sizeBytes: 4096 };

const before = new Map<string, NodeState>([
  ['a', file('aa')],
  ['dir', folder],
  ['dir/x', file('xx')],
  ['.git/index', file('i1')],
]);

function run(changes: Record<string, NodeState | null> = {}, more: Partial<RealRun> = {}): RealRun {
  return {
    stdout: Buffer.from('out\n'),
    stderr: Buffer.alloc(0),
    exitCode: 0,
    changes: new Map(Object.entries(changes)),
    ...more,
  };
}

function truthOf(first: RealRun, second: RealRun = first): Truth {
  return { root: '/w', before, runs: [first, second] };
}

function prediction(more: Partial<PredictionJson> = {}): PredictionJson {
  return {
    ...emptyLists(),
    version: 1,
    engine: 'confined',
    ending: 'done',
    exitCode: 0,
    exitBasis: 'rehearsed',
    output: [{ stream: 'stdout', text: 'out\n', basis: 'rehearsed' }],
    ...more,
  };
}

function claim(path: string, change: PredictedFile['change'], more: Partial<PredictedFile> = {}): PredictedFile {
  return {
    path: `/w/${path}`,
    change,
    type: 'file',
    mode: '0644',
    sizeBytes: 3,
    sha256: 'nn',
    basis: 'rehearsed',
    ...more,
  };
}

function parts(comparison: Comparison): string[] {
  return comparison.differences.map((difference) => difference.part);
}

describe('what is right', () => {
  test('a prediction that says what happens is exact', () => {
    const truth = truthOf(run({ a: null, b: file('nn'), dir: { ...folder, mode: 0o700 } }));
    const files = [
      claim('a', 'deleted'),
      claim('b', 'created'),
      claim('dir', 'mode', { type: 'directory', mode: '0700', sizeBytes: 0 }),
    ];
    assert.deepEqual(compare(prediction({ files }), truth), {
      outcome: 'exact',
      reason: '',
      differences: [],
      volatileParts: [],
    });
  });

  test('a renamed directory takes along what is in it', () => {
    const truth = truthOf(run({ dir: null, 'dir/x': null, moved: folder, 'moved/x': file('xx') }));
    const files = [claim('moved', 'renamed', { from: '/w/dir', type: 'directory', mode: '0755' })];
    assert.equal(compare(prediction({ files }), truth).outcome, 'exact');
  });

  test('output that is not UTF-8 is compared as bytes', () => {
    const bytes = Buffer.from([0xff, 0x0a]);
    const output = [{ stream: 'stdout' as const, base64: bytes.toString('base64'), basis: 'rehearsed' }];
    assert.equal(compare(prediction({ output }), truthOf(run({}, { stdout: bytes }))).outcome, 'exact');
  });

  test('a name that is not UTF-8 is found again', () => {
    const truth = truthOf(run({ 'caf\xe9': file('nn') }));
    assert.equal(compare(prediction({ files: [claim('caf\ufffd', 'created')] }), truth).outcome, 'exact');
  });

  test("the bytes of git's index are no claim, that it changed is one", () => {
    const truth = truthOf(run({ '.git/index': file('i2') }), run({ '.git/index': file('i3') }));
    const files = [claim('.git/index', 'modified', { sha256: 'i4', volatile: true })];
    assert.equal(compare(prediction({ files }), truth).outcome, 'exact');
    assert.deepEqual(parts(compare(prediction(), truth)), ['file']);
    // In the second in which files were staged git does not see that they were changed.
    assert.equal(compare(prediction(), truthOf(run({ '.git/index': file('i2') }), run())).outcome, 'exact');
    const smaller = [claim('.git/index', 'modified', { sizeBytes: 2 })];
    assert.deepEqual(parts(compare(prediction({ files: smaller }), truth)), ['file']);
  });
});

describe('what is not claimed', () => {
  test('an abstained prediction is neither right nor wrong', () => {
    const comparison = compare(prediction({ ending: 'abstained', reason: 'npm', exitCode: 9 }), truthOf(run()));
    assert.deepEqual([comparison.outcome, comparison.reason], ['abstained', 'abstained: npm']);
  });

  test('a part that is marked volatile is not compared, everything else is', () => {
    const output = [{ stream: 'stdout' as const, text: 'other\n', basis: 'rehearsed', volatile: true }];
    assert.equal(compare(prediction({ output }), truthOf(run())).outcome, 'volatile');
    assert.equal(compare(prediction({ output, exitCode: 1 }), truthOf(run())).outcome, 'wrong');
  });

  test('a random name that was predicted volatile stands for the real one', () => {
    const truth = truthOf(run({ 'dir/tmp.1': file('nn') }), run({ 'dir/tmp.2': file('nn') }));
    const files = [claim('dir/tmp.9', 'created', { volatile: true })];
    assert.equal(compare(prediction({ files }), truth).outcome, 'volatile');
    const elsewhere = [claim('tmp.9', 'created', { volatile: true })];
    assert.equal(compare(prediction({ files: elsewhere }), truthOf(run({ 'dir/y': file('nn') }))).outcome, 'wrong');
  });

  test('so does one of git’s objects, whichever folder its digits lead to', () => {
    const made = (name: string) => run({ [`r/.git/objects/${name}`]: file('nn') });
    const files = [claim('r/.git/objects/58/d09c', 'created', { volatile: true })];
    assert.equal(compare(prediction({ files }), truthOf(made('d1/f725'), made('d2/e0ff'))).outcome, 'volatile');
    const always = truthOf(made('d1/f725'), made('d1/f725'));
    assert.equal(compare(prediction({ files: [] }), always).outcome, 'wrong');
    // Of two runs one may need a folder that is not there yet.
    const folder = { ...file('nn'), type: 'directory' as const };
    const withFolder = run({ 'r/.git/objects/43': folder, 'r/.git/objects/43/beef': file('nn') });
    assert.equal(compare(prediction({ files }), truthOf(withFolder, made('d2/e0ff'))).outcome, 'volatile');
  });

  test('a volatile file does not excuse a neighbour that is always made', () => {
    const truth = truthOf(run({ 'dir/log': file('l1'), 'dir/always': file('nn') }));
    const files = [claim('dir/log', 'created', { volatile: true })];
    assert.deepEqual(parts(compare(prediction({ files }), truth)), ['file']);
  });
});

describe('what is wrong is found', () => {
  const wrong: [string, PredictionJson, Truth, string[]][] = [
    ['other output', prediction(), truthOf(run({}, { stdout: Buffer.from('Out\n') })), ['stdout']],
    ['missing end of line', prediction(), truthOf(run({}, { stdout: Buffer.from('out') })), ['stdout']],
    ['silent error', prediction(), truthOf(run({}, { stderr: Buffer.from('no\n') })), ['stderr']],
    ['other exit code', prediction(), truthOf(run({}, { exitCode: 1 })), ['exit']],
    ['no exit code', prediction({ exitCode: undefined }), truthOf(run()), ['exit']],
    [
      'output that varies, not marked',
      prediction(),
      truthOf(run({}, { stdout: Buffer.from('1\n') }), run({}, { stdout: Buffer.from('2\n') })),
      ['stdout'],
    ],
    ['deletion not predicted', prediction(), truthOf(run({ a: null })), ['file']],
    ['creation not predicted', prediction(), truthOf(run({ b: file('nn') })), ['file']],
    ['mode not predicted', prediction(), truthOf(run({ a: file('aa', { mode: 0o600 }) })), ['file']],
    ['owner not predicted', prediction(), truthOf(run({ a: file('aa', { uid: 0 }) })), ['file']],
    ['deletion that does not happen', prediction({ files: [claim('a', 'deleted')] }), truthOf(run()), ['file']],
    ['creation that does not happen', prediction({ files: [claim('b', 'created')] }), truthOf(run()), ['file']],
    ['other bytes', prediction({ files: [claim('b', 'created')] }), truthOf(run({ b: file('oo') })), ['file']],
    [
      'no hash',
      prediction({ files: [claim('b', 'created', { sha256: undefined })] }),
      truthOf(run({ b: file('nn') })),
      ['file'],
    ],
    [
      'other mode',
      prediction({ files: [claim('b', 'created')] }),
      truthOf(run({ b: file('nn', { mode: 0o600 }) })),
      ['file'],
    ],
    [
      'other size',
      prediction({ files: [claim('b', 'created')] }),
      truthOf(run({ b: file('nn', { sizeBytes: 4 }) })),
      ['file'],
    ],
    ['other kind', prediction({ files: [claim('b', 'created')] }), truthOf(run({ b: folder })), ['file']],
    [
      'other target',
      prediction({ files: [claim('b', 'created', { type: 'symlink', target: 'x' })] }),
      truthOf(run({ b: { type: 'symlink', mode: 0o777, uid: 1, gid: 1, sizeBytes: 1, target: 'y' } })),
      ['file'],
    ],
    [
      'created, but it exists',
      prediction({ files: [claim('a', 'created')] }),
      truthOf(run({ a: file('nn') })),
      ['file'],
    ],
    [
      'modified, but it is new',
      prediction({ files: [claim('b', 'modified')] }),
      truthOf(run({ b: file('nn') })),
      ['file'],
    ],
    [
      'only part of a deleted directory',
      prediction({ files: [claim('dir', 'deleted', { type: 'directory' })] }),
      truthOf(run({ dir: null, 'dir/x': null })),
      ['file'],
    ],
    [
      'a change outside of what is compared',
      prediction({ files: [claim('a', 'created', { path: '/etc/new' })] }),
      truthOf(run()),
      ['file'],
    ],
    [
      'imagined output in a prediction that is done',
      prediction({ output: [{ stream: 'stdout', text: 'out\n', basis: 'imagined' }] }),
      truthOf(run()),
      ['basis'],
    ],
    ['assumed exit code in a prediction that is done', prediction({ exitBasis: 'assumed' }), truthOf(run()), ['basis']],
    [
      'an assumed file',
      prediction({ files: [claim('b', 'created', { basis: 'assumed' })] }),
      truthOf(run({ b: file('nn') })),
      ['basis'],
    ],
  ];
  for (const [name, predicted, truth, expected] of wrong) {
    test(name, () => {
      const comparison = compare(predicted, truth);
      assert.equal(comparison.outcome, 'wrong');
      assert.deepEqual(parts(comparison), expected);
    });
  }
});

test('a difference names the first line that differs', () => {
  assert.match(textDifference(Buffer.from('a\nb\n'), Buffer.from('a\nc\n')), /^line 2: predicted "b", really "c"/);
  assert.match(textDifference(Buffer.from('a'), Buffer.from('a\nb')), /^line 2: predicted nothing, really "b"/);
});
