import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LossReason } from '../../src/core/facts/loss.ts';
import { lossReasonText, lossSizeText, withLossText } from '../../src/core/words/lossText.ts';
import { facts, file, loss, ran, reasonsOf } from './verdictFacts.ts';

const commits = { count: 4, isCut: false, subjects: ['One', 'Two', 'Three'] };
const told = '“One”, “Two”, “Three” …';

/** One reason of each kind, and its clause. */
const samples: { readonly [K in LossReason['kind']]: readonly [Omit<LossReason & { kind: K }, 'kind'>, string] } = {
  modified: [{}, 'modified and not committed'],
  untracked: [{}, 'untracked'],
  ignored: [{}, 'ignored by git, and nothing says how to make it again'],
  leftover: [{}, 'ignored by git, of a kind that programs write as they run'],
  staged: [{}, 'staged, not committed'],
  stagedInDeleted: [{}, 'staged only, in a repository that is deleted too'],
  stagedVersion: [{}, 'a staged version that nothing else has'],
  elsewhereInGit: [{}, 'not in HEAD, but git has this content'],
  madeByTool: [{}, 'made by a tool'],
  pushed: [{}, 'committed and pushed'],
  committedHere: [{}, 'committed, only in this repository'],
  committedInDeleted: [{}, 'committed, but on no remote, and the repository is deleted too'],
  outsideRepository: [{}, 'outside any git repository'],
  allOnRemote: [{}, 'the repository; every commit is on a remote'],
  packedWhole: [{}, 'the repository, all of which the action packs before'],
  allInFile: [{}, 'the repository; every commit is in a file that the action writes'],
  allInFiles: [{}, 'the repository; every commit is in files that the action writes'],
  allBeside: [{}, 'the repository; every commit is in another one beside it'],
  gitFailed: [{ failure: 'git took too long' }, 'it is not known whether git has it: git took too long'],
  filtered: [{ filter: 'crypt' }, 'it is not known whether git has it: the filter `crypt` decides what it keeps of it'],
  otherName: [{ of: '/w/notes.txt' }, 'another name of notes.txt, whose content is lost once'],
  makerLost: [{ from: '/w/package.json' }, 'made from package.json, which is lost too'],
  unreachable: [
    { commits, replacedBy: 0, inFiles: true },
    `4 commits on no other branch, tag or remote: ${told}; what they changed is still in the files`,
  ],
  unreachableOfMore: [{ commits, names: 2 }, `4 commits of 2 more names on nothing else: ${told}`],
  onNoRemote: [{ commits, hasRemote: false }, `4 commits in a repository without a remote: ${told}`],
  unreadableRepository: [{ failure: 'no HEAD' }, 'a repository whose commits could not be read: no HEAD'],
  onlyLogged: [{ commits: { ...commits, isCut: true } }, `4 or more commits that only the reflog kept: ${told}`],
  stashed: [{ message: 'half done' }, 'stashed changes: “half done”'],
};

test('each reason of a loss has its clause', () => {
  for (const [kind, [data, text]] of Object.entries(samples))
    assert.equal(lossReasonText({ kind, ...data } as LossReason), text);
});

test('commits that are replaced are not said to be in the files', () => {
  const reason: LossReason = { kind: 'unreachable', commits, replacedBy: 1, inFiles: true };
  assert.equal(lossReasonText(reason), `4 commits on no other branch, tag or remote, replaced by 1 new one: ${told}`);
});

test('what else is known of a loss follows its reason', () => {
  const because = { kind: 'elsewhereInGit' } as const;
  const loss = { path: '/w/a', class: 'unsaved', because, recovery: { kind: 'editor' }, sizeBytes: 1 } as const;
  assert.equal(
    withLossText({ ...loss, isCopyRemoved: true, isOpenUnsaved: true }).why,
    'not in HEAD, but git has this content, and git’s copy is removed too; open in an editor with unsaved changes',
  );
});

test('where every line stands elsewhere, only their order is called lost', () => {
  assert.equal(lossSizeText({ lines: 0, sizeBytes: 98 }), 'only the order of its lines');
  const sorted = (lines: number | undefined) =>
    reasonsOf(
      facts('sort -o a a', {
        programs: [ran('sort -o a a')],
        files: [file('a', 'modified')],
        loss: [loss('a', { going: 'edited', ...(lines === undefined ? {} : { lines }) })],
      }),
    );
  assert.deepEqual(sorted(0), ['Edits 1 file, of which only the order of the lines is lost.']);
  assert.deepEqual(sorted(2), ['Edits 1 file with 2 uncommitted lines that exist nowhere else.']);
  assert.deepEqual(sorted(undefined), ['Edits 1 file with 100 B that exists nowhere else.']);
});

test('a reason that several repositories share is said once', () => {
  const packed = (path: string) =>
    loss(path, {
      class: 'commits',
      because: { kind: 'packedWhole' },
      recovery: { kind: 'file', file: '/b.tgz', format: 'tar' },
    });
  const [said] = reasonsOf(facts('tar cz . && rm -rf x', { loss: [packed('x/.git'), packed('x/.git/modules/y')] }));
  assert.equal(said?.split('all of which').length, 2, said);
});
