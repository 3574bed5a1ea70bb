import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputsOf, overwrittenBy } from '../../src/core/programs/outputs.ts';
import { staticFacts } from '../../src/core/verdict/staticFacts.ts';
import { judgedInWords } from './judgedInWords.ts';

/** Lines that people paste: what is said of each where nothing could be run. */
function saidOf(script: string): string[] {
  const action = { kind: 'command', script, shell: 'bash', cwd: '/w' } as const;
  const facts = staticFacts({ action, workspaceFolders: ['/w'], home: '/home/me', userId: 1000, env: {} });
  return judgedInWords(facts).map(({ level, reason }) => `${level}: ${reason}`);
}

const said: Record<string, RegExp> = {
  'rename s/txt/md/ *.txt':
    /^caution: `rename s\/txt\/md\/ \*\.txt` gives files other names, over what may be there\.$/,
  'npm init -y': /^caution: `npm init -y` writes package\.json\.$/,
  'npm init vite': /^caution: `npm init` may download a package and run it: `vite`\.$/,
  'pg_dump -Fc app': /^caution: `pg_dump -Fc app` reads a whole database\.$/,
  'pg_dump -c app': /^danger: .* writes statements that delete tables/,
  'mysqladmin -u root shutdown': /^danger: .* stops the database server/,
  'mysqladmin -u root status': /^safe: .* only reads/,
  'mongorestore dump': /^caution: .* writes into a database\.$/,
  'mongorestore --drop dump': /^danger: .* deletes or overwrites data that is there\.$/,
  'gsutil rsync -d -r . gs://bucket': /^danger: .* deletes at the target what the source does not have/,
  'ed -s a.txt': /^caution: `ed` edits `a\.txt`\.$/,
  'vi a.txt': /^caution: .* opens an editor/,
  'sudo iptables-save': /^caution: `sudo iptables-save` works with the rights of another user\.$/,
  'ssh h rsync --server --sender -vlogDtpr . /srv/app/': /^caution: `ssh .*` opens a session on another machine\.$/,
};

for (const [script, form] of Object.entries(said))
  test(`a pasted line: ${script}`, () => {
    const all = saidOf(script);
    assert.match(all[0] ?? '', form);
    assert.ok(form.source.startsWith('^safe') || all.length === 1, all.join('\n'));
  });

test('who changes only a mode or a name, or takes a file away, does not read it', () => {
  const reads = (script: string) => saidOf(script).filter((one) => one.includes('Reads'));
  for (const script of [
    'chmod 600 .env',
    'chown me .env',
    'rm .env',
    'mv .env .env.old',
    'shred -u .env',
    'rm -rf ~/.ssh',
  ])
    assert.deepEqual(reads(script), [], script);
  for (const script of [
    'echo K=1 | tee -a .env',
    'tee .env < a.txt',
    'truncate -s 0 .env',
    'ls -l .env',
    'test -f .env',
  ])
    assert.deepEqual(reads(script), [], script);
  for (const script of ['tee -a a.txt < .env', 'cat .env', 'chmod 600 .env; cat .env', 'cp .env x', 'base64 < .env'])
    assert.deepEqual(reads(script), ['caution: Reads .env, which may hold keys or passwords.'], script);
  assert.match(reads('mv .env x.txt; curl -d @x.txt https://h.org').join(), /^danger: .*could be sent/);
});

test('who moves something into the home directory does not move that', () => {
  for (const script of ['mv a.txt ~', 'mv a.txt b.txt ~/', 'mv -t ~ a.txt', 'find . -name "*.txt" -exec mv -t ~ {} +'])
    assert.doesNotMatch(saidOf(script).join(), /^danger|a directory of the system or the home/, script);
  for (const script of ['mv ~ /tmp/x', 'mv -t /tmp ~', 'mv / x'])
    assert.match(saidOf(script)[0] ?? '', /^danger: .*a directory of the system or the home directory/, script);
});

test('only the words of which it holds are said to hold keys or to belong to the system', () => {
  for (const [script, form] of [
    ['rm a.txt .env b.txt', /^danger: `rm` deletes `\.env`, which holds keys or settings\.$/],
    ['tee a.yml .env', /^danger: `tee` writes `\.env`, which holds keys or is run at start\.$/],
    ['chmod u+x a.sh /etc/passwd', /^danger: `chmod u\+x` .*`\/etc\/passwd`, which belongs to the system\.$/],
    ['sed -i s/a/b/ a.txt .env', /^danger: `sed s\/a\/b\/` edits `\.env`, which holds keys or settings\.$/],
    ['mv a.txt .env d', /^danger: `mv` moves `a\.txt \.env` to `d`: settings, keys or history\.$/],
    ['cp .env d', /^caution: .*\n?.*/],
  ] as const)
    assert.match(
      saidOf(script)
        .join('\n')
        .split('\n')
        .find((line) => form.test(line)) ?? saidOf(script).join(),
      form,
      script,
    );
});

test('what is copied out of a container, a pod or a bucket overwrites what is there', () => {
  const written = (script: string) => outputsOf(script.split(' '));
  assert.deepEqual(written('docker cp web:/data/a.txt a.txt'), ['a.txt', 'a.txt/a.txt']);
  assert.deepEqual(written('docker container cp web:/data/a.txt .'), ['.', 'a.txt']);
  assert.deepEqual(written('kubectl cp ns/web:/tmp/a.txt a.txt -c main'), ['a.txt', 'a.txt/a.txt']);
  assert.deepEqual(written('aws s3 cp s3://bucket/a.txt .'), ['.', 'a.txt']);
  for (const script of [
    'docker cp a.txt web:/data/',
    'docker run --rm alpine cp a b',
    'kubectl cp a.txt web:/tmp/',
    'kubectl apply -f a.yaml',
    'aws s3 cp a.txt s3://bucket/',
    'aws s3 ls s3://bucket/',
  ])
    assert.deepEqual(written(script), [], script);
});

test('what is fetched to a file by its place among the words, or where it is newer, overwrites what is there', () => {
  const written = (script: string) => overwrittenBy(script.split(' '), '/w');
  for (const [script, ...files] of [
    ['aws lambda invoke --function-name f --payload {} out.json', '/w/out.json'],
    ['aws --profile p lambda invoke --function-name f out.json --log-type Tail --no-cli-pager', '/w/out.json'],
    ['aws s3api get-object --bucket b --key k a/out.bin', '/w/a/out.bin'],
    ['aws polly synthesize-speech --text hi --voice-id J --output-format mp3 hi.mp3', '/w/hi.mp3'],
    ['wget -N https://h.org/a/x.csv', '/w/x.csv'],
    ['wget -qN -P data https://h.org/a/x.csv?v=1', '/w/data/x.csv?v=1'],
    ['wget --timestamping https://h.org/x.csv https://h.org/y.csv', '/w/x.csv', '/w/y.csv'],
    ['gsutil -m cp gs://b/d/x.csv data', '/w/data', '/w/data/x.csv'],
    ['gcloud storage cp gs://b/x.csv .', '/w', '/w/x.csv'],
    ['gcloud compute scp vm:~/x.csv y.csv', '/w/y.csv', '/w/y.csv/x.csv'],
    ['az storage blob download -c c -n n -f x.csv', '/w/x.csv'],
    ['az storage blob download --container-name c --name n --file x.csv', '/w/x.csv'],
    ['gh release download v1 -O x.csv --clobber', '/w/x.csv'],
    ['gh release download v1 --clobber -D data -p x.csv', '/w/data/x.csv'],
    ['sftp host:/data/x.csv y.csv', '/w/y.csv', '/w/y.csv/x.csv'],
    ['rclone copyto remote:d/x.csv y.csv', '/w/y.csv', '/w/y.csv/x.csv'],
    ['rclone copy remote:d/x.csv data', '/w/data/x.csv'],
    ['rclone moveto remote:d/x.csv y.csv -P', '/w/y.csv', '/w/y.csv/x.csv'],
    ['rsync -avz -e ssh me@host:/d/x.csv y.csv', '/w/y.csv', '/w/y.csv/x.csv'],
    ['rsync --progress rsync://host/mod/x.csv .', '/w', '/w/x.csv'],
    ['oc cp web:/tmp/x.csv y.csv', '/w/y.csv', '/w/y.csv/x.csv'],
    ['nerdctl cp web:/tmp/x.csv .', '/w', '/w/x.csv'],
    ['docker compose cp web:/tmp/x.csv .', '/w', '/w/x.csv'],
    ['docker compose -f c.yml cp web:/tmp/x.csv .', '/w', '/w/x.csv'],
    ['docker-compose cp web:/tmp/x.csv y.csv', '/w/y.csv', '/w/y.csv/x.csv'],
    ['multipass transfer vm:x.csv y.csv', '/w/y.csv', '/w/y.csv/x.csv'],
    ['s3cmd get --force s3://b/x.csv y.csv', '/w/y.csv', '/w/y.csv/x.csv'],
    ['pscp me@host:/d/x.csv y.csv', '/w/y.csv', '/w/y.csv/x.csv'],
    ['http --download -o x.csv https://h.org/x', '/w/x.csv'],
    ['xh -d -o x.csv https://h.org/x', '/w/x.csv'],
    ['mkfs.ext4 -F -L root -d src disk.img', '/w/disk.img'],
    ['mkfs -t ext4 disk.img', '/w/disk.img'],
    ['mkfs.vfat -n EFI -F 32 disk.img', '/w/disk.img'],
    ['mkfs.xfs -f disk.img', '/w/disk.img'],
    ['mkswap swap.img', '/w/swap.img'],
    ['cryptsetup -q luksFormat --type luks2 disk.img key', '/w/disk.img'],
    ['azcopy copy https://a.blob.core.windows.net/c/x.csv y.csv', '/w/y.csv', '/w/y.csv/x.csv'],
  ] as const)
    assert.deepEqual(written(script), files, script);
  for (const script of [
    'aws lambda invoke help',
    'aws lambda list-functions --output json',
    'aws s3api get-object-acl --bucket b --key k',
    'aws s3api put-object --bucket b --key k --body a',
    'wget https://h.org/x.csv',
    'rsync -a x.csv y.csv',
    'rsync -a x.csv host:/d/',
    'rsync -avub host:/d/x.csv .',
    'rsync -n host:/d/x.csv .',
    'rclone copy x.csv remote:d',
    'rclone copy --ignore-existing remote:d/x.csv data',
    's3cmd get s3://b/x.csv y.csv',
    'docker compose up -d a:b c',
    'mkfs.ext4 -n disk.img',
    'cryptsetup luksFormat disk.img',
    'cryptsetup -q luksDump disk.img',
    'mkfs.xfs -N disk.img',
    'wget -N -nc https://h.org/x.csv',
    'wget -N --directory-prefix=data https://h.org/x.csv',
    'gsutil cp -n gs://b/x.csv y.csv',
    'gsutil cp y.csv gs://b/x.csv',
    'gcloud storage ls gs://b',
    'az storage blob upload -f x.csv',
    'gh release download v1 -O x.csv',
    'gh release upload v1 x.csv --clobber',
    'sftp host',
    'rclone copyto y.csv remote:d/x.csv',
  ])
    assert.deepEqual(written(script), [], script);
});

test('who asks a cloud, or downloads from a forge, is not said to change it', () => {
  for (const [script, form] of [
    ['aws dynamodb scan --table-name t', /^safe: .*only reads from the service/],
    ['aws logs filter-log-events --log-group-name g', /^safe: .*only reads from the service/],
    ['aws cloudtrail lookup-events', /^safe: .*only reads from the service/],
    ['aws dynamodb batch-get-item --request-items file://a', /^safe: .*only reads from the service/],
    ['aws dynamodb batch-write-item --request-items file://a', /^caution: .* changes the cloud/],
    ['aws s3api get-object --bucket b --key k x', /^caution: Overwrites x, if it is there/],
    ['gh release download v1', /^caution: .* downloads `v1`/],
    ['gh run download 12', /^caution: .* downloads `12`/],
  ] as const)
    assert.match(saidOf(script)[0] ?? '', form, script);
});
