import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RiskFact, type RiskFactOf, RiskKind } from '../../src/core/facts/risk.ts';
import { evidenceText, riskText } from '../../src/core/words/riskText.ts';

const amount = { files: 2, lines: 0, sizeBytes: 2_900, isUncommitted: true };
const back = { kind: 'commit', commit: '1a2b3c4d5e6f' } as const;
const connects = { effect: 'network', detail: 'would connect to tcp 1.2.3.4:80' } as const;

/** One fact of each kind, and its sentence. */
const samples: { readonly [K in RiskKind]: readonly [Omit<RiskFactOf<K>, 'kind'>, string] } = {
  fails: [
    { failure: { of: 'command', program: { argv: ['cat', 'x'] }, exitCode: 1, said: 'cat: x: No such file' } },
    '`cat x` fails with exit code 1: cat: x: No such file.',
  ],
  incomplete: [{}, 'Not everything could be predicted: a language model imagined a part of it.'],
  workLost: [
    { of: 'stash', name: 'stash@{0}', because: { kind: 'stashed', message: 'm' } },
    'Loses the stashed work stash@{0}, for good.',
  ],
  workTakenAway: [
    { because: [{ kind: 'allOnRemote' }, { kind: 'stashed', message: 'half' }], recovery: back },
    'Takes away the repository; every commit is on a remote; stashed changes: “half”; they can be brought back from commit 1a2b3c4d5e.',
  ],
  filesLost: [
    { going: 'replaced', amount, isNowhere: false },
    'Overwrites 2 files with 2.9 kB that exist nowhere else.',
  ],
  ownLogsLost: [{ amount }, 'Deletes 2 files with 2.9 kB of old logs, as the program that keeps them does by itself.'],
  temporaryFilesLost: [{ amount }, 'Deletes or overwrites 2 files with 2.9 kB in the temporary folder.'],
  filesTakenAway: [
    { going: 'deleted', amount, recovery: back },
    'Deletes 2 files with 2.9 kB that can be brought back from commit 1a2b3c4d5e.',
  ],
  filesPacked: [
    { amount, recovery: { kind: 'file', file: '/w/a.gz', format: 'gzip' } },
    'Deletes or overwrites 2 files with 2.9 kB that can be brought back from /w/a.gz, which holds it.',
  ],
  builtFilesLost: [
    { amount: { ...amount, files: 1, lines: 1 } },
    'Deletes 1 file with 1 uncommitted line that can be built again.',
  ],
  otherSpelling: [
    { written: 'Src', real: '/w/src', folder: '/w', because: 'spelling', listedAt: ['/w/src'] },
    '`Src` is `src` (this file system takes both names for one): that is what would be destroyed.',
  ],
  placeChanged: [{ place: 'system', files: 1_200, folders: 1 }, 'Changes 1,199 files and 1 folder of the system.'],
  runsAsOwner: [{ files: 1 }, 'Makes 1 file run with the rights of the owner.'],
  closedToOwner: [
    { files: 3, folders: 1, wayBack: 'chmod -R u+rX src' },
    'Leaves 2 files and 1 folder closed even to their owner; `chmod -R u+rX src` opens them again.',
  ],
  writableByAll: [{ files: 2, folders: 2 }, 'Lets everybody on this machine write 2 folders.'],
  effect: [{ effect: connects }, 'Would connect to tcp 1.2.3.4:80.'],
  moreEffects: [{ effect: 'network', count: 3 }, 'And 3 more effects of the kind network.'],
  limit: [{ limit: 'disk' }, 'Writes more than a rehearsal may: it could fill the disk.'],
  newErrors: [
    { files: 1, first: { message: 'Unexpected token', line: 3 } },
    'Leaves 1 file with a syntax error: Unexpected token (line 3).',
  ],
  secretWritten: [{ secrets: ['an AWS key'], files: 1 }, 'Writes what looks like a secret (an AWS key) into 1 file.'],
  editMarked: [{ mark: 'readOnly', files: 1 }, 'Writes 1 file marked as read-only.'],
  changedMeanwhile: [{ path: '/w/a' }, '/w/a was changed since it was read; the edit was made for other contents.'],
  program: [
    { head: 'docker rm', says: 'deletes `a`', usesNetwork: false, outcome: 'failed' },
    '`docker rm` deletes `a` (it failed here).',
  ],
  forwardPush: [
    { head: 'git push -f' },
    '`git push -f` sends commits to the remote; as far as was fetched it takes none away.',
  ],
  unknown: [
    { argv: ['x', 'y'], wasStopped: true },
    '`x y` was not run, and is not known to Foretell: it may do anything that you may.',
  ],
  unknownDestroys: [
    { argv: ['x', 'delete'] },
    '`x delete` is not known to Foretell, and its words ask to delete or stop something.',
  ],
  unknownRan: [{ argv: ['x'] }, '`x` is not known to Foretell; what it did here is shown.'],
  answeredThen: [
    { argv: ['curl', '-s', 'http://localhost:8080/'], to: 8080, at: '2026-01-02T03:04:00' },
    "What `curl -s http://localhost:8080/` prints is what this machine's own server on port 8080 said at 2026-01-02 03:04; it may say something else later.",
  ],
  unknownElsewhere: [
    { argv: ['x'] },
    '`x` is not known to Foretell; it was not started here, and may be another time.',
  ],
  outOfPlace: [{ file: './ls' }, 'Runs ./ls, a program of its own place that only has the name of a known one.'],
  openProgram: [{ argv: ['$X', '-rf'], open: ['$X'] }, 'Which program `$X -rf` starts is only known when it runs.'],
  variableRuns: [{ name: 'LD_PRELOAD' }, 'Sets LD_PRELOAD, which decides what code other programs run.'],
  pathOfOthers: [{}, 'Puts programs of a place that others can write before those of the system.'],
  code: [{ language: 'python', deed: 'runs', script: 'rm  -rf a' }, 'The python code runs `rm -rf a`.'],
  runsOutput: [{ does: 'fetches', argv: ['curl', 'x'] }, 'Runs code that `curl x` fetches.'],
  runsDownload: [{ file: 'a.sh', argv: ['curl', 'x'] }, 'Runs a.sh, which `curl x` fetches before.'],
  runsUnread: [{ file: 'a.sh' }, 'Runs the commands in a.sh, which were not read.'],
  overwrites: [{ target: 'a' }, 'Overwrites a, if it is there.'],
  writesPlace: [
    { place: 'startup', target: '~/.bashrc', appends: true },
    'Appends to ~/.bashrc, which is run or read at the next start.',
  ],
  connects: [{ address: '1.2.3.4:80' }, 'Opens a connection to 1.2.3.4:80.'],
  sendsSecret: [{}, 'Reads the environment and talks to the network: keys or passwords could be sent.'],
  readsSecret: [{ path: '~/.ssh/id_rsa' }, 'Reads ~/.ssh/id_rsa, which may hold keys or passwords.'],
  unsetVariable: [
    { name: 'B', isCertain: true, program: 'rm', word: '$B/', becomes: '/', isWide: true },
    '`B` is not set, so `rm` would get `/`.',
  ],
  bomb: [{ name: 'f' }, 'The function `f` starts itself again and again until the machine stops.'],
  historyOff: [{}, 'Turns off the history of the shell: what is typed from then on is not kept.'],
  hiddenCharacters: [
    { characters: ['U+200B'] },
    'Holds characters that nobody sees (U+200B): its words are not what they look like.',
  ],
  unreadableScript: [{ problem: 'A quote is not closed.' }, 'A quote is not closed.'],
  onlyChanges: [
    { created: 4, changed: 0, moved: 0, deleted: 1, folders: { created: 2, changed: 0, moved: 0, deleted: 1 } },
    'Creates 2 files and 2 folders, deletes 1 folder; nothing is lost.',
  ],
  onlyGit: [{ effects: [{ effect: 'git', detail: 'stages 1 file' }] }, 'Stages 1 file.'],
  onlyGitFiles: [{}, 'Changes only files of git; nothing is lost.'],
  onlyTimes: [{}, 'Changes nothing but times of files.'],
  onlyReads: [{}, 'Changes no files; only reads or prints.'],
};

for (const [kind, [data, sentence]] of Object.entries(samples)) {
  test(`the sentence of a risk: ${kind}`, () => {
    const fact = { kind, ...data };
    const read = RiskFact.parse(fact);
    // Nothing that a fact says may get lost on its way to the panel.
    assert.deepEqual(read, fact);
    assert.equal(riskText({ fact: read }), sentence);
  });
}

test('every kind that a fact can have is a kind of JSON', () => {
  assert.deepEqual([...RiskKind.options].sort(), Object.keys(samples).sort());
});

test('what a redirection asked for and did not get is not told as done', () => {
  const asked = RiskFact.parse({
    kind: 'writesPlace',
    place: 'system',
    target: '/etc/hosts',
    appends: false,
    stays: true,
  });
  assert.equal(
    riskText({ fact: asked }),
    'Asks to overwrite /etc/hosts, which belongs to the system (it stays as it is here).',
  );
  assert.equal(
    riskText({ fact: RiskFact.parse({ ...asked, isNew: true }) }),
    'Asks to create /etc/hosts, which belongs to the system (nothing is there here).',
  );
});

test('a reason that holds without the model says so', () => {
  const fact = RiskFact.parse({ kind: 'writableByAll', files: 1 });
  const told = riskText({ fact, withoutModel: true });
  assert.equal(told, 'Without what the model imagined: Lets everybody on this machine write 1 file.');
});

test('evidence is what stands elsewhere in the prediction', () => {
  assert.equal(evidenceText({ kind: 'effect', effect: connects }), 'would connect to tcp 1.2.3.4:80');
  assert.equal(evidenceText({ kind: 'program', argv: ['rm', '-rf', 'a  b'] }), "rm -rf 'a  b'");
  assert.equal(evidenceText({ kind: 'variable', name: 'A', value: 'b' }), 'A=b');
});
