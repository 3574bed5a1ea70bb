import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { mayBeSameCall } from '../../src/core/programs/sameCall.ts';
import { startedBy } from '../../src/core/programs/startedBy.ts';
import { findStaticPrograms } from '../../src/core/programs/staticPrograms.ts';
import type { Started } from '../../src/core/shell/evaluated.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretell-started-'));
after(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'in'));
writeFileSync(join(folder, 'list'), 'x\n');
writeFileSync(join(folder, 'probe'), '#!/bin/sh\npwd >&3; for word; do printf "<%s>" "$word" >&3; done; echo >&3\n');
chmodSync(join(folder, 'probe'), 0o755);

/** Programs that really are started with these words, in a throw-away folder; each starts `probe`, which tells how. */
const really = [
  'env probe a',
  'env -i PATH=. probe a',
  'env -u HOME A=1 B=2 probe a',
  'env -uHOME probe a',
  'env -C in ../probe a',
  'env --chdir=in ../probe a',
  'env A=1 probe -i',
  'env -- A=1 probe a',
  'nice probe a',
  'nice -5 probe a',
  'nice -n 5 probe -n 3',
  'nice -n5 probe a',
  'nice --adjustment 3 probe a',
  'ionice -c 3 probe a',
  'ionice -c2 -n7 probe a',
  'timeout 5 probe a',
  'timeout -k5 10 probe -k',
  'timeout -k 5 -s TERM 10 probe a',
  'timeout --signal=KILL --kill-after 3 10s probe a',
  'timeout --foreground -v 5 probe a',
  'stdbuf -o L probe a',
  'stdbuf -oL -e0 probe -o',
  'stdbuf --output=L probe a',
  'nohup probe a',
  'setsid probe a',
  'setsid -w probe -w',
  'chrt -o 0 probe a',
  'taskset 1 probe a',
  'taskset -c 0 probe a',
  'flock list probe a',
  'flock -n -w 3 list probe -c',
  'flock list -c probe',
  'setpriv --no-new-privs probe a',
  'xargs -a list probe a',
  'xargs -a list -n 1 -P 2 probe a',
  'xargs -a list -n1 -P2 probe a',
  'xargs -a list -I % probe a',
  'xargs -alist -I% probe a',
  'xargs -a list -i probe a',
  'xargs --arg-file=list --max-args 1 probe a',
  'xargs -r -a list probe',
  'find in -maxdepth 0 -exec ./probe a ;',
  'find in -maxdepth 0 -exec ./probe a {} +',
  'find in -maxdepth 0 -exec ./probe a ; -exec ./probe b ;',
  'bash -c probe',
  'bash -ec probe name',
  'bash -e -u -o pipefail -c probe',
  'bash -euo pipefail -c probe',
  'bash -euxc probe name a',
  'bash -co pipefail probe',
  'sh -c probe -- a',
  'sh -xc probe',
  'sh +e -c probe',
  'env nice -n 3 timeout 5 stdbuf -oL probe a b',
];

interface Call {
  argv: string[];
  cwd: string;
}

/** The calls of `probe` behind any number of starters. */
function probes(argv: readonly string[], cwd: string): Call[] {
  if (/(^|\/)probe$/.test(argv[0] ?? '')) return [{ argv: argv.slice(1), cwd }];
  return startedBy(argv).flatMap((one: Started) => {
    const words = one.argv ?? one.shellScript?.split(' ') ?? [];
    if (one.argv && one.at !== undefined) assert.equal(argv[one.at], words[0]);
    return probes(words, one.folder === undefined ? cwd : resolve(cwd, one.folder));
  });
}

for (const line of really) {
  test(`${line} starts what the real one starts`, () => {
    const argv = line.split(' ');
    const [name = '', ...words] = argv;
    const { output, status } = spawnSync(name, words, {
      cwd: folder,
      env: { PATH: `.:${process.env['PATH']}` },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const lines = String(output[3]).split('\n').slice(0, -1);
    assert.equal(status, 0);
    const found = probes(argv, folder);
    assert.equal(found.length, lines.length / 2);
    for (const [index, call] of found.entries()) {
      // What is read or found comes behind the words that are known.
      const known = call.argv.filter((word) => word !== '{}').map((word) => `<${word}>`);
      assert.ok((lines[index * 2 + 1] ?? '').startsWith(known.join('')), lines.join('\n'));
      assert.equal(lines[index * 2], call.cwd);
    }
  });
}

/** What cannot be started here, after its manual page: argv or script, then what else is different. */
const told: readonly [string, string, Partial<Started>?][] = [
  ['sudo cat x', 'cat x', { asUser: 'root' }],
  ['sudo -r admin cat x', 'cat x', { asUser: 'root' }],
  ['sudo -nu bob cat x', 'cat x', { asUser: 'bob' }],
  ['sudo -ubob cat x', 'cat x', { asUser: 'bob' }],
  ['sudo --user=bob -g staff -h here -p why cat x', 'cat x', { asUser: 'bob' }],
  ['sudo -D /srv cat x', 'cat x', { folder: '/srv' }],
  ['sudo A=1 -E cat x', 'cat x', { env: { A: '1' } }],
  ['sudo -i cat x', 'cat x', { isAway: true }],
  ['sudo -- cat -l', 'cat -l'],
  ['sudo -l cat x', ''],
  ['sudo -e x', ''],
  ['doas -u bob cat x', 'cat x', { asUser: 'bob' }],
  ['su -c id bob', 'id', { asUser: 'bob' }],
  ['su bob -c id', 'id', { asUser: 'bob' }],
  ['su - bob -c id', 'id', { asUser: 'bob', isAway: true }],
  ['su -lc id bob', 'id', { asUser: 'bob', isAway: true }],
  ['su --command=id bob', 'id', { asUser: 'bob' }],
  ['su bob', ''],
  ['runuser -u bob -- cat x', 'cat x', { asUser: 'bob' }],
  ['runuser -l bob -c id', 'id', { asUser: 'bob', isAway: true }],
  ['chroot --userspec=a:b /mnt cat x', 'cat x', { elsewhere: 'root' }],
  ['unshare -r -m --propagation private cat x', 'cat x'],
  ['unshare --wd /srv cat x', 'cat x', { folder: '/srv' }],
  ['nsenter -t 1 -m -- cat x', 'cat x', { elsewhere: 'container' }],
  ['strace -f -o out -e trace=file cat x', 'cat x'],
  ['strace -fo out cat x', 'cat x'],
  ['strace -p 1', ''],
  ['time -f %e cat x', 'cat x'],
  ['command -p cat x', 'cat x'],
  ['command -v cat', ''],
  ['builtin cd x', 'cd x'],
  ['exec -a name cat x', 'cat x'],
  ['exec -cl cat x', 'cat x'],
  ['watch -n 1 -d cat x', 'cat x'],
  ['watch -n1 -x cat x', 'cat x'],
  ['ssh host cat x', 'cat x', { elsewhere: 'machine' }],
  ['ssh -p 22 -i key -o A=b me@host -v cat x', 'cat x', { elsewhere: 'machine' }],
  ['ssh -tt host sudo cat x', 'sudo cat x', { elsewhere: 'machine' }],
  ['ssh host', ''],
  ['mosh host -- cat x', 'cat x', { elsewhere: 'machine' }],
  ['docker exec web cat x', 'cat x', { elsewhere: 'container' }],
  ['docker exec -it -u root -w /app web cat -l', 'cat -l', { elsewhere: 'container', folder: '/app' }],
  ['docker --context far exec -e A=1 web cat x', 'cat x', { elsewhere: 'container' }],
  ['docker container exec web cat x', 'cat x', { elsewhere: 'container' }],
  ['docker compose -f c.yml exec -T web cat x', 'cat x', { elsewhere: 'container' }],
  ['docker-compose exec web cat x', 'cat x', { elsewhere: 'container' }],
  ['docker run --rm -v /a:/b -it alpine cat x', 'cat x', { elsewhere: 'container' }],
  ['podman run alpine cat x', 'cat x', { elsewhere: 'container' }],
  ['docker run alpine', ''],
  ['docker ps -a', ''],
  ['kubectl exec pod -- cat x', 'cat x', { elsewhere: 'container' }],
  ['kubectl -n a exec -it pod -c side -- cat -c x', 'cat -c x', { elsewhere: 'container' }],
  ['kubectl get pods', ''],
  ['systemd-run --user -p A=b cat x', 'cat x', { isAway: true }],
  ['systemd-run --user --scope cat x', 'cat x'],
  ['hyperfine -w 3 a b', 'a'],
  ['npx -p a tool x', 'tool x'],
  ['npm exec -- tool x', 'tool x'],
  ['npx -c id', 'id'],
  ['conda run -n env cat x', 'cat x'],
  ['mise exec node@20 -- cat x', 'cat x'],
  ['asdf exec python x', 'python x'],
  ['aws-vault exec me -- aws ls', 'aws ls'],
  ['op run --env-file=a -- cat x', 'cat x'],
  ['poetry run cat x', 'cat x'],
  ['busybox sh -c id', 'sh -c id'],
  ['script out.log', ''],
  ['script -qc id out.log', 'id'],
  ['xargs -I {} sh -c id {}', 'sh -c id {}', { moreArguments: 'read', placeholder: '{}' }],
  ['parallel -j 4 gzip ::: a b', 'gzip a b'],
  ['find . -name x', ''],
  ['find . -execdir rm {} ;', 'rm {}', { moreArguments: 'found', isAway: true }],
  ['bash script.sh -c x', ''],
  ['bash', ''],
  ['fish -c id', 'id'],
  ['pwsh -NoProfile -Command rm x', 'rm x'],
  ['cmd /c del x', 'del x'],
  ['constructor x', ''],
];

for (const [line, inner, more = {}] of told) {
  test(`${line} starts ${inner || 'nothing'}`, () => {
    const [first] = startedBy(line.split(' '));
    assert.equal(first?.argv?.join(' ') ?? first?.shellScript ?? '', inner);
    for (const key of ['asUser', 'folder', 'isAway', 'elsewhere', 'moreArguments'] as const) {
      if (key in more || key !== 'asUser') assert.equal(first?.[key], more[key], key);
    }
    if (more.env) assert.deepEqual(first?.env, more.env);
    if (more.placeholder) assert.equal(first?.placeholder, more.placeholder);
  });
}

test('a program that is started under another name is the call of the script all the same', () => {
  for (const script of ['exec -a other rm b', 'exec -a -other rm b', 'env -a other rm b', 'env --argv0=other rm b']) {
    const written = findStaticPrograms(script, { cwd: '/w', home: '/h', env: {} }).find(({ argv }) => argv[0] === 'rm');
    const name = script.includes('-other') ? '-other' : 'other';
    assert.ok(written, script);
    assert.ok(mayBeSameCall(written, [name, 'b']), script);
    assert.ok(!mayBeSameCall(written, ['rm', 'b']), script);
  }
});
