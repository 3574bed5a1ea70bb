import type { Attempt } from '../attempt.ts';

/** A repository, or a configuration, that makes git start foreign programs. The gate is closed. */
const attempts: [string, string, string[]?][] = [
  ['core.pager', 'git config core.pager "$EVIL"; script -qc "git log" /dev/null', ['script']],
  ['GIT_PAGER', 'GIT_PAGER="$EVIL" script -qc "git log" /dev/null', ['script']],
  ['core.fsmonitor', 'git -c core.fsmonitor="$EVIL" status'],
  ['core.fsmonitor in the repository', 'git config core.fsmonitor "$EVIL"; git status'],
  ['hook', 'cp "$EVIL" .git/hooks/pre-commit; git commit -qam x'],
  [
    'hook written in sh',
    'printf "#!/bin/sh\\n$EVIL\\n" > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout; git checkout -q -b new',
  ],
  ['core.hooksPath', 'mkdir h; cp "$EVIL" h/post-index-change; git -c core.hooksPath=h add a'],
  ['reference-transaction hook', 'cp "$EVIL" .git/hooks/reference-transaction; git branch x'],
  ['alias', 'git -c alias.x="!$EVIL" x'],
  ['alias from the environment', 'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.st GIT_CONFIG_VALUE_0="!$EVIL" git st'],
  ['clean filter', 'echo "* filter=x" > .gitattributes; git config filter.x.clean "$EVIL"; git add a'],
  [
    'clean filter by status',
    'echo "* filter=x" > .gitattributes; git config filter.x.clean "$EVIL"; touch -d 2001-01-01 a; git status',
  ],
  ['smudge filter', 'echo "* filter=x" > .gitattributes; git config filter.x.smudge "$EVIL"; rm a; git checkout a'],
  ['process filter', 'echo "* filter=x" > .gitattributes; git config filter.x.process "$EVIL"; git add a'],
  ['textconv', 'echo "* diff=x" > .gitattributes; git config diff.x.textconv "$EVIL"; git diff'],
  ['diff.external', 'git -c diff.external="$EVIL" diff'],
  ['diff driver', 'echo "* diff=x" > .gitattributes; git config diff.x.command "$EVIL"; git diff'],
  ['GIT_EXTERNAL_DIFF', 'GIT_EXTERNAL_DIFF="$EVIL" git diff'],
  [
    'merge driver',
    'git stash -q; echo "* merge=x" > .git/info/attributes; git config merge.x.driver "$EVIL %A"; git checkout -q -b o; echo 1 > a; git commit -qam 1; git checkout -q main; echo 2 > a; git commit -qam 2; git merge o',
  ],
  [
    'credential helper',
    'printf "protocol=https\\nhost=x.invalid\\n" | git -c credential.helper="!$EVIL" credential fill < /dev/stdin',
  ],
  ['GIT_ASKPASS', 'printf "protocol=https\\nhost=x.invalid\\n\\n" | GIT_ASKPASS="$EVIL" git credential fill'],
  ['gpg.program', 'git -c gpg.program="$EVIL" commit -qS --allow-empty -m x'],
  ['include.path', 'printf "[alias]\\n\\tx = !$EVIL\\n" > inc; git config include.path ../inc; git x'],
  ['includeIf', 'printf "[alias]\\n\\tx = !$EVIL\\n" > inc; git config includeIf.gitdir:$PWD/.git.path ../inc; git x'],
  ['core.sshCommand', 'git -c core.sshCommand="$EVIL" ls-remote ssh://x.invalid/y'],
  ['GIT_SSH', 'GIT_SSH="$EVIL" git ls-remote x.invalid:y'],
  ['core.gitProxy', 'git -c core.gitProxy="$EVIL" ls-remote git://x.invalid/y'],
  ['core.editor', 'git -c core.editor="$EVIL" commit -a'],
  ['sequence.editor', 'git stash -q; git -c sequence.editor="$EVIL" rebase -i --root'],
  ['rebase --exec', 'git stash -q; git rebase --root --exec "$EVIL"'],
  [
    'bisect run',
    'git stash -q; git commit -q --allow-empty -m 2; git commit -q --allow-empty -m 3; git bisect start HEAD HEAD~2 --; git bisect run "$EVIL"',
  ],
  [
    'filter-branch',
    'FILTER_BRANCH_SQUELCH_WARNING=1 git stash -q; FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --msg-filter "$EVIL" HEAD',
  ],
  ['difftool', 'git difftool -y -x "$EVIL"'],
  [
    'mergetool',
    'git stash -q; git checkout -q -b o; echo 1 > a; git commit -qam 1; git checkout -q main; echo 2 > a; git commit -qam 2; git merge -q o; git -c mergetool.x.cmd="$EVIL" mergetool -y -t x',
  ],
  ['upload-pack', 'git ls-remote --upload-pack="$EVIL" .'],
  ['receive-pack', 'git push --receive-pack="$EVIL" . main:x'],
  ['ext transport', 'git -c protocol.ext.allow=always ls-remote "ext::$EVIL"'],
  ['grep -O', 'git grep -O"$EVIL" first'],
  ['archive command', 'git -c tar.x.command="$EVIL" archive --format=x HEAD'],
  ['trailer command', 'git -c trailer.x.command="$EVIL" interpret-trailers --trailer x=1 < a'],
  ['helper in PATH', 'mkdir bin; cp "$EVIL" bin/git-x; PATH=$PWD/bin:$PATH git x'],
  ['GIT_EXEC_PATH', 'mkdir bin; cp "$EVIL" bin/git-x; GIT_EXEC_PATH=$PWD/bin git x'],
  ['help viewer', 'git -c man.x.cmd="$EVIL" help -m status; git -c man.viewer=x -c man.x.cmd="$EVIL" help status'],
  [
    'template hooks',
    'mkdir -p t/hooks; cp "$EVIL" t/hooks/post-checkout; git clone -q --no-hardlinks --template=$PWD/t . c',
  ],
  [
    'worktree configuration',
    'git config extensions.worktreeConfig true; git config --worktree core.fsmonitor "$EVIL"; git status',
  ],
  [
    'uploadpack.packObjectsHook',
    'printf "[uploadpack]\n\tpackObjectsHook = $EVIL\n" >> "$HOME/.gitconfig"; git clone -q --no-local . c',
  ],
  [
    'ssh signing program',
    'git -c gpg.format=ssh -c user.signingKey=a -c gpg.ssh.program="$EVIL" commit -qS --allow-empty -m x',
  ],
  ['remote helper', 'mkdir bin; cp "$EVIL" bin/git-remote-x; PATH=$PWD/bin:$PATH git ls-remote x::y'],
];

export const gitAttempts: Attempt[] = attempts.map(([name, script, needs]) => ({
  name: `git: ${name}`,
  script,
  gate: 'closed',
  proof: 'foreign',
  ...(needs ? { needs } : {}),
}));
