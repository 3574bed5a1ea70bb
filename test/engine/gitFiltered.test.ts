import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'node:test';
import { outcomeOf } from './gitProject.ts';
import { inCopy, run, throwAway } from './plainLooker.ts';

/** Files between which and git a filter stands (`filter=` in .gitattributes): git has them in another form than they are in. */

/** A filter that does what git-lfs does, one that takes lines away, and one that changes letters. */
function filtered(): string {
  const base = throwAway();
  fs.writeFileSync(
    `${base}/clean`,
    `t=$(mktemp); cat > "$t"; o=$(sha256sum < "$t" | cut -d' ' -f1); d=$(git rev-parse --git-common-dir)/lfs/objects/$(printf %.2s "$o")/$(printf %s "$o" | cut -c3-4)
mkdir -p "$d"; cp "$t" "$d/$o"; printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' "$o" "$(wc -c < "$t")"; rm "$t"
`,
  );
  fs.writeFileSync(
    `${base}/smudge`,
    `o=$(sed -n 's/^oid sha256://p'); cat "$(git rev-parse --git-common-dir)/lfs/objects/$(printf %.2s "$o")/$(printf %s "$o" | cut -c3-4)/$o"
`,
  );
  run(
    base,
    `set -e
git init -q -b main project && cd project
git config filter.lfs.clean "sh $PWD/../clean"; git config filter.lfs.smudge "sh $PWD/../smudge"; git config filter.lfs.required true
git config filter.strip.clean "sed /out/d"; git config filter.strip.smudge cat
git config filter.rot.clean "tr a-z n-za-m"; git config filter.rot.smudge "tr a-z n-za-m"
printf '*.bin filter=lfs -text\\n*.nb filter=strip\\n*.enc filter=rot\\n' > .gitattributes
seq 100 > still.bin; seq 200 > touched.bin; seq 300 > changed.bin; seq 400 > pruned.bin; head -c 20000000 /dev/zero > large.bin
printf 'in\\nout\\n' > both.nb; printf 'in\\n' > plain.nb; printf 'key\\n' > key.enc; seq 5 > plain.txt
mkdir sub; seq 7 > 'sub/two words.bin'
git add -A; git commit -qm one
seq 500 > staged.bin; git add staged.bin
seq 301 > changed.bin
rm -r .git/lfs/objects/$(sha256sum < pruned.bin | cut -c1-2)
touch -d 2031-01-01 touched.bin large.bin both.nb plain.nb key.enc plain.txt 'sub/two words.bin'`,
  );
  return `${base}/project`;
}

const project = filtered();

const classes: Record<string, string> = {
  'still.bin': 'committed-local',
  'touched.bin': 'committed-local',
  'large.bin': 'committed-local',
  'sub/two words.bin': 'committed-local',
  'plain.nb': 'committed-local',
  'plain.txt': 'committed-local',
  'changed.bin': 'modified',
  'staged.bin': 'index',
  'pruned.bin': 'unknown',
  'both.nb': 'unknown',
  'key.enc': 'unknown',
};

test('what a filter made of a file is no change of it, and where git does not have the file itself that is not known', async () => {
  const { files } = await outcomeOf(project, 'rm -r *');
  for (const [name, lossClass] of Object.entries(classes)) assert.equal(files.get(name)?.class, lossClass, name);
  assert.equal(
    files.get('key.enc')?.why,
    'it is not known whether git has it: the filter `rot` decides what it keeps of it',
  );
  assert.equal(
    files.get('pruned.bin')?.why,
    'it is not known whether git has it: the filter `lfs` decides what it keeps of it',
  );
});

test('the ways back of such files lead back to the same content', async () => {
  const { files, pair } = await outcomeOf(project, 'rm -r *.bin *.nb sub');
  for (const name of ['still.bin', 'touched.bin', 'staged.bin', 'plain.nb', 'sub/two words.bin']) {
    const loss = files.get(name);
    assert.ok(loss && 'command' in loss.recovery && loss.recovery.command, name);
    const before = fs.readFileSync(`${project}/${name}`);
    const copy = inCopy(pair, project);
    execFileSync('sh', ['-c', loss.recovery.command.replaceAll(project, copy)], { cwd: copy });
    assert.deepEqual(fs.readFileSync(`${copy}/${name}`), before, name);
  }
});

test('without a filter nobody is asked for one', async () => {
  const { files } = await outcomeOf(project, 'rm plain.txt');
  assert.equal(files.get('plain.txt')?.class, 'committed-local');
});

test('without the storage of Git LFS nobody here knows whether a file of it can be brought back', async () => {
  const base = throwAway();
  run(
    base,
    `set -e; git init -q p; cd p; git config filter.lfs.clean cat; git config filter.lfs.smudge cat
echo '*.bin filter=lfs' > .gitattributes; git add .; git commit -qm zero
put() { d=$(sha256sum "$1" | cut -c1-64); o=.git/lfs/objects/$(printf %.2s $d)/$(printf %s $d | cut -c3-4); mkdir -p $o; cp "$1" $o/$d
printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' $d $(wc -c < "$1") | git hash-object -w --stdin > ../id; git update-index --add --cacheinfo 100644,$(cat ../id),"$1"; }
seq 100 > a.bin; put a.bin; seq 200 > b.bin; put b.bin; git commit -qm one; seq 300 > b.bin; put b.bin; git commit -qm two`,
  );
  const told = async (script: string) => {
    const { files } = await outcomeOf(`${base}/p`, script);
    return [...files].map(([name, loss]) => `${name.replace(/^\.git.*/, 'object')} ${loss.class}`);
  };
  assert.deepEqual(await told('rm a.bin'), ['a.bin committed-local']);
  // The older version of b.bin stands nowhere else.
  assert.deepEqual(await told('rm -rf .git/lfs'), ['object unknown']);
  assert.deepEqual(await told('rm -rf .git/lfs a.bin'), ['object unknown', 'a.bin unknown']);
  assert.deepEqual(await told('mv .git/lfs ../p/kept'), []);
});
