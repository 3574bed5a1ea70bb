import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeProgram, isKnownProgram } from '../../src/core/programs/describeProgram.ts';
import { inlineCodeOf } from '../../src/core/programs/inlineCode.ts';
import { compilePattern, readArguments } from '../../src/core/programs/programPattern.ts';
import { findStaticPrograms } from '../../src/core/programs/staticPrograms.ts';
import { classifyTarget } from '../../src/core/programs/targets.ts';

const cwd = '/home/me/project';
const place = { cwd, home: '/home/me' };
const describe = (command: string) => describeProgram(command.split(' '), cwd, { home: '/home/me' });

test('a service that is started for a command does not stop the machine', () => {
  const { reason, level } = describeProgram(['systemd-run', '--user', 'rm', '-rf', 'real'], '/w');
  assert.deepEqual([reason, level], ['runs what it is given as a service', 'caution']);
});

test('data in volumes is named where they go', () => {
  assert.match(describe('docker system prune -af --volumes').reason, /volumes, with their data/);
  assert.doesNotMatch(describe('docker system prune -af').reason, /volumes/);
});

test('what is not in the table is unknown and never safe', () => {
  const knowledge = describe('frobnicate list');
  assert.equal(knowledge.known, false);
  assert.equal(knowledge.level, 'caution');
  assert.equal(isKnownProgram('frobnicate'), false);
  assert.equal(describeProgram([], cwd).known, false);
  for (const name of ['constructor', '__proto__', 'toString']) assert.equal(describe(name).known, false, name);
});

test('effects have the class of what would happen', () => {
  const effect = (command: string) => describe(command).effects.map((one) => one.effect);
  assert.deepEqual(effect('kubectl get pods'), ['network']);
  // It can do much in a cloud, and this is only about files.
  assert.deepEqual([effect('terraform fmt'), effect('terraform fmt -check .')], [[], []]);
  assert.deepEqual(effect('kubectl delete pod x'), ['container']);
  assert.deepEqual(effect('git push'), ['network']);
  assert.deepEqual(effect('git status'), []);
  assert.deepEqual(effect('systemctl restart x'), ['service']);
  assert.deepEqual(effect('dd if=a of=/dev/sda'), ['device']);
  assert.deepEqual(effect('kill 1'), ['signal']);
  assert.deepEqual(effect('psql -c drop'), ['database']);
  assert.deepEqual(effect('npm install x'), ['code-execution']);
  assert.deepEqual(effect('ls -l'), []);
});

test('where things are moved or copied to stands apart from what is', () => {
  const reason = (command: string) => describe(command).reason;
  assert.match(reason('mv a b'), /^moves `a` to `b`/);
  assert.match(reason('cp -r a b /tmp/c'), /^copies `a b` to `\/tmp\/c`/);
  // The place stands first, or there is none.
  assert.match(reason('mv -t d a'), /^moves `d a`/);
  assert.match(reason('cp --target-directory=d a b'), /^copies `a b`/);
  assert.match(reason('mv a'), /^moves `a`/);
});

test('what it touches: paths of file programs, names elsewhere', () => {
  assert.deepEqual(describe('rm -rf a ../b').touches, [`${cwd}/a`, '/home/me/b']);
  assert.deepEqual(describe('rm ~/x').touches, ['/home/me/x']);
  assert.deepEqual(describe('docker volume rm data logs').touches, ['data', 'logs']);
});

test('versions, paths and case of names are seen through', () => {
  assert.equal(describe('/usr/bin/python3.11 a.py').known, true);
  assert.equal(describe('Remove-Item -Recurse x').level, 'danger');
  assert.equal(describe('mkfs.newfs /dev/sda1').level, 'danger');
  assert.equal(describe('pip3 list').level, 'safe');
});

test('arguments are parted as getopt does', () => {
  const read = readArguments(['-xzf', 'a.tgz', '-C/tmp', '--name=x', '--', '-y'], new Set(['-f', '-C']), false);
  assert.deepEqual(read.words, ['-y']);
  const values = Object.fromEntries(
    read.options.filter((option) => option.value).map(({ name, value }) => [name, value]),
  );
  assert.deepEqual(values, { '-f': 'a.tgz', '-C': '/tmp', '--name': 'x' });
  assert.ok(read.options.some(({ name }) => name === '-z'));
  assert.deepEqual(readArguments(['-name', 'x', '-delete'], new Set(['-name']), true).options.at(-1), {
    name: '-delete',
  });
});

test('patterns: path, options, absence, values, classes', () => {
  const matches = (pattern: string, args: string) =>
    compilePattern(pattern)(
      readArguments(
        args.split(' ').filter((word) => word !== ''),
        new Set(['-X']),
        false,
      ),
      place,
    );
  assert.deepEqual(matches('rm|del -f', 'rm -rf a b'), ['a', 'b']);
  assert.equal(matches('rm -f', 'rm -r a'), undefined);
  assert.equal(matches('rm !-n', 'rm -n a'), undefined);
  assert.deepEqual(matches('* rm', 'volume rm a'), ['a']);
  assert.deepEqual(matches('-X=^DEL', '-X DELETE u'), ['u']);
  assert.equal(matches('-X=^DEL', '-X GET u'), undefined);
  assert.ok(matches('%home|root', 'a ~'));
  assert.equal(matches('%>home', '~ a'), undefined);
  assert.ok(matches('#0', '-a'));
  assert.equal(matches('#0', 'a'), undefined);
});

test('a project below /srv, /opt, /var/www or /usr/src is nobody else’s, and what lies beside it is the system’s', () => {
  for (const folder of ['/srv/app', '/opt/app', '/var/www/html', '/usr/src/app', '/usr/local/src/app']) {
    const inside = { cwd: `${folder}/lib`, home: '/home/me', workspaceFolders: [folder] };
    const has = (word: string) => classifyTarget(word, inside).has('system');
    for (const own of ['a.js', '../b.js', `${folder}/logs/x.log`, folder]) assert.ok(!has(own), own);
    for (const other of ['../../other/x', '/etc/hosts', `${folder}-2/x`, '/usr/lib/x']) assert.ok(has(other), other);
    const { level } = describeProgram(['sed', '-i', 's/a/b/', 'a.js'], folder, inside);
    assert.notEqual(level, 'danger', folder);
  }
  for (const folder of ['/etc/nginx', '/usr/lib/x', '/opt', '/var/lib/x', '/'])
    assert.ok(classifyTarget('/etc/nginx/a', { cwd: folder, home: '/home/me' }).has('system'), folder);
});

test('targets have classes by where they are', () => {
  const has = (word: string, name: Parameters<Set<string>['has']>[0]) =>
    (classifyTarget(word, place) as Set<string>).has(name);
  for (const root of ['/', '/*', '/etc', '//', '/usr/', 'C:\\']) assert.ok(has(root, 'root'), root);
  for (const home of ['~', '~/', '$HOME', '/home/me', '/home/me/*', '/home/other', '~root'])
    assert.ok(has(home, 'home'), home);
  for (const all of ['*', '.', '..', './*', '.*', '../..']) assert.ok(has(all, 'everything'), all);
  for (const secret of ['.env', '~/.ssh/id_rsa', 'server.key', '~/.aws/credentials', '.env.local'])
    assert.ok(has(secret, 'secret'), secret);
  for (const plain of ['.env.example', 'keyboard.ts', 'src/env.ts', 'id_rsa.pub'])
    assert.ok(!has(plain, 'secret'), plain);
  for (const startup of ['~/.bashrc', '.git/hooks/pre-commit', '/etc/cron.d/x', '~/.ssh/authorized_keys'])
    assert.ok(has(startup, 'startup'), startup);
  for (const device of ['/dev/sda', '/dev/nvme0n1p2', '/proc/sysrq-trigger']) assert.ok(has(device, 'device'), device);
  assert.ok(has('/dev/null', 'sink') && !has('/dev/null', 'device'));
  assert.ok(has('/tmp/x', 'temporary') && !has('/tmp/x', 'outside'));
  assert.ok(has('$X/a', 'unknown') && has('host:/a', 'remote') && has('https://a/b', 'url'));
  assert.ok(!has('src', 'outside') && has('../other', 'outside'));
});

const programs = (script: string, env: Record<string, string> = {}) =>
  findStaticPrograms(script, { ...place, env }).map(({ argv }) => argv.join(' '));

test('programs of a script, through every kind of wrapping', () => {
  assert.ok(programs('sudo -u x env A=1 nice rm -rf a').includes('rm -rf a'));
  assert.ok(programs('bash -c \'sh -c "rm -rf a"\'').includes('rm -rf a'));
  assert.ok(programs('find . -exec sh -c "rm {}" \\;').includes('rm {}'));
  assert.ok(programs('ssh host "cd x && rm -rf y"').includes('rm -rf y'));
  assert.ok(programs('echo $(rm a)').includes('rm a'));
  assert.ok(programs('cat <(rm a)').includes('rm a'));
  assert.ok(programs("trap 'rm a' EXIT").includes('rm a'));
  assert.ok(programs('awk \'BEGIN { system("rm a") }\'').includes('rm a'));
  assert.ok(programs("alias x='rm -rf a'").includes('rm -rf a'));
  assert.ok(programs('parallel rm ::: a b').includes('rm a b'));
});

test('known values are filled in, others stay as they are written', () => {
  assert.ok(programs('A=x; rm "$A/y" $B').includes('rm x/y $B'));
  assert.ok(programs("C='rm -rf /'; $C").includes('rm -rf /'));
  assert.ok(programs('{echo,rm} a').includes('echo rm a'));
  assert.ok(programs(`rm \${X:-d}`).includes('rm d'));
  assert.ok(programs('rm $X', { X: 'v' }).includes('rm v'));
  assert.ok(programs('rm ~/a').includes('rm /home/me/a'));
});

test('the working directory follows cd', () => {
  const found = findStaticPrograms('cd /etc && rm x; cd; rm y', { ...place, env: {} });
  assert.deepEqual(
    found.filter(({ argv }) => argv[0] === 'rm').map((program) => program.cwd),
    ['/etc', '/home/me'],
  );
});

test('expansion has an end', () => {
  const nested = 'bash -c "'.repeat(40);
  assert.ok(programs(nested).length < 100);
  assert.ok(programs(`echo ${'{a,b}'.repeat(20)}`).length < 10);
  assert.ok(programs('true\n'.repeat(20_000)).length <= 4000);
});

test('inline code of the usual languages', () => {
  assert.equal(inlineCodeOf(['python3', '-c', 'x'], undefined), 'x');
  assert.equal(inlineCodeOf(['python3', '-cprint(1)'], undefined), 'print(1)');
  assert.equal(inlineCodeOf(['perl', '-ne', 'x'], undefined), 'x');
  assert.equal(inlineCodeOf(['node', '--eval', 'x'], undefined), 'x');
  assert.equal(inlineCodeOf(['python3'], 'x'), 'x');
  assert.equal(inlineCodeOf(['python3', 'a.py'], 'x'), undefined);
  assert.equal(inlineCodeOf(['ls', '-c', 'x'], undefined), undefined);
});
