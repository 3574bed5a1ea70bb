import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Effect } from '../../src/core/facts/effect.ts';
import type { GitFact } from '../../src/core/facts/gitFact.ts';
import type { FoundLoss, LossReason } from '../../src/core/facts/loss.ts';
import type { Recovery } from '../../src/core/facts/recovery.ts';
import type { Facts } from '../../src/core/verdict/facts.ts';
import { headlineOf } from '../../src/core/verdict/headlineOf.ts';
import { staticFacts } from '../../src/core/verdict/staticFacts.ts';
import { judge, worstLevel } from '../../src/core/verdict/verdict.ts';
import { gitFactText } from '../../src/core/words/gitFactText.ts';

// A level never depends on a name, a message or a content: each fixture is judged once with plain words and once with
// words that sound like harm, failure, limits and safety in every place that a user fills.
const loaded = [
  'quota-check',
  'rate-limit-exceeded',
  'deletes-everything',
  'remove-dead-code',
  'force-pruned-hook',
  'permission-denied',
  'lost-for-good',
  'no',
  'yes-from-the-reflog',
  'safe',
  'danger',
  'unreachable',
  'fatal-error-FAILED',
  'rm-rf',
  'DROP-TABLE-users',
  'limit-was-hit',
  'would-be-refused',
  'nothing-is-lost',
] as const;
const home = '/home/me';
const cwd = '/home/me/project';

function around(script: string): Facts {
  return {
    action: { kind: 'command', script, shell: 'bash', cwd },
    workspaceFolders: [cwd],
    home,
    userId: 1000,
    env: { PATH: '/usr/bin:/bin', HOME: home },
    programs: [{ argv: ['true'], cwd, basis: 'rehearsed', exitCode: 0 }],
    files: [],
    effects: [],
    loss: [],
    errors: '',
    exitCode: 0,
  };
}

function levelAndHeadline(facts: Facts): string {
  const risks = judge(facts);
  const level = worstLevel(risks);
  const reasons = risks.map(({ level, fact }) => ({ level, kind: fact.kind }));
  return `${level} ${headlineOf({ level, reasons })}`;
}

/** Judges what `make` gives for a plain word and for every loaded one; all must be judged alike. */
function holdsForEveryWord(name: string, make: (word: string) => Facts): void {
  const plain = levelAndHeadline(make('topic'));
  for (const word of loaded) assert.equal(levelAndHeadline(make(word)), plain, `${name}: ${word}`);
}

const commits = (word: string, count: number) => ({
  count,
  isCut: false,
  subjects: Array(Math.min(count, 3)).fill(word),
});

/** Every kind of fact, with a word in each place that a user fills. A kind that is forgotten here does not compile. */
const facts: { [K in GitFact['kind']]: (word: string) => GitFact[] } = {
  repositoryMade: (w) => [{ kind: 'repositoryMade', place: `/x/${w}` }],
  repositoryDeleted: (w) => [{ kind: 'repositoryDeleted', place: `/x/${w}` }],
  repositoryMoved: (w) => [{ kind: 'repositoryMoved', place: `/x/${w}`, to: `/y/${w}`, replaced: false }],
  worktreesCutOff: (w) => [
    { kind: 'worktreesCutOff', places: [`/x/${w}`] },
    { kind: 'worktreesCutOff', places: [`/x/${w}`, '/x/other'], movedTo: `/y/${w}`, repaired: [`/x/${w}`] },
  ],
  submoduleMovedAway: (w) => [{ kind: 'submoduleMovedAway', place: w, to: w, mend: w }],
  secretsTracked: (w) => [{ kind: 'secretsTracked', paths: [w] }],
  submodulesCutOff: (w) => [{ kind: 'submodulesCutOff', places: [`/x/${w}`], mend: `echo ${w}` }],
  refCreated: (w) => [
    { kind: 'refCreated', ref: `refs/heads/${w}`, at: '1a2b3c4d5e', added: commits(w, 2) },
    { kind: 'refCreated', ref: `refs/tags/${w}`, added: commits(w, 0) },
  ],
  refDeleted: (w) => [{ kind: 'refDeleted', ref: `refs/heads/${w}`, was: '1a2b3c4d5e', lost: commits(w, 1) }],
  refMoved: (w) => [
    { kind: 'refMoved', ref: `refs/heads/${w}`, from: 'a1', to: 'b2', dropped: commits(w, 1), added: commits(w, 0) },
    { kind: 'refMoved', ref: `refs/heads/${w}`, from: 'a1', dropped: commits(w, 0), added: commits(w, 3) },
    { kind: 'refMoved', ref: `refs/tags/${w}`, from: 'a1', to: 'b2', dropped: commits(w, 0), added: commits(w, 0) },
  ],
  refRenamed: (w) => [{ kind: 'refRenamed', ref: 'refs/heads/a', to: `refs/heads/${w}` }],
  moreRefs: () => [
    { kind: 'moreRefs', count: 3, gone: 0 },
    { kind: 'moreRefs', count: 3, gone: 1 },
  ],
  headSwitched: (w) => [{ kind: 'headSwitched', from: `refs/heads/${w}`, to: `refs/heads/fix/${w}` }],
  headDetached: (w) => [{ kind: 'headDetached', from: `refs/heads/${w}`, at: 'a1' }],
  stashPut: (w) => [{ kind: 'stashPut', message: w }],
  stashApplied: (w) => [{ kind: 'stashApplied', name: 'stash@{0}', message: w }],
  stashDropped: (w) => [{ kind: 'stashDropped', name: 'stash@{0}', message: w }],
  staged: () => [{ kind: 'staged', count: 2 }],
  unstaged: () => [{ kind: 'unstaged', count: 2 }],
  conflictsLeft: () => [{ kind: 'conflictsLeft', count: 2 }],
  conflictsResolved: () => [{ kind: 'conflictsResolved', count: 2 }],
  settingSet: (w) => [
    { kind: 'settingSet', key: `branch.${w}.remote`, value: w, runs: false },
    { kind: 'settingSet', key: 'core.fsmonitor', value: w, runs: true },
  ],
  settingRemoved: (w) => [{ kind: 'settingRemoved', key: `branch.${w}.remote` }],
  settingsUnreadable: () => [{ kind: 'settingsUnreadable', name: 'config' }],
  hookAdded: (w) => [{ kind: 'hookAdded', name: w, isExecutable: true }],
  hookChanged: (w) => [{ kind: 'hookChanged', name: w, isExecutable: false }],
  hookRemoved: (w) => [{ kind: 'hookRemoved', name: w }],
  unfinishedBegun: () => [{ kind: 'unfinishedBegun', what: 'a merge' }],
  unfinishedEnded: () => [{ kind: 'unfinishedEnded', what: 'a merge' }],
  worktreeAdded: (w) => [{ kind: 'worktreeAdded', name: w }],
  worktreeRemoved: (w) => [{ kind: 'worktreeRemoved', name: w }],
  objectsPacked: () => [{ kind: 'objectsPacked' }],
  objectsRemoved: () => [{ kind: 'objectsRemoved', count: 2, commits: 1, recent: 0 }],
  neededRemoved: () => [{ kind: 'neededRemoved', count: 2, commits: 1 }],
  broken: (w) => [{ kind: 'broken', failure: `git said “${w}”`, mend: w }],
  packsRemoved: () => [{ kind: 'packsRemoved' }],
  recordsByHand: (w) => [{ kind: 'recordsByHand', count: 1, first: `refs/heads/${w}` }],
  unreadable: (w) => [{ kind: 'unreadable', failure: `git said “${w}”` }],
};

for (const [kind, make] of Object.entries(facts)) {
  test(`the level of ${kind} does not depend on names`, () => {
    make('topic').forEach((_, index) => {
      holdsForEveryWord(`${kind} ${index}`, (word) => {
        const git = make(word)[index];
        assert.ok(git);
        const fact = { ...git, worktree: word, repository: `/x/${word}` };
        return {
          ...around('true'),
          effects: [{ effect: 'git', detail: gitFactText(fact), basis: 'rehearsed', git: fact }],
        };
      });
    });
  });
}

test('the level of other effects does not depend on what they name', () => {
  const kinds = ['network', 'process', 'signal', 'waits', 'device', 'outside-workspace', 'timestamp', 'other'] as const;
  for (const effect of kinds) {
    holdsForEveryWord(effect, (word) => {
      const one: Effect = { effect, detail: `would connect to ${word}:80 (${word})`, basis: 'rehearsed' };
      return { ...around('true'), effects: [one] };
    });
  }
});

test('the level of a loss does not depend on its path, its reason, or the words of its way back', () => {
  const recoveries = (w: string): Recovery[] => [
    { kind: 'none' },
    { kind: 'gitName', holder: `branch ${w}`, command: `git checkout ${w}` },
    { kind: 'remote', address: `https://example.org/${w}.git`, by: 'clone' },
    { kind: 'linkTarget', target: w },
    { kind: 'file', file: `/x/${w}` },
    { kind: 'reflog', commit: 'a1' },
  ];
  const reasonOf = (lossClass: FoundLoss['class'], word: string): LossReason => {
    if (lossClass === 'stash') return { kind: 'stashed', message: word };
    if (lossClass === 'unknown') return { kind: 'gitFailed', failure: word };
    if (lossClass !== 'commits') return { kind: 'makerLost', from: `/x/${word}` };
    const commits = { count: 2, isCut: false, subjects: [word, `${word} again`] };
    return { kind: 'unreachable', commits, replacedBy: 0, inFiles: false };
  };
  const classes: FoundLoss['class'][] = [
    'untracked',
    'ignored',
    'leftover',
    'modified',
    'commits',
    'stash',
    'index',
    'unknown',
  ];
  for (const lossClass of classes) {
    for (const going of ['deleted', 'replaced', 'edited'] as const) {
      recoveries('').forEach((_, index) => {
        for (const sizeBytes of [12, 4000]) {
          holdsForEveryWord(`${lossClass} ${going} ${index} ${sizeBytes}`, (word) => {
            const recovery = recoveries(word)[index] ?? { kind: 'none' };
            const path = `${cwd}/src/${word}.txt`;
            const because = reasonOf(lossClass, word);
            const loss: FoundLoss = { path, class: lossClass, because, recovery, going, sizeBytes };
            if (lossClass === 'commits') loss.commits = { count: 2, replacedBy: 0, inFiles: false };
            return { ...around('true'), loss: [loss] };
          });
        }
      });
    }
  }
});

test('what programs print and read is never read', () => {
  for (const exitCode of [0, 1, 129]) {
    holdsForEveryWord(`exit code ${exitCode}`, (word) => {
      const text = `${word.replaceAll('-', ' ')}\nPermission denied\nOperation not permitted\n`;
      const programs = [{ argv: ['cat', 'x'], cwd, basis: 'rehearsed' as const, exitCode }];
      return { ...around('cat x'), programs, exitCode, errors: word === 'topic' ? 'x\n' : text };
    });
  }
});

// In these places of a command stands what a user makes up. `§` is replaced.
const everyday = [
  'git branch §',
  'git switch -c §',
  'git switch -c fix/§',
  'git checkout -b §',
  'git tag §',
  'git tag -a v1 -m "§"',
  'git commit -m "§"',
  'git commit -am "fix: §"',
  "git commit --message='§'",
  'git stash push -m "§"',
  'git log --grep="§"',
  'git log --author=§',
  'git show §',
  'git diff § -- src',
  'git merge §',
  'git push origin §',
  'git push -u origin feature/§',
  'git fetch origin §',
  'git remote add § https://example.org/x.git',
  'git worktree add ../§',
  'git config user.name "§"',
  'touch §.md',
  'mkdir -p docs/§',
  'echo "§"',
  'echo "§" > notes.txt',
  'printf "%s\\n" "§"',
  'cat §.txt',
  'head -n 3 §.txt',
  'grep -rn "§" src',
  'rg "§"',
  'find . -name "§*"',
  'ls §',
  'wc -l §.txt',
  'sort §.txt',
  'diff §.txt b.txt',
  'cp a.txt §.txt',
  'mv a.txt §.txt',
  'rm §.txt',
  'rm -rf build/§',
  'sed -n "/§/p" a.txt',
  'sed -i "s/a/§/" a.txt',
  'awk "/§/ {print}" a.txt',
  'tar czf §.tgz src',
  'chmod +x §.sh',
  'curl https://example.org/§',
  'curl -o §.json https://example.org/x',
  'docker ps --filter name=§',
  'docker build -t § .',
  'kubectl get pods -l app=§',
  'NAME=§ true',
  'cd § && ls',
  'for f in §; do echo "$f"; done',
  'python3 -c "print(\'§\')"',
  'node -e "console.log(\'§\')"',
];

for (const template of everyday) {
  test(`the words of a user do not count: ${template}`, () => {
    holdsForEveryWord(template, (word) => {
      const words = word.replaceAll('-', template.includes('"§"') ? ' ' : '-');
      const script = template.replaceAll('§', words);
      const action = { kind: 'command' as const, script, shell: 'bash' as const, cwd };
      return staticFacts({ action, workspaceFolders: [cwd], home, userId: 1000, env: { HOME: home } });
    });
  });
}

/** Replaces in a command what the user makes up: messages, quoted texts, names of branches, and names of plain files. */
function withWord(command: string, word: string): string {
  const message = /((?:-m|--message|--grep|--title|--body|--author)[ =])(["'])[^"'$`\\]*\2/g;
  const quoted = /(\b(?:echo|printf|grep|rg|egrep|ag)(?: -\w+)* )(["'])[\w ]+\2/g;
  const name = /\b(git (?:branch|switch -c|checkout -b|tag|merge) )([\w./-]+)(?=$| *(?:&&|;|\|))/g;
  // A file of one of these kinds is nothing else than that, whatever its name.
  const file =
    /(^|[ '"/])([a-z][a-z0-9_-]*)\.(txt|md|csv|html|css|ts|tsx|js|c|h|go|rs|java|rb|py|png|svg|bak|tmp)(?=$|[ '";|&)])/g;
  // Some names say to a program what a file is.
  const special =
    /^(requirements|authorized_keys|setup|manage|conftest|makefile|dockerfile|index|package|agents|claude|gemini)/i;
  return command
    .replace(message, (_, before: string, quote: string) => `${before}${quote}${word.replaceAll('-', ' ')}${quote}`)
    .replace(quoted, (_, before: string, quote: string) => `${before}${quote}${word}${quote}`)
    .replace(name, (all, before: string, old: string) =>
      /^[-\d]|^(main|master)$/.test(old) ? all : `${before}${word}`,
    )
    .replace(file, (all, before: string, old: string, kind: string) =>
      special.test(old) || /:\/\/|@/.test(command) ? all : `${before}${word}.${kind}`,
    );
}

test('messages, names and paths in the commands of all fixtures do not count', () => {
  const rows = ['votes/commands.jsonl', 'effects/effects.jsonl'].flatMap((file) =>
    readFileSync(`test/fixtures/${file}`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { command: string }).command),
  );
  const golden = readdirSync('test/golden/verdict').flatMap((file) =>
    readFileSync(`test/golden/verdict/${file}`, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' | ').slice(1, -1).join(' | ').replaceAll('\\n', '\n').replaceAll('\\t', '\t')),
  );
  const level = (script: string) => {
    const action = { kind: 'command' as const, script, shell: 'bash' as const, cwd };
    return worstLevel(judge(staticFacts({ action, workspaceFolders: [cwd], home, userId: 1000, env: { HOME: home } })));
  };
  const differing: string[] = [];
  let replaced = 0;
  [...rows, ...golden].forEach((command, index) => {
    // Each command gets a third of the words.
    for (let at = index % 3; at < loaded.length; at += 3) {
      const other = withWord(command, loaded[at] ?? '');
      if (other === command) return;
      replaced++;
      if (level(other) !== level(command)) differing.push(`${level(command)} → ${level(other)}: ${command} → ${other}`);
    }
  });
  assert.deepEqual(differing, []);
  assert.ok(replaced > 1000, `${replaced} commands had a place for a user's word`);
});
