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
    reasonOf('docker run --rm -v /w:/src/w alpine rm -rf /src/w/real'),
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
