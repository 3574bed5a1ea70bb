import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStaticPrograms } from '../../src/core/programs/staticPrograms.ts';
import { maySteady } from '../../src/core/worlds/confined/certainty/steady.ts';

const place = { cwd: '/w', home: '/home/u' };

test('words that promise a run in which nothing is volatile', () => {
  for (const script of [
    'rm -rf build',
    'cd dist && rm -rf *.o; mv a b',
    'cp -r src copy',
    'mkdir -p a/b && touch a/b/c',
    'chmod -R o-r big',
    "find big -name '*.txt' -delete",
    "find big -type f -exec sed -i 's/needle/thread/g' {} +",
    "sed -i '/^#/d' settings",
    'git clean -fdxq',
    'git clean -fdx',
    'rm -rf src && git clean -fd',
    'rm -rf $HOME/.cache/x',
    'for f in *.bak; do rm "$f"; done',
    'tar czf a.tgz big',
    'tar -cf a.tar big other',
  ])
    assert.ok(
      maySteady(script, () => findStaticPrograms(script, { ...place, env: {} })),
      script,
    );
});

test('words of which a clock, a number, chance, other files or another program may decide something', () => {
  for (const script of [
    'ls',
    'find . -name x',
    'touch log.$$',
    'mkdir tmp.$RANDOM',
    'mv a a.$(date +%s)',
    'cp `which x` y',
    'rm a &',
    'rm a > log',
    'cp -L a b',
    'cp --dereference a b',
    'find . -mmin +5 -delete',
    'find . -newermt yesterday -delete',
    'find . -name x -print -quit -exec rm {} +',
    "sed -i '1r /proc/uptime' a",
    "sed -i 's/a/date/e' a",
    "sed -i 's/a/b/w out' a",
    'sed -i -f script a',
    'sed -i -e s/a/b/ a',
    "sed 's/a/b/' a",
    'git add .',
    'git -C sub clean -fdxq',
    'rm a && npm run build',
    'tar czf a.tgz --mtime=now big',
    'tar czf a.tgz -C sub .',
    'tar cJf a.txz big',
    'tar xf a.tar',
    'tar czf - big',
    'TAR_OPTIONS=--mtime=now tar czf a.tgz big',
    'export TAR_OPTIONS; tar czf a.tgz big',
    'touch big/a && tar czf a.tgz big',
    'tar czf a.tgz big; tar czf b.tgz big',
    'time rm a',
    'x=RANDOM; touch ${!x}',
    'eval "rm a"',
    'touch $SECONDS $EPOCHSECONDS',
  ])
    assert.ok(!maySteady(script, () => findStaticPrograms(script, { ...place, env: {} })), script);
});
