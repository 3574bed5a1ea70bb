import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeProgram } from '../../src/core/programs/describeProgram.ts';
import { outputsOf } from '../../src/core/programs/outputs.ts';
import { startedBy } from '../../src/core/programs/startedBy.ts';
import { hasOpenName } from '../../src/core/verdict/evidence.ts';

/** Calls as they are pasted, whose options are those of another program's looking. */

function levelOf(call: string): string {
  // Words in single quotes are one.
  const argv = [...call.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const { level, known } = describeProgram(argv, '/w', { home: '/home/me', workspaceFolders: ['/w'] });
  return known ? level : 'unknown';
}

function assertLevels(levels: Record<string, string[]>): void {
  for (const [level, calls] of Object.entries(levels))
    for (const call of calls) assert.equal(levelOf(call), level, call);
}

test('what installs quietly installs', () => {
  assertLevels({
    safe: [
      'apt list',
      'dnf group list',
      'brew config',
      'flatpak config',
      'emerge -p a',
      'nix-env -q',
      'dpkg -l',
      'rpm -qa',
    ],
    caution: [
      'apt-get install -qq -y nginx',
      'apt-get -q update',
      'dnf install -y -q httpd',
      'yum -d0 -e0 -y install a',
      'dnf group install Tools',
      'brew install -q jq',
      'xbps-install -Su',
      'softwareupdate -ia',
      'emerge --sync',
      'dpkg-reconfigure -a',
      'unattended-upgrade',
      'flatpak config --set languages de',
    ],
    danger: [
      'emerge --depclean',
      'emerge -C a',
      'nix-collect-garbage',
      'xbps-remove a',
      'dpkg -P a',
      'rpm -e a',
      'nix-env -e a',
    ],
  });
});

test('settings and versions of Python’s tools are changed by what only shows them without more words', () => {
  assertLevels({
    safe: [
      'pip config list',
      'pip check',
      'poetry version',
      'poetry config --list',
      'poetry env info',
      'conda env list',
      'conda config --show',
      'conda env export',
      'uv python list',
    ],
    caution: [
      'poetry version patch',
      'uv version --bump minor',
      'poetry config virtualenvs.create false',
      'poetry env use 3.11',
      'uv python install 3.12',
      'hatch env create',
      'conda env create -f environment.yml',
      'conda config --add channels a',
      'conda env export -f a.yml',
    ],
    danger: [
      'pip config set a b',
      'uv python uninstall 3.12',
      'poetry env remove --all',
      'uv venv --clear',
      'python3 -m venv --clear v',
    ],
  });
  assert.deepEqual(outputsOf(['conda', 'env', 'export', '-f', 'a.yml']), ['a.yml']);
  assert.deepEqual(outputsOf(['conda', 'env', 'create', '-f', 'a.yml']), []);
});

test('what only lists at a registry is no change of it', () => {
  assertLevels({
    safe: ['npm token list', 'npm dist-tag ls a', 'npm owner ls', 'npm team ls a', 'npm run', 'npm pkg get name'],
    caution: ['npm run build', 'npm pkg delete a'],
    danger: ['npm token revoke a', 'npm dist-tag rm a b', 'npm owner add a b'],
  });
});

test('letters mean something else in each program for disks', () => {
  assertLevels({
    safe: [
      'wipefs disk.img',
      'wipefs -n -a disk.img',
      'losetup -a',
      'losetup -f',
      'hdparm -I /dev/sda',
      'badblocks -sv disk.img',
      'tune2fs -l disk.img',
      'mke2fs -n disk.img',
      'cryptsetup luksDump disk.img',
      'parted disk.img print',
      'mdadm --detail /dev/md0',
    ],
    caution: ['losetup -f disk.img', 'losetup -D'],
    danger: [
      'wipefs -a disk.img',
      'mkfs.ext4 -d files disk.img',
      'mkfs.xfs -l size=9m disk.img',
      'mkfs.btrfs -l 16k disk.img',
      'resize2fs -p disk.img',
      'blkdiscard -p 1M disk.img',
      'nvme format -l 1 /dev/nvme0n1',
      'mdadm --create /dev/md0 -l 1 a b',
      'fsck -l /dev/sda1',
      'badblocks -w disk.img',
      'hdparm -W0 -I /dev/sda',
      'sgdisk -Z -p disk.img',
    ],
  });
});

test('statements are read wherever a client is told them', () => {
  assertLevels({
    safe: [
      "bq query 'SELECT 1'",
      "psql a -c 'select 1'",
      "wrangler d1 execute db --command 'SELECT 1'",
      'rclone lsf remote:',
      'mongosh --version',
    ],
    caution: [
      "psql a -c 'select 1' -o f",
      "psql a -c '\\o f' -c 'select 1'",
      "psql a -c '\\copy t to f csv'",
      'mongodump -d a -c users',
      'mongoexport -d a -c users -o f',
      'mysqldump -c a',
      'heroku config',
      'vercel env pull .env',
      'kubectl cluster-info dump --output-directory=src',
      'kubectl kustomize k8s -o f',
      'helm template . --output-dir src',
    ],
    danger: [
      "bq query 'DELETE FROM a WHERE true'",
      'bq load --replace a b',
      "wrangler d1 execute db --command 'DELETE FROM a'",
      "turso db shell db 'drop table a'",
      "snowsql -q 'drop table a'",
      "aws rds-data execute-statement --sql 'DELETE FROM a'",
      "psql a -c '\\o | sh'",
      "psql a -c '\\copy t to program sh'",
      'pg_dump -c a',
    ],
  });
  const files = (statement: string) => outputsOf(['psql', 'a', '-c', statement]);
  assert.deepEqual(files('\\o f'), ['f']);
  assert.deepEqual(files("\\copy (select 1) to 'a b' csv"), ['a b']);
  for (const statement of ['\\o | less', '\\copy t from f', '\\copy t to stdout', "copy t to '/srv/f'", '\\o'])
    assert.deepEqual(files(statement), [], statement);
  assert.deepEqual(outputsOf(['psql', '-o', 'f', '-c', 'select 1']), ['f']);
  assert.deepEqual(outputsOf(['redis-cli', '--rdb', 'f']), ['f']);
  assert.deepEqual(outputsOf(['kubectl', 'kustomize', 'k8s', '-o', 'f']), ['f']);
  assert.deepEqual(outputsOf(['kubectl', 'get', 'pods', '-o', 'json']), []);
  assert.deepEqual(outputsOf(['vercel', 'env', 'pull', '.env', '--yes']), ['.env']);
});

test('archives are packed, listed and emptied by the first word of 7z and rar', () => {
  assertLevels({
    safe: ['7z l a.7z', 'rar lb a.rar'],
    caution: ['7z a a.7z f', '7z x a.7z -osrc -y', '7z d a.7z f'],
    danger: ['7z a -sdel a.7z f', 'rar m a.rar f', '7z x a.7z -o/etc'],
  });
});

test('what is started behind an option or in another namespace is found', () => {
  const first = (argv: string[]) => startedBy(argv)[0]?.argv;
  assert.deepEqual(first(['nix', 'develop', '-c', 'rm', '-rf', 'a']), ['rm', '-rf', 'a']);
  assert.deepEqual(first(['nix', 'shell', 'nixpkgs#a', '--command', 'rm', 'a']), ['rm', 'a']);
  assert.deepEqual(startedBy(['nix', 'develop']), []);
  assert.deepEqual(startedBy(['nix', 'build', '-c', 'a']), []);
  const [unshared] = startedBy(['podman', 'unshare', 'rm', '-rf', 'a']);
  assert.deepEqual(unshared?.argv, ['rm', '-rf', 'a']);
  assert.equal(unshared?.elsewhere, undefined);
  assert.equal(startedBy(['podman', 'run', 'alpine', 'rm', 'a'])[0]?.elsewhere, 'container');
  const [daemon] = startedBy(['start-stop-daemon', '--start', '--exec', '/bin/rm', '--', '-rf', 'a']);
  assert.deepEqual(daemon?.argv, ['/bin/rm', '-rf', 'a']);
  assert.equal(daemon?.isAway, true);
  assert.deepEqual(startedBy(['start-stop-daemon', '--stop', '--exec', '/bin/a']), []);
});

test('what stands behind a script, a module or a program that is run is for that', () => {
  assertLevels({
    safe: ['python3 -V', 'node --version', 'ruby -v', 'java -version', 'php --help', 'cargo run --help', 'go version'],
    caution: [
      'python3 scripts/x.py -v',
      'python3 setup.py install -v',
      'python3 -m pytest -v test',
      'python3 x.py --help',
      'node server.js --version',
      'ruby -v deploy.rb',
      'java -jar app.jar -v',
      'perl deploy.pl --version',
      'go run . -h',
    ],
  });
});

test('letters that list elsewhere lock, load and add', () => {
  assertLevels({
    safe: [
      'passwd -S bob',
      'chage -l bob',
      'route -n',
      'arp -a',
      'modprobe --show-depends a',
      'nginx -t',
      'pg_restore -l a',
      'sudo -l',
      'rpm -qi a',
      'dpkg -L a',
    ],
    caution: ['sudo rm -rfv a', 'jira issue create -t Bug', 'route -n add default gw 1.2.3.4'],
    danger: [
      'passwd -l bob',
      'usermod -l new old',
      'useradd -l bob',
      'modprobe -a a b',
      'depmod -a',
      'kexec -l kernel',
      'pg_resetwal -l 000000010000000000000002 data',
      'installer -pkg a.pkg -target /',
      'rpm -Uvh a.rpm',
      'zip -rmT a.zip f',
    ],
  });
});

test('a prompt that was pasted along is no name that only the shell will know', () => {
  for (const name of ['$X', '${X}/bin/a', '$(choose)', '`choose`', "$'a'", '$1'])
    assert.equal(hasOpenName([name]), true, name);
  for (const name of ['$', 'user@host:~/a$', 'a$/b', 'ls']) assert.equal(hasOpenName([name]), false, name);
});

test('what opens, exports and fetches keys is no look', () => {
  assertLevels({
    safe: ['az vm list', 'terraform providers', 'heroku open', 'tmux ls', 'tmux -V', 'aws s3 ls'],
    caution: [
      'az vm open-port',
      'az aks get-credentials',
      'gcloud container clusters get-credentials a',
      'gcloud sql export sql a gs://b',
      'aws ec2 export-image',
      'aws lightsail download-default-key-pair',
      'terraform providers lock',
      'terraform get',
      'vault read a',
      'op read a',
      'bw export',
      'firebase auth:export f',
    ],
    danger: ['tmux kill-session -v'],
  });
});
