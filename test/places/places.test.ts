import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { availableIdentities, type Identity, spawnAs } from '../hostile/identity.ts';
import { placePrograms, places, placeWords, whyNoPlace } from './places.ts';

/** What `programs/probe.c` finds in a place, where it is not what it finds outside. */
type Found = Readonly<Record<string, string>>;

const noNamespaces: Found = { unshareUser: 'EPERM', unshareMounts: 'EPERM', cloneUser: 'EPERM', mountInUser: 'EPERM' };
const container: Found = { personality: 'EPERM', vsock: 'EPERM', bpf: 'EPERM' };
const docker: Found = {
  ...noNamespaces,
  ...container,
  clone3: 'ENOSYS',
  mountHere: 'EPERM',
  keys: 'EPERM',
  pidfdGetfd: 'EPERM',
  mountSetattr: 'EPERM',
};
const since5_16: Found = { futexWaitv: 'ENOSYS', fchmodat2: 'ENOSYS', statmount: 'ENOSYS' };
const since5_11: Found = { ...since5_16, landlock: 'ENOSYS', epollPwait2: 'ENOSYS', mountSetattr: 'ENOSYS' };
const lastNamespace: Found = { unshareUser: 'ENOSPC', cloneUser: 'ENOSPC', mountInUser: 'ENOSPC' };

/** What each place refuses that this machine does not; `root`: what root alone may do outside. */
const refused: Readonly<Record<string, { both: Found; root?: Found }>> = {
  plain: { both: {} },
  docker: { both: docker },
  'docker-none': { both: docker, root: { makeRoot: 'EPERM', makeDevice: 'EPERM' } },
  podman: { both: { ...container, statmount: 'ENOSYS' }, root: { unshareMounts: 'EPERM', makeDevice: 'EPERM' } },
  'no-namespaces': { both: { ...noNamespaces, clone3: 'ENOSYS', mountHere: 'EPERM', mountSetattr: 'EPERM' } },
  'no-user-namespaces': { both: { ...noNamespaces, clone3: 'ENOSYS' } },
  'last-namespace': { both: lastNamespace, root: { makeDevice: 'EPERM' } },
  'no-mounts': { both: { mountHere: 'EACCES', mountInUser: 'EACCES' }, root: { makeRoot: 'EPERM' } },
  'no-landlock': { both: { landlock: 'ENOSYS' } },
  'no-notify': { both: { listener: 'EINVAL' } },
  'no-ptrace': { both: { trace: 'EPERM', syscallInfo: 'EPERM' } },
  'no-seccomp': { both: { filter: 'EPERM', listener: 'EPERM' } },
  'no-close-range': { both: { closeRange: 'ENOSYS' } },
  'no-getfd': { both: { pidfdGetfd: 'EPERM' } },
  'kernel-5.15': { both: since5_16 },
  'kernel-5.10': { both: since5_11 },
  'kernel-5.0': {
    both: {
      ...since5_11,
      ...{ syscallInfo: 'EIO', readMemory: 'ENOSYS', clone3: 'ENOSYS', pidfdOpen: 'ENOSYS', closeRange: 'ENOSYS' },
      ...{ openat2: 'ENOSYS', pidfdGetfd: 'ENOSYS', faccessat2: 'ENOSYS' },
    },
  },
};

function probe(words: readonly string[], identity: Identity): Found {
  const [program = '', ...rest] = [...words, placePrograms().probe];
  const text = execFileSync(program, rest, { encoding: 'utf8', ...spawnAs(identity) });
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
}

test('every place of the program is known, and the other way round', () => {
  const listed = execFileSync(placePrograms().place, ['--list'], { encoding: 'utf8' }).trim().split('\n');
  const filtered = places.filter(({ how }) => how === 'filter').map(({ name }) => name);
  assert.deepEqual(listed, filtered);
  assert.deepEqual(Object.keys(refused), filtered);
});

for (const identity of availableIdentities()) {
  const outside = probe([], identity);
  for (const [name, { both, root }] of Object.entries(refused)) {
    const skip = whyNoPlace(name, spawnAs(identity)) ?? false;
    test(`as ${identity.name}, ${name} refuses what it has to, and nothing else`, { skip }, () => {
      const expected = { ...both, ...(identity.name === 'root' ? root : {}) };
      // What nobody can do here outside says nothing of the place.
      const found = probe(placeWords(name), identity);
      for (const [what, error] of Object.entries({ ...outside, ...expected })) {
        if (outside[what] === 'ENOSYS') continue;
        if (identity.name === 'user' && outside[what] === 'EPERM' && found[what] === 'EPERM') continue;
        assert.equal(found[what], error, `${what}, outside ${outside[what]}`);
      }
    });
  }
}

/** Runs a shell script in a tree of its own and returns what it printed. `shown`: a folder that is to be there. */
function inTree(name: string, script: string, as = '0:0', shown?: string): string {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-place-'));
  fs.chmodSync(base, 0o755);
  try {
    const more = shown === undefined ? [] : ['--show', shown];
    const words = [name, '--as', as, '--tree', base, ...more, '--', 'sh', '-c', script];
    const { status, stdout, stderr } = spawnSync(placePrograms().place, words, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout;
  } finally {
    fs.rmSync(base, { recursive: true, force: true });
  }
}

const treeSkip = process.getuid?.() === 0 ? false : 'only root can make a tree';
describe('a tree of its own', { skip: treeSkip }, () => {
  const marker = `/etc/foretell-place-${process.pid}`;
  for (const { name } of places.filter(({ hasTree }) => hasTree)) {
    test(`${name}: root changes what is root's, and the machine stays as it is`, () => {
      assert.equal(inTree(name, `: > ${marker} && stat -c %u:%a ${marker} /tmp`), '0:644\n0:1777\n');
      assert.equal(fs.existsSync(marker), false);
    });
  }

  test('a folder below /tmp can be shown, which is otherwise empty', () => {
    const shown = fs.mkdtempSync('/tmp/foretell-shown-');
    try {
      fs.writeFileSync(path.join(shown, 'file'), 'text\n');
      const script = `ls -A /tmp; cat ${shown}/file && echo more >> ${shown}/file && cat ${shown}/file`;
      for (const name of ['docker', 'podman']) {
        const names = `${path.basename(shown)}\nhome`;
        assert.equal(inTree(name, script, '0:0', shown), `${names}\ntext\ntext\nmore\n`);
        assert.equal(fs.readFileSync(path.join(shown, 'file'), 'utf8'), 'text\n');
      }
    } finally {
      fs.rmSync(shown, { recursive: true, force: true });
    }
  });

  test('capabilities are those of the container', () => {
    const script = "sed -n 's/^CapEff:\\t//p; s/^CapBnd:\\t//p' /proc/self/status";
    assert.equal(inTree('docker', script), '00000000a80425fb\n00000000a80425fb\n');
    assert.equal(inTree('docker-none', script), '0000000000000000\n0000000000000000\n');
    assert.equal(inTree('podman', script), '00000000800405fb\n00000000800405fb\n');
    assert.equal(inTree('docker', script, '1000:1000'), '0000000000000000\n00000000a80425fb\n');
  });

  test('what containers mask is empty, and what they guard is read-only', () => {
    const script =
      'wc -c < /proc/keys; ls /sys/firmware | wc -l; (: > /proc/sys/kernel/hostname) 2> /dev/null || echo refused; ls /dev';
    const shown = inTree('docker', script).replace(/\s+/g, ' ').trim();
    assert.equal(shown, '0 0 refused fd full null ptmx pts random shm stderr stdin stdout tty urandom zero');
  });

  test("podman's users have mapped numbers, and the files of the machine belong to them", () => {
    const script = "stat -c %u:%g /etc/passwd /tmp; tr -s ' ' < /proc/self/uid_map";
    assert.equal(inTree('podman', script), '0:0\n0:0\n 0 1000 1\n 1 100000 65536\n');
    assert.equal(
      inTree('podman', 'id -u; stat -c %u /tmp/home; : > /tmp/home/x && stat -c %u /tmp/home/x', '7:7'),
      '7\n7\n7\n',
    );
  });

  test('exit codes and signals are those of the command, and what it leaves behind ends with it', {
    timeout: 300_000,
  }, () => {
    const base = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-place-'));
    const run = (script: string) =>
      spawnSync(placePrograms().place, [
        'plain',
        '--tree',
        path.join(base, script.slice(0, 4)),
        '--',
        'sh',
        '-c',
        script,
      ]);
    for (const name of ['exit', 'kill', 'slee']) fs.mkdirSync(path.join(base, name));
    assert.equal(run('exit 7').status, 7);
    assert.equal(run('kill -9 $$').status, 137);
    assert.equal(run('sleep 6000 > /dev/null 2>&1 &').status, 0);
    fs.rmSync(base, { recursive: true, force: true });
  });
});
