import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgedInWords } from './judgedInWords.ts';

function judged(script: string): ReturnType<typeof judgedInWords> {
  const place = { workspaceFolders: ['/w'], home: '/home/me', userId: 1000, env: {} };
  const nothing = { programs: [], files: [], effects: [], loss: [], errors: '' };
  return judgedInWords({ action: { kind: 'command', script, shell: 'bash', cwd: '/w' }, ...place, ...nothing });
}

test('what is asked of another machine or a container is told of there, and no place here is named', () => {
  const reasonOf = (script: string) =>
    judged(script)
      .map(({ reason }) => reason)
      .find((reason) => reason.startsWith('`rm`'));
  assert.equal(
    reasonOf("ssh me@host 'rm -rf /srv'"),
    '`rm` asks to delete `/srv`, a directory of the system (on another machine).',
  );
  assert.equal(
    reasonOf('docker run --rm -v data:/src/w alpine rm -rf /src/w/real'),
    '`rm` deletes `/src/w/real` with everything in it (in a container).',
  );
  assert.equal(
    reasonOf('kubectl exec -it pod -- sh -c "cd /var/lib && rm -rf x"'),
    '`rm` deletes `x`, which belongs to the system (in a container).',
  );
  assert.equal(
    reasonOf('chroot /mnt rm -r /opt/x'),
    '`rm` deletes `/opt/x`, which belongs to the system (below another root).',
  );
  const [risk] = judged('ssh host rm -rf data').filter(({ reason }) => reason.startsWith('`rm`'));
  assert.ok(!risk?.evidence.includes('/w/data'), risk?.evidence.join(' '));
});

test('a container that is shown a folder of this machine deletes there', () => {
  const reasonOf = (script: string) =>
    judged(script)
      .map(({ level, reason }) => `${level}: ${reason}`)
      .find((reason) => reason.includes(': `rm`'));
  const here = 'caution: `rm` deletes `/w/real` with everything in it.';
  for (const script of [
    'docker run --rm -v /w:/src/w alpine rm -rf /src/w/real',
    'podman run --mount type=bind,source=/w,target=/in busybox rm -rf /in/real',
    'docker run -v .:/in:rw,z alpine rm -rf /in/real',
    'docker run -v /other:/in -v "$PWD"/real:/in/deep alpine rm -rf /in/deep',
    'docker compose run -v ./:/in app rm -rf /in/real',
  ])
    assert.equal(reasonOf(script), here, script);
  const named = 'caution: `rm` deletes `real` with everything in it.';
  for (const script of [
    'docker run -v /w:/in -w /in alpine rm -rf real',
    'docker run -v /w:/in alpine sh -c "cd /in && rm -rf real"',
    "docker run -v /w:/in --workdir=/in alpine bash -c 'rm -rf real'",
  ])
    assert.equal(reasonOf(script), named, script);
  assert.equal(
    reasonOf('docker run -v /:/host alpine rm -rf /host/etc'),
    'danger: `rm` asks to delete `/etc`, a directory of the system.',
  );
  assert.equal(
    reasonOf('docker run -v "$HOME:/h" alpine rm -rf /h'),
    'danger: `rm` asks to delete `/home/me`, the home directory.',
  );
  for (const script of [
    'docker run -v /w:/in alpine rm -rf /in/real /own',
    'docker run -v /w:/in alpine rm -rf real',
    'docker exec box rm -rf /in/real',
  ])
    assert.match(reasonOf(script) ?? '', /\(in a container\)\.$/, script);
});

test('what a container may only read, or what is made for it, is not told to go', () => {
  const dangers = (script: string) => judged(script).filter(({ level }) => level === 'danger');
  for (const script of [
    'docker run -v /w:/in:ro alpine rm -rf /in/real',
    "docker run -v /w:/in:ro,Z alpine sh -c 'rm -rf /in/*'",
    'docker run --mount type=bind,src=/w,dst=/in,readonly alpine rm -rf /in',
    'docker run --rm alpine rm -rf /etc',
    "podman run --rm -v /w:/in alpine sh -c 'rm -rf /var/cache/apk/*; chmod -R 777 /opt'",
    "docker run --rm -v /w:/in:ro alpine sh -c 'echo x > /in/a; echo x > /etc/passwd'",
    'docker run -v /w:/in:ro -v /w/dist:/in/dist:ro alpine mv /in/a /in/dist/b',
  ])
    assert.deepEqual(dangers(script), [], script);
  for (const script of [
    'docker run -v data:/data alpine rm -rf /data',
    'docker run -v /w:/in:ro -v data:/in/data alpine rm -rf /in',
    'docker run --rm --volumes-from db alpine rm -rf /var/lib/x',
    'docker run --rm -v /w:/in alpine rm -rf /',
    'docker exec web rm -rf /var/lib/mysql',
    'docker compose run app rm -rf /var/lib/mysql',
    "docker run -v /w:/in alpine sh -c 'cp -t /etc /in/a; rm -rf /*'",
  ])
    assert.notDeepEqual(dangers(script), [], script);
});

test('what is not known and runs elsewhere is told with its starter', () => {
  for (const script of ['docker run --rm amazon/aws-cli s3 ls', 'ssh host ./deploy.sh', 'kubectl exec p -- ./run']) {
    const risks = judged(script);
    assert.equal(risks[0]?.level, 'caution', script);
    assert.ok(!risks.some(({ kind }) => kind === 'unknown'), script);
  }
  assert.equal(judged('ssh host ./x delete all')[0]?.level, 'danger');
  assert.ok(judged('distrobox enter box -- ./x').some(({ kind }) => kind === 'unknown'));
});

test('a redirection elsewhere names the file there, or the one that a container is shown', () => {
  const written = (script: string) =>
    judged(script)
      .map(({ reason }) => reason)
      .filter((reason) => /^(Overwrites|Appends)/.test(reason));
  assert.deepEqual(written("docker run -v /other:/in alpine sh -c 'echo x > /in/a'"), [
    'Overwrites /other/a, outside the workspace.',
  ]);
  assert.deepEqual(written("docker exec web sh -c 'echo x > /app/f'"), ['Overwrites /app/f (in a container).']);
  assert.deepEqual(written("ssh host 'echo x > f; echo x >> g; echo x > /tmp/h 2> /dev/null'"), [
    'Overwrites f (on another machine).',
  ]);
  assert.deepEqual(written("ssh host 'echo x >> /etc/hosts'"), [
    'Appends to /etc/hosts, which belongs to the system (on another machine).',
  ]);
});

test('what a shell does is judged in the folder that its starter moves to', () => {
  const reasons = judged("env -C /etc sh -c 'rm -r ssl'").map(({ reason }) => reason);
  assert.ok(reasons.includes('`rm` deletes `/etc/ssl`, which belongs to the system.'), reasons.join('\n'));
});
