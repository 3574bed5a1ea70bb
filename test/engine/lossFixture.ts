import { run, throwAway } from './plainLooker.ts';

/** A repository with one file for each way in which content can be kept or not kept. Returns its folder. */
export function everyKind(): string {
  const base = throwAway();
  run(
    base,
    `set -e
git init -q --bare origin.git
git init -q -b main project && cd project
git remote add origin ../origin.git
printf '*.log\\nnode_modules/\\ndist/\\n.env\\n*.sqlite\\n' > .gitignore
seq 10 > pushed.txt; mkdir -p src; seq 20 > src/pushed.txt; seq 30 > 'with space '; seq 5 > $'new\\nline'; seq 6 > '"quoted"'; seq 7 > ümlaut; seq 3 > $'raw\\xff'
ln -s pushed.txt link
printf '{}' > package.json; printf '{}' > package-lock.json
git add -A; git commit -qm one; git push -q -u origin main
seq 40 > local.txt; git add -A; git commit -qm two
seq 50 > staged.txt; git add staged.txt
seq 60 > modified.txt; git add modified.txt; git commit -qm three -- modified.txt; seq 60 | sed 's/^3$/three/; 5a new' > modified.txt
seq 8 > both.txt; git add both.txt; git commit -qm four -- both.txt; seq 9 > both.txt; git add both.txt; seq 11 > both.txt
seq 70 > untracked.txt; mkdir -p notes/deep; seq 71 > notes/deep/a; head -c 300 /dev/zero > blob.bin
seq 80 > stashed.txt; git stash push -q -u -- stashed.txt; seq 80 > stashed.txt
seq 90 > dangling.txt; git hash-object -w dangling.txt >/dev/null
git checkout -q -b topic; seq 95 > branch.txt; git add branch.txt; git commit -qm topic -- branch.txt; git checkout -q main 2>/dev/null; seq 95 > branch.txt
mkdir -p node_modules/a dist; seq 3 > node_modules/a/i.js; seq 4 > dist/out.js
echo SECRET=1 > .env; printf 'a\\0b' > data.sqlite; echo x > debug.log
git update-index --assume-unchanged src/pushed.txt; echo changed >> src/pushed.txt`,
  );
  return `${base}/project`;
}
