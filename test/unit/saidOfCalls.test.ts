import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeProgram } from '../../src/core/programs/describeProgram.ts';
import { showCall } from '../../src/core/shell/quoteWord.ts';

// What is said of a call before it runs: its level, and the whole sentence. Each was wrong once, or stands beside one that was.
const said: Readonly<Record<string, readonly (readonly [call: string, level: string, sentence: string])[]>> = {
  'a mode, an owner or an attribute is no file': [
    ['chmod 644 a b', 'caution', '`chmod 644` changes who may use `a b`'],
    ['chmod -R go-w .', 'caution', '`chmod go-w` changes who may use everything at `.`'],
    ['chmod 777 a', 'danger', '`chmod 777` lets everybody write `a`'],
    ['chmod --reference=a b', 'caution', '`chmod` changes who may use `b`'],
    ['chown u:u a', 'caution', '`chown u:u` changes owner, group or attributes of `a`'],
    [
      'chown -R $USER /usr',
      'danger',
      "`chown '$USER'` changes owner or attributes of `/usr`, which belongs to the system",
    ],
    ['chown u: b', 'caution', '`chown u:` changes owner, group or attributes of `b`'],
    ['chmod 600 k.pem', 'caution', '`chmod 600` lets only the owner use `k.pem`'],
    ['chmod 644 k.pem', 'danger', '`chmod 644` changes who may use `k.pem`'],
    ['sed -i /x/d /etc/hosts', 'danger', '`sed /x/d` edits `/etc/hosts`, which belongs to the system'],
    ['install -m 755 x d', 'caution', '`install` copies `x` to `d`, over what may be there'],
    ['cp x /etc/hosts', 'danger', '`cp` copies `x` to `/etc/hosts`, into what belongs to the system'],
    ['cp /etc/hosts x', 'caution', '`cp` copies `/etc/hosts` to `x`, outside the workspace'],
    ['ln -sf /etc/passwd x', 'caution', '`ln -sf /etc/passwd x` replaces what is there by a link'],
    ['ln -sf x /etc/passwd', 'danger', '`ln -sf x /etc/passwd` replaces a file of the system by a link'],
    ['touch -d now a', 'safe', '`touch` only creates or touches `a`'],
    ['chgrp staff a', 'caution', '`chgrp staff` changes owner, group or attributes of `a`'],
    ['chattr +i a', 'caution', '`chattr +i` changes owner, group or attributes of `a`'],
    ['chattr -i a', 'caution', '`chattr` changes owner, group or attributes of `a`'],
    ['setfacl -m u:bob:rw a', 'caution', '`setfacl` changes owner, group or attributes of `a`'],
    ['setfattr -n user.x -v 1 a', 'caution', '`setfattr` changes owner, group or attributes of `a`'],
  ],
  'what an option is given is no package': [
    ['npm publish --access public', 'danger', '`npm publish --access public` changes something at the registry'],
    [
      'pip install -r requirements.txt',
      'caution',
      '`pip install -r requirements.txt` downloads packages and runs their install scripts',
    ],
    ['pip install -e .', 'caution', '`pip install` downloads packages and runs their install scripts: `.`'],
    ['poetry add x --group dev', 'caution', '`poetry add` downloads packages and runs their install scripts: `x`'],
    [
      'cargo add serde --features derive',
      'caution',
      '`cargo add` downloads packages and runs their install scripts: `serde`',
    ],
    [
      'conda create -n x python=3',
      'caution',
      '`conda create` downloads packages and runs their install scripts: `python=3`',
    ],
    ['uv pip install x', 'caution', '`uv pip install` downloads packages and runs their install scripts: `x`'],
    ['uv pip uninstall x', 'danger', '`uv pip uninstall` removes packages: `x`'],
    ['npm exec cowsay hi', 'caution', '`npm exec` may download a package and run it: `cowsay hi`'],
    ['pnpm dlx create-vite app', 'caution', '`pnpm dlx` may download a package and run it: `create-vite app`'],
    [
      'python3 -m pip install x',
      'caution',
      '`python3 -m pip install x` downloads packages and runs their install scripts',
    ],
    ['uv tool install ruff', 'caution', '`uv tool install` downloads packages and runs their install scripts: `ruff`'],
    ['uv run pytest', 'caution', '`uv run pytest` runs what it is given in the environment of the project'],
    ['pipx uninstall x', 'danger', '`pipx uninstall` removes packages: `x`'],
    ['pipx run x y', 'caution', '`pipx run` may download a package and run it: `x y`'],
    ['rustup self uninstall', 'danger', '`rustup self uninstall` removes tools or files'],
    ['dotnet publish -c Release', 'caution', '`dotnet publish -c Release` runs code of the project'],
    ['dart pub publish', 'danger', '`dart pub publish` publishes or changes a package'],
    ['python3 -m twine upload d', 'danger', '`python3 -m twine upload d` publishes a package'],
  ],
  'letters in one word are what the program makes of them': [
    ['pacman -Syu', 'caution', '`pacman -Syu` installs or updates packages of the machine'],
    ['pacman -Rns x', 'danger', '`pacman -Rns x` removes packages'],
    ['pacman -Ss x', 'safe', '`pacman -Ss x` only reads'],
    ['pacman -Sp x', 'safe', '`pacman -Sp x` only shows what it would change'],
    ['pacman -Qi x', 'safe', '`pacman -Qi x` only reads'],
    ['pacman -Scc', 'danger', '`pacman -Scc` deletes the cache of packages'],
    ['yay -Syu --noconfirm', 'caution', '`yay -Syu --noconfirm` installs or updates packages of the machine'],
    ['rpm -qi x', 'safe', '`rpm -qi x` only reads'],
    ['rpm -ivh x.rpm', 'danger', '`rpm -ivh x.rpm` installs a package file'],
    ['nix-env -iA x', 'caution', '`nix-env -iA x` installs or updates packages of the machine'],
    ['brew install -s x', 'caution', '`brew install -s x` installs or updates packages of the machine'],
    ['apt-get -s install x', 'safe', '`apt-get -s install x` only shows what it would change'],
    ['mvn clean install -DskipTests', 'caution', '`mvn clean install -DskipTests` deletes or changes built files'],
    ['go clean -modcache', 'danger', '`go clean -modcache` deletes the cache of packages'],
  ],
  'looking is no change, and what comes from there does not go there': [
    ['scp host:/etc/hosts .', 'caution', '`scp host:/etc/hosts .` copies files from or to another machine'],
    ['scp hosts host:/etc/hosts', 'danger', '`scp hosts host:/etc/hosts` writes to the system of another machine'],
    ['gcloud config list', 'safe', '`gcloud config list` only reads its own settings'],
    ['gcloud auth list', 'safe', '`gcloud auth list` only reads'],
    ['terraform fmt -check', 'safe', '`terraform fmt -check` only reads'],
    ['terraform validate', 'safe', '`terraform validate` only reads'],
    ['git clean -i', 'caution', '`git clean -i` asks which files that are not in the repository it deletes'],
    ['rm -i a', 'caution', '`rm` asks before it deletes `a`'],
  ],
  'what publishes says so': [
    ['mvn clean deploy', 'danger', '`mvn clean deploy` publishes or changes a package'],
    ['mvn release:perform', 'danger', '`mvn release:perform` publishes or changes a package'],
    ['mvn test', 'caution', '`mvn test` runs code of the project, or changes packages'],
    ['gradle build publish', 'danger', '`gradle build publish` publishes or changes a package'],
    [
      'gradle publishToMavenLocal',
      'caution',
      '`gradle publishToMavenLocal` runs code of the project, or changes packages',
    ],
    ['lerna publish', 'danger', '`lerna publish` publishes packages'],
    ['changeset publish', 'danger', '`changeset publish` publishes packages'],
  ],
  'what packs does not replace what it keeps': [
    ['zip -r a.zip d', 'caution', '`zip -r a.zip d` packs files'],
    ['zip -rm a.zip d', 'danger', '`zip -rm a.zip d` deletes the files that it packed'],
    ['gzip a', 'caution', '`gzip` replaces `a` by its packed or unpacked form'],
    ['gzip -k a', 'caution', '`gzip` makes a packed or unpacked copy of `a`'],
    ['zstd a', 'caution', '`zstd` makes a packed or unpacked copy of `a`'],
    ['zstd --rm a', 'caution', '`zstd` replaces `a` by its packed or unpacked form'],
    ['ar x a.a', 'caution', '`ar x a.a` packs or unpacks files'],
    ['ar t a.a', 'safe', '`ar t a.a` only lists'],
    ['uniq a b', 'caution', '`uniq a b` writes a file'],
    ['uniq -c a', 'safe', '`uniq -c a` only prints'],
    ['xxd -r a b', 'caution', '`xxd -r a b` writes a file'],
  ],
  git: [
    ['git --exec-path', 'safe', '`git --exec-path` only prints where its programs are'],
    ['git --exec-path=/tmp/x status', 'danger', '`git --exec-path=/tmp/x status` runs another program by its settings'],
    [
      'git rm -rf --cached .',
      'caution',
      '`git rm -rf --cached .` takes files out of the index, and leaves them where they are',
    ],
    ['git push -u -f origin main', 'danger', '`git push -u -f origin main` rewrites the history of the remote'],
    ['git tag -s -f v1', 'danger', '`git tag -s -f v1` deletes or moves tags'],
    [
      'git fetch --upload-pack=x origin',
      'danger',
      '`git fetch --upload-pack=x origin` runs another program for its work',
    ],
    ['git clone -u x y', 'danger', '`git clone -u x y` runs another program for its work'],
    ['git rm -f a', 'danger', '`git rm -f a` deletes files, also where they are not committed'],
    ['git maintenance start', 'caution', '`git maintenance start` changes what git runs at set times'],
    ['git maintenance run', 'safe', '`git maintenance run` tidies up the repository'],
    ['git rerere clear', 'caution', '`git rerere clear` forgets how conflicts were resolved'],
  ],
  'the machine': [
    ['insmod x.ko', 'danger', '`insmod x.ko` changes the kernel, the boot or the registry'],
    ['sysctl kernel.hostname', 'safe', '`sysctl kernel.hostname` only reads'],
    ['networksetup -setwebproxy x', 'caution', '`networksetup -setwebproxy x` changes the network of the machine'],
    ['networksetup -getinfo Wi-Fi', 'safe', '`networksetup -getinfo Wi-Fi` only reads'],
    ['parted /dev/sda print', 'safe', '`parted /dev/sda print` only reads a disk'],
    ['parted /dev/sda rm 1', 'danger', '`parted /dev/sda rm 1` changes a disk'],
    ['pkill -f node', 'danger', '`pkill -f node` ends all processes that have this in their command lines'],
    ['pkill -9 node', 'danger', '`pkill -9 node` kills processes at once'],
    ['pkill -u me', 'danger', '`pkill -u me` ends the processes of a user'],
    ['killall5', 'danger', '`killall5` ends processes of everybody'],
    ['gpg --delete-secret-key me', 'danger', '`gpg --delete-secret-key me` deletes keys'],
  ],
  'what is elsewhere': [
    [
      'kubectl config use-context prod',
      'caution',
      '`kubectl config use-context` changes how clusters are reached: `prod`',
    ],
    ['docker context use x', 'caution', '`docker context use` changes which machine its commands go to: `x`'],
    ['docker save -o x.tar x', 'caution', '`docker save -o x.tar x` writes or loads files of containers or images'],
    ['ansible all -m shell -a reboot', 'danger', '`ansible all -m shell -a reboot` runs a command on all machines'],
    ['ansible all -m ping', 'caution', '`ansible all -m ping` changes machines'],
    ['az group delete -n x', 'danger', '`az group delete -n x` deletes or stops what it names'],
    [
      'aws ec2 terminate-instances --instance-ids i',
      'danger',
      '`aws ec2 terminate-instances --instance-ids i` changes or stops something in the cloud',
    ],
    ['php artisan migrate:fresh', 'danger', '`php artisan migrate:fresh` deletes or changes a database'],
    ['python manage.py flush', 'danger', '`python manage.py flush` changes or empties the database'],
    [
      'php bin/console doctrine:schema:drop --force',
      'danger',
      '`php bin/console doctrine:schema:drop --force` deletes or changes a database',
    ],
    ['mix ecto.drop', 'danger', '`mix ecto.drop` deletes or changes a database'],
    ['dotnet ef database drop', 'danger', '`dotnet ef database drop` deletes a database'],
    ['influx delete --bucket x', 'danger', '`influx delete --bucket x` deletes or changes data, tables or rights'],
    ['pg_ctl stop -D d', 'caution', '`pg_ctl stop -D d` starts or stops a database server'],
    [
      'gcloud config set project x',
      'caution',
      '`gcloud config set project x` changes its own settings, or the log-in at the cloud',
    ],
    ['gcloud app deploy', 'danger', '`gcloud app deploy` changes or stops what it names'],
    ['gh auth logout', 'caution', '`gh auth logout` changes the log-in at the forge'],
    ['gh alias set a b', 'caution', '`gh alias set a b` changes its own settings'],
    ['gh alias delete a', 'caution', '`gh alias delete a` changes its own settings'],
    ['gh ssh-key delete 1', 'danger', '`gh ssh-key delete` deletes or stops `1`'],
    ['helm repo add a b', 'caution', '`helm repo add a b` changes charts, or where they come from'],
    ['helm uninstall a', 'danger', '`helm uninstall` deletes or rolls back `a`'],
    ['k9s', 'caution', '`k9s` opens a view of the cluster, from which it can be changed'],
    [
      'docker run --rm -it -v /:/h alpine chroot /h',
      'danger',
      '`docker run --rm -it -v /:/h alpine chroot /h` gives a container files of the machine',
    ],
    [
      'docker run -v /home/me:/root x',
      'danger',
      '`docker run -v /home/me:/root x` gives a container files of the machine',
    ],
    ['docker run -v /home/me/p:/w x', 'caution', '`docker run -v /home/me/p:/w x` runs programs in containers'],
    ['docker compose stop', 'caution', '`docker compose stop` stops the containers of the project'],
    [
      'docker compose build',
      'caution',
      '`docker compose build` builds images, which runs the commands of their recipes',
    ],
    ['deno run -A https://x.y/a.ts', 'danger', '`deno run -A https://x.y/a.ts` runs code that it fetches'],
    ['deno run a.ts', 'caution', '`deno run a.ts` runs code'],
  ],
};

for (const [kind, calls] of Object.entries(said)) {
  test(`what is said of a call: ${kind}`, () => {
    for (const [call, level, sentence] of calls) {
      const knowledge = describeProgram(call.split(' '), '/home/me/project', { home: '/home/me' });
      assert.deepEqual([knowledge.level, `\`${showCall(knowledge.head, [])}\` ${knowledge.reason}`], [level, sentence]);
    }
  });
}

test('what find and xargs put in the place of braces is not a name', () => {
  const { reason } = describeProgram(['rm', '{}'], '/home/me/project', { home: '/home/me' });
  assert.equal(reason, 'deletes what it is given');
});
