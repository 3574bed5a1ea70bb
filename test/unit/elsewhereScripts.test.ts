import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStaticPrograms } from '../../src/core/programs/staticPrograms.ts';
import { staticFacts } from '../../src/core/verdict/staticFacts.ts';
import { judgedInWords } from './judgedInWords.ts';

const texts = new Map([
  ['/w/x.sh', 'cd /srv && rm -rf app\nsystemctl restart app\n'],
  ['/w/quiet.sh', 'uptime\n'],
  ['/w/batch', 'cd up\nrm old.tgz\n'],
  ['/w/get', 'get a\n'],
]);

/** What is said of a command of which nothing could be run; the files of `texts` were read. */
function saidOf(script: string): string[] {
  const written = findStaticPrograms(script, { cwd: '/w', home: '/home/me', env: {}, texts });
  const action = { kind: 'command', script, shell: 'bash', cwd: '/w' } as const;
  const facts = staticFacts({ action, workspaceFolders: ['/w'], home: '/home/me', userId: 1000, env: {}, written });
  return judgedInWords(facts).map(({ level, reason }) => `${level}: ${reason}`);
}

const deletes = /^danger: `rm` deletes `app`, which belongs to the system \(on another machine\)\.$/;

test('a script that another machine reads is judged as commands of that machine', () => {
  for (const script of [
    "ssh host 'bash -s' < x.sh",
    'ssh host bash < x.sh',
    'ssh host < x.sh',
    'ssh -T me@host sudo bash -s < ./x.sh',
    "ssh host 'bash -s -- --force' < x.sh",
    'sudo ssh host sh < x.sh',
    'timeout 60 ssh host sh < /w/x.sh',
    'cat x.sh | ssh host sh',
    'cat x.sh | ssh host',
    'cat < x.sh | ssh host bash',
    'f() { ssh "$1" bash < "$2"; }; f host x.sh',
    'for h in a b; do ssh $h bash -s < x.sh; done',
    'ssh host <<EOF\ncd /srv && rm -rf app\nEOF',
    "ssh host bash <<'EOF'\ncd /srv && rm -rf app\nEOF",
    "ssh host 'sudo bash -s' <<< 'cd /srv && rm -rf app'",
    "ssh host 'cat | bash' < x.sh",
    "ssh a 'ssh b bash' < x.sh",
  ]) {
    const said = saidOf(script);
    assert.ok(
      said.some((one) => deletes.test(one)),
      `${script}\n${said.join('\n')}`,
    );
  }
  const inPod = saidOf('kubectl exec -i pod -- bash < x.sh').join('\n');
  assert.match(inPod, /`rm` deletes `app`.* \(in a container\)/);
});

test('it is said that it runs there, and where it was not read', () => {
  const runs = (script: string) => saidOf(script).filter((one) => one.includes('Runs '));
  assert.deepEqual(runs('ssh host bash < quiet.sh'), ['caution: Runs the commands in quiet.sh on another machine.']);
  assert.deepEqual(runs("ssh host 'bash -s' < nosuch.sh"), [
    'caution: Runs the commands in nosuch.sh on another machine, which were not read.',
  ]);
  assert.deepEqual(runs('cat nosuch.sh | ssh host sh'), [
    'caution: Runs the commands in nosuch.sh on another machine, which were not read.',
  ]);
  assert.deepEqual(runs('docker exec -i c sh < quiet.sh'), ['caution: Runs the commands in quiet.sh in a container.']);
});

test('what another machine only reads is no script', () => {
  for (const script of [
    "ssh host 'cat > x.sh' < x.sh",
    'ssh host tee x.sh < x.sh',
    'ssh -N host < x.sh',
    'ssh host psql < x.sh',
  ])
    assert.deepEqual(
      saidOf(script).filter((one) => /`rm`|Runs /.test(one)),
      [],
      script,
    );
});

test('what sftp is told to delete is deleted on another machine', () => {
  const level = (script: string) => saidOf(script).find((one) => one.includes('sftp'));
  for (const script of [
    "sftp host <<< 'rm x'",
    'sftp host <<EOF\ncd up\nrm -r x\nEOF',
    'sftp -b batch host',
    "echo 'rm x' | sftp host",
    'sftp host < batch',
  ])
    assert.match(level(script) ?? '', /^danger: `sftp.*` deletes files on another machine/, script);
  assert.match(level('sftp -b nosuch host') ?? '', /^danger: .*runs commands from a file/);
  for (const script of ['sftp -b get host', 'sftp host:x .', "sftp host <<< 'put a'"])
    assert.match(level(script) ?? '', /^caution: `sftp.*` copies files from or to another machine/, script);
  assert.match(level("sftp host <<< '!rm -rf x'") ?? '', /^danger: `sftp.*` runs a program here/);
});
