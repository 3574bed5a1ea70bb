/** A command that destroys something, or nothing, and the level that it deserves where nothing can be run. */
export interface RefusedCase {
  script: string;
  level: 'safe' | 'caution' | 'danger';
  /** What it destroys cannot be found in its words, and nothing may be claimed about it. */
  isUnknown?: true;
  needs?: string;
  /** It never ends: what it would do after its end, which is never run. */
  really?: string;
}

const of = (level: RefusedCase['level'], scripts: readonly string[], more: Partial<RefusedCase> = {}): RefusedCase[] =>
  scripts.map((script) => ({ script, level, ...more }));

/** Files that exist nowhere else are gone. */
const lost = [
  'rm -rf data',
  'rm x.db',
  'rm -r data',
  'rm -f *',
  'rm -f *.db',
  "rm -f '*.db' x.db",
  'rm -f .*n',
  'rm -rf ./data/',
  'cd dash && rm -- "-odd name"',
  'rm data/*.json',
  'rm -rf data/{sub,u.json}',
  'rm other',
  'unlink x.db',
  'shred -u x.db',
  'shred x.db',
  'truncate -s 0 x.db',
  'truncate -s10 .env x.db',
  '> x.db',
  ': > x.db',
  'echo one > .env',
  'printf x >| x.db',
  'cat c.txt > x.db',
  'cp c.txt x.db',
  'cp -f src/b data/u.json',
  'cp c.txt src/b data/; cp c.txt data/u.json',
  'mv c.txt x.db',
  'mv -f data/u.json data/sub/v.json',
  'dd if=/dev/null of=x.db status=none',
  'dd if=c.txt of=.env status=none',
  'echo y | tee x.db',
  'sed -i d x.db',
  'find . -name "*.json" -delete',
  'find . -name "*.json" -exec rm {} +',
  'find . -name "*.json" -execdir rm {} \\;',
  'git reset --hard HEAD~1',
  'find data -type f -exec rm -f {} \\;',
  'find . -name "*.db" -print0 | xargs -0 rm',
  'git clean -fdx',
  'git clean -fd',
  'git clean -qxfd data',
  'git reset --hard',
  'git checkout -- .',
  'git checkout src',
  'git checkout -f',
  'git restore .',
  'git restore -s HEAD~1 src c.txt',
  'git rm -rf src',
  'git stash drop',
  'git stash clear',
  'ln -sf c.txt x.db',
  'ln -f c.txt .env',
  'tar xf old.tar',
  'tar cf x.db src',
  'unzip -qo old.zip',
  'install c.txt x.db',
  'cd data && rm -rf *',
  'cd data; rm -rf *',
  '(cd src); rm -rf data',
  'D=data; rm -rf $D',
  'D=data; rm -rf "$D"/*',
  'for f in data/*.json; do rm "$f"; done',
  'ls | grep db | xargs rm',
  'rm $(ls *.db)',
  'touch new; rm -rf data',
  'echo x > new && rm -rf data',
  'mkdir -p out; cp c.txt out/; rm -f x.db .env',
  'make clean',
  './wipe.sh',
  'sh wipe.sh',
  'bash -c "rm -rf data"',
  'nohup rm -rf data',
  'env A=1 rm x.db',
  'timeout 5 rm -rf data',
  'f() { rm -rf "$1"; }; f data',
  'rsync -a --delete empty/ data/',
  // A home is one wherever it is.
  'rm -rf ~/project',
  'rm -rf "$HOME/project"',
  'cd ~ && rm -r project',
];

/** Nothing that is lost for good, but something changes or may change. */
const harmless = [
  'rm -rf src/deep',
  'rm c.txt',
  'rm -i x.db',
  'cp other twin',
  'mv data moved',
  'mv data moved; rm -rf data',
  'mkdir -p out; cd out; rm -rf *',
  'cp -r data copy && rm -rf data',
  'git rm -q c.txt',
  'git checkout topic -- c.txt',
  'git branch -D topic',
  'git rm -f *',
  'git restore *',
  'git reset --soft HEAD~1',
  'cp -r src src2; rm -rf src; mv src2 src',
  'truncate -s +10 x.db',
];

/** Only read: exact, also where git would refresh its index. */
const readOnly = [
  'git status',
  'git status --short --branch',
  'git diff',
  'git diff --stat HEAD',
  'git describe --always --dirty',
  'git stash list',
  'git show --stat',
  'git log --oneline',
  'git -C src status -s',
  'ls -la; cat c.txt | wc -l',
  'git status; env | grep -c GIT_OPTIONAL',
];

/** What is destroyed depends on what nobody knows. */
const unknown = [
  'touch new; rm -rf "$(cat c.txt)"',
  'touch new; read D; rm -rf "$D"',
  'touch new; cat c.txt | xargs rm -f',
  'touch new; cd "$(cat c.txt)"; rm -rf data',
  'touch new; rm -rf "$NOT_SET"/sub',
];

/** All cases, each once for every identity. */
export const refusedCases: readonly RefusedCase[] = [
  ...of('danger', lost),
  ...of('caution', harmless),
  ...of('safe', readOnly),
  ...of('caution', unknown, { isUnknown: true }),
  ...of('danger', ['while :; do :; done; rm -rf data', 'cat /dev/zero > /dev/null; rm -rf data'], {
    really: 'rm -rf data',
  }),
];
