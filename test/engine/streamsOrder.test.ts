import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { byEachEngine } from '../byEachEngine.ts';

/**
 * Output and errors come by two pipes. What is shown stands in the order in which it was printed, as in a terminal: each script is
 * run for real with both in one pipe, and read from a prediction in the order of its events.
 */

const files = {
  'a.txt': 'one\ntwo\n',
  'b.txt': 'three\n',
  'd/e.txt': 'four\n',
  Makefile: 'all: first second\nfirst:\n\techo first\nsecond:\n\tls nope\n',
};

const scripts = [
  'for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done',
  'set -x; echo a; ls; x=1; echo b',
  'ls nope; echo after; ls . nope; echo end',
  'cat a.txt nope b.txt; grep -n o nope a.txt',
  'make -s; echo "exit $?"',
  'f() { echo "warning: $1" >&2; echo "value $1"; }; f 1; f 2; x=$(f 3); echo "$x"',
  '{ echo one; echo two; } >&2; echo three; { echo four; ls nope; } >&2; echo five',
  'cat a.txt >&2; cat b.txt; cat d/e.txt >&2; echo end',
  'exec 3>&1; echo a; exec 1>&2; echo b; echo c >&3',
  'find . nope -name "*.txt" | sort; find nope .',
  'cd nope || echo "cannot"; cd d && pwd > /dev/null; nosuchprogram; echo "$?"',
  'while read -r l; do echo "$l"; [ "$l" = one ] && echo "saw one" >&2; done < a.txt; echo end >&2',
  'sh -c "echo a; echo b >&2; echo c"; bash -c "echo d >&2; echo e"',
  'awk \'{ print; print "err " $0 > "/dev/stderr"; fflush() }\' a.txt b.txt',
  'printf x; printf y >&2; printf z; printf "\\n" >&2',
  'trap "echo bye >&2" EXIT; echo "work"; rm nope; rm -v a.txt; mv nope x; echo done',
  'tar cf t.tar nope a.txt; echo "$?"; cp nope d; cp -v a.txt d',
  'seq 20000 | tail -1; echo big >&2; seq 30000; echo end >&2; seq 3',
];

byEachEngine('order of output and errors', ({ foretell, folder, workspace }) => {
  const env = { PATH: '/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8' };
  for (const script of scripts)
    test(script, async () => {
      const cwd = workspace(files);
      const action = { kind: 'command', script, shell: 'bash', cwd } as const;
      const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
      const prediction = await foldAll(action, events);
      await view.close();
      const real = spawnSync('bash', ['-c', 'exec bash -c "$1" 2>&1', '', script], { cwd, env, encoding: 'utf8' });
      assert.equal(prediction.ending, 'done', prediction.endingReason);
      assert.equal(prediction.output.map(({ text }) => text).join(''), real.stdout);
    });
});
