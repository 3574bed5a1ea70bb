import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LookKind } from '../../src/core/facts/consent.ts';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { headlineOf } from '../../src/core/verdict/headlineOf.ts';
import { byEachEngine, type Made } from '../byEachEngine.ts';
import { runInNamespaces } from './inNamespaces.ts';
import { compilePrograms } from './programs.ts';

/**
 * What may be asked as a look, with the consent to it: a server of this machine gets one GET or HEAD, GitHub gets what gh only
 * reads, and nobody else gets anything. Root makes namespaces for it in which every address is the machine's own, and puts a `gh`
 * of ours where the system keeps its programs.
 */

const ownPlace =
  'ip link set lo up && ip route add local default dev lo && ip -6 route add local default dev lo && mount -t tmpfs none /usr/local/games';
const isInside = process.env['FORETELL_OWN_NETWORK'] !== undefined;
const canHaveOwn =
  !isInside && spawnSync('unshare', ['--net', '--mount', 'sh', '-c', ownPlace], { stdio: 'ignore' }).status === 0;

if (canHaveOwn)
  test('in namespaces of its own', () =>
    runInNamespaces(fileURLToPath(import.meta.url), ['--net', '--mount'], ownPlace));
else byEachEngine('outside-looks', askAll);

function askAll(made: Made): void {
  const { foretell, folder, workspace } = made;
  const asked: string[] = [];
  let elsewhere = 0;
  const server = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const to = { '/away': 'http://127.0.0.1:1/', '/other': `http://127.0.0.1:${portOf(canary)}/` }[request.url ?? ''];
    if (to) response.writeHead(302, { location: to });
    response.end(`said ${request.url}\n`);
  });
  const canary = net.createServer((socket) => {
    elsewhere += 1;
    socket.on('error', () => {}).destroy();
  });
  const forge = net.createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', (bytes) => {
        asked.push(String(bytes).trim());
        socket.end('a pull request\n');
      });
  });
  const others: net.Server[] = [];
  const listen = (one: net.Server, port: number, host: string) =>
    new Promise<void>((resolve) => one.on('error', () => resolve()).listen(port, host, resolve));

  before(async () => {
    await Promise.all([listen(server, 0, '127.0.0.1'), listen(canary, 0, '127.0.0.1')]);
    if (!isInside) return;
    fs.copyFileSync(path.join(compilePrograms().folder, 'gh'), '/usr/local/games/gh');
    await listen(forge, 443, '10.9.8.7');
    for (const [host, port] of [
      ['10.9.8.7', 8080],
      ['10.9.8.7', 80],
      ['169.254.169.254', 443],
      ['169.254.169.254', 80],
      ['127.0.0.2', portOf(server)],
      ['127.0.0.1', 443],
    ] as const) {
      const one = net.createServer((socket) => {
        elsewhere += 1;
        socket.on('error', () => {}).destroy();
      });
      others.push(one);
      await listen(one, port, host);
    }
  });
  after(() => {
    for (const one of [server, canary, forge, ...others]) one.close();
  });

  const home = path.join(folder, 'home');
  fs.mkdirSync(home);

  async function ask(
    script: string,
    {
      looks = ['localhost', 'github'],
      trusted = true,
      files = {},
      env = {},
    }: { looks?: LookKind[]; trusted?: boolean; files?: Record<string, string>; env?: Record<string, string> } = {},
  ): Promise<Prediction & { asked: string[]; cwd: string }> {
    const cwd = workspace({ 'a.txt': 'a\n', ...files });
    const action = { kind: 'command', script, shell: 'bash', cwd } as const;
    const from = asked.length;
    const whole = {
      PATH: '/usr/local/bin:/usr/bin:/bin:/usr/local/games',
      HOME: home,
      U: `localhost:${portOf(server)}`,
      ...env,
    };
    const { events, view } = foretell.predict({
      ...{ action, looks, trusted, env: whole },
      signal: new AbortController().signal,
    });
    const prediction = await foldAll(action, events);
    await view.close();
    return { ...prediction, asked: asked.slice(from), cwd };
  }

  const said = ({ output }: Prediction) => output.map(({ text, basis, volatile }) => [text, basis, volatile]);

  test('a server of this machine is asked once, and its answer is of that moment', async () => {
    const prediction = await ask('curl -s $U/health');
    assert.deepEqual(prediction.asked, ['GET /health']);
    assert.deepEqual(said(prediction), [['said /health\n', 'assumed', true]]);
    assert.equal(prediction.ending, 'abstained');
    const [assumption] = prediction.assumptions;
    assert.equal(assumption?.cause, 'looked-at');
    assert.match(assumption?.notKnown ?? '', /this machine's own server on port \d+/);
    // What it prints is known as of then: nothing says that it is not.
    const { reasons } = prediction.verdict;
    assert.ok(!reasons.some(({ kind }) => kind === 'incomplete'));
    assert.match(reasons.find(({ kind }) => kind === 'answeredThen')?.text ?? '', /said at \d\d:\d\d; it may say/);
    assert.equal(headlineOf(prediction.verdict), 'caution');
  });

  test('what rests on the answer is followed, also where it would fail', async () => {
    const prediction = await ask('for i in 1 2; do curl -sf $U/x; done | sort -u; curl -sf $U/x && rm a.txt');
    assert.deepEqual(prediction.asked, ['GET /x']);
    assert.deepEqual(said(prediction)[0], ['said /x\nsaid /x\n', 'assumed', true]);
    const removed = prediction.files.find((file) => file.path.endsWith('a.txt'));
    assert.deepEqual([removed?.change, removed?.basis], ['deleted', 'assumed']);
    assert.ok(prediction.otherwise.length > 0);
  });

  test('where something else is not known at all, that is what is said', async () => {
    const { verdict, assumptions } = await ask('curl -s $U/health; perl x.pl', {
      files: { 'x.pl': 'system("date");\n' },
    });
    assert.deepEqual(
      assumptions.map(({ cause }) => cause),
      ['looked-at', 'no-model'],
    );
    assert.ok(verdict.reasons.some(({ kind }) => kind === 'incomplete'));
    assert.ok(!verdict.reasons.some(({ kind }) => kind === 'answeredThen'));
  });

  test('without the consent, or in a workspace that is not trusted, nobody is asked', async () => {
    for (const how of [{ looks: [] }, { looks: ['github'] as LookKind[] }, { trusted: false }]) {
      const prediction = await ask('curl -s $U/health', how);
      assert.deepEqual([prediction.asked, said(prediction)], [[], []]);
    }
    const [{ ways } = {}] = (await ask('curl -s $U/health', { looks: [] })).assumptions;
    assert.ok(ways?.includes('askLocalhost'));
  });

  test('who follows to somebody else comes to no answer', async () => {
    for (const to of ['away', 'other']) {
      const prediction = await ask(`wget -qO- $U/${to}`);
      assert.deepEqual(prediction.asked, [`GET /${to}`]);
      assert.notEqual(prediction.assumptions[0]?.cause, 'looked-at');
    }
    assert.equal(elsewhere, 0);
  });

  // The server answers as of now: of what the command has done before it knows nothing.
  for (const script of [
    'echo new > a.txt; curl -s $U/a.txt',
    'rm a.txt; curl -s $U/a.txt',
    'npm run start-server; curl -s $U',
    'docker compose up -d && curl -s $U',
    `kill ${process.pid}; curl -s $U`,
    'curl -s -X POST $U/make; curl -s $U/made',
    'curl -s $U > out.txt',
  ]) {
    test(`nothing is asked behind what would change something: ${script}`, async () => {
      assert.deepEqual((await ask(script)).asked, []);
    });
  }

  for (const script of [
    'curl -sL $U/other',
    'curl -s -X POST $U',
    'curl -s -d a=b $U',
    'curl -s -T a.txt $U',
    'curl -s --json {} $U',
    'curl -s $U --next -X DELETE $U',
    'curl -s -K evil.conf',
    'echo "-X POST" | curl -sK - $U',
    'curl -s http://localhost@10.9.8.7/',
    'curl -s "http://localhost:80@10.9.8.7/"',
    'curl -s http://{localhost,10.9.8.7}/',
    'curl -s 10.9.8.7',
    'curl -s 169.254.169.254/latest/meta-data',
    'curl -s 0.0.0.0:${U#*:}',
    'curl -s 2130706433:${U#*:}',
    'curl -s 127.0.0.2:${U#*:}',
    'curl -s "[::ffff:127.0.0.1]:${U#*:}"',
    'curl -s localtest.me:${U#*:}',
    'curl -s -x http://10.9.8.7:8080 $U',
    'curl -s --connect-to ::10.9.8.7:80 $U',
    'curl -s --resolve localhost:80:10.9.8.7 http://localhost/',
    'curl -s --interface 127.0.0.2 $U',
    'curl -s --unix-socket daemon.sock $U',
    'curl -s gopher://$U/_x',
    'curl -s -o /etc/foretell-look $U',
    'curl -s -O $U/file',
    'curl -s -c jar -b jar $U',
    'curl -s -w "%output{/tmp/foretell-look}x" $U',
    'http_proxy=http://10.9.8.7:8080 curl -s $U',
    'export ALL_PROXY=http://10.9.8.7:8080; curl -s $U',
    'HOME=$PWD curl -s $U',
    'CURL_HOME=$PWD curl -s $U',
    'LD_PRELOAD=$PWD/evil.so curl -s $U',
    'LOCALDOMAIN=evil RES_OPTIONS=x curl -s $U',
    './curl -s $U',
    'PATH=$PWD:$PATH curl -s $U',
    'PATH=$PWD curl -s $U',
    'curl() { command curl -X POST "$@"; }; curl -s $U',
    'alias curl="curl -X POST"; shopt -s expand_aliases; eval "curl -s $U"',
    'exec -a curl bash -c "exec 3<>/dev/tcp/127.0.0.1/${U#*:}"',
    'ln -s /bin/bash /tmp/foretell-none 2>/dev/null; bash -c "exec 3<>/dev/tcp/127.0.0.1/${U#*:}; echo POST >&3"',
    'env curl -s -X PUT $U',
    'xargs -I{} curl -s -X {} $U <<< PATCH',
    'wget -q $U/file',
    'wget -qO- --post-data=x $U',
    'wget -qO- -e http_proxy=10.9.8.7:8080 $U',
    'wget -qO- -r $U',
    'WGETRC=$PWD/evil.conf wget -qO- $U',
  ]) {
    test(`nothing but a look comes through: ${script}`, async () => {
      const evil = '#!/bin/sh\nexec /usr/bin/curl -X POST "$@"\n';
      const prediction = await ask(script, {
        files: {
          'evil.conf': 'request = POST\nurl = "http://10.9.8.7/"\n',
          '.curlrc': 'request = POST\n',
          curl: evil,
          wget: evil,
        },
      });
      assert.deepEqual([prediction.asked, elsewhere], [[], 0]);
      for (const file of [
        '/etc/foretell-look',
        '/tmp/foretell-look',
        path.join(prediction.cwd, 'file'),
        path.join(prediction.cwd, 'jar'),
      ])
        assert.ok(!fs.existsSync(file), file);
    });
  }

  test('settings of the user end it, because they would count', async () => {
    fs.writeFileSync(path.join(home, '.curlrc'), 'request = POST\n');
    const prediction = await ask('curl -s $U');
    fs.rmSync(path.join(home, '.curlrc'));
    assert.deepEqual(prediction.asked, []);
  });

  askGithub(ask, { home, asked, elsewhere: () => elsewhere });
}

/** What a `gh` of the system may reach: servers at the port of HTTPS, and nothing of this machine. */
function askGithub(
  ask: (
    script: string,
    how?: { looks?: LookKind[]; env?: Record<string, string>; files?: Record<string, string> },
  ) => Promise<Prediction & { asked: string[] }>,
  { home, elsewhere }: { home: string; asked: string[]; elsewhere: () => number },
): void {
  const skip = isInside ? false : 'it needs a network and a place for programs of its own';

  test('gh is asked what only reads', { skip }, async () => {
    const prediction = await ask('gh pr view 12 | head -1', { env: { GH_TOKEN: 'mine' } });
    assert.deepEqual(prediction.asked, ['GET /pr view mine']);
    const [piece] = prediction.output;
    assert.deepEqual([piece?.text, piece?.basis, piece?.volatile], ['a pull request\n', 'assumed', true]);
    assert.match(prediction.assumptions[0]?.notKnown ?? '', /GitHub/);
  });

  test('without the consent it is not', { skip }, async () => {
    const prediction = await ask('gh pr view 12', { looks: ['localhost'] });
    assert.deepEqual(prediction.asked, []);
    assert.ok(prediction.assumptions[0]?.ways?.includes('askGithub'));
  });

  for (const mode of ['writes', 'elsewhere', 'keys', 'own', 'starts']) {
    test(`a gh that ${mode} comes to no answer`, { skip }, async () => {
      fs.writeFileSync(path.join(home, 'mode'), mode);
      fs.writeFileSync(path.join(home, 'evil'), '#!/bin/sh\ntouch "$HOME/written"\n', { mode: 0o755 });
      const prediction = await ask('gh pr view 12');
      fs.rmSync(path.join(home, 'mode'));
      assert.notEqual(prediction.assumptions[0]?.cause, 'looked-at');
      assert.equal(elsewhere(), 0);
      assert.ok(!fs.existsSync(path.join(home, 'written')));
    });
  }

  for (const script of [
    'gh pr merge 1',
    'gh pr view --web',
    'gh api -X POST repos/o/r',
    'gh api repos/o/r -f a=b',
    'gh api graphql',
    'gh api https://10.9.8.7/x',
    'GH_HOST=10.9.8.7 gh pr view 1',
    'gh pr view -R 10.9.8.7/o/r',
    'gh config set pager evil',
    'gh alias set view evil',
    'gh evil-extension',
    'GH_PAGER=./evil gh pr view 1',
    'GH_CONFIG_DIR=$PWD gh pr view 1',
    'PATH=$PWD:$PATH gh pr view 1',
    'git init -q && git -c user.name=a -c user.email=b@c commit -q --allow-empty -m x && gh pr view 1',
    'npm publish; gh pr view 1',
  ]) {
    test(`gh comes to nothing more: ${script}`, { skip }, async () => {
      const prediction = await ask(script, { files: { gh: '#!/bin/bash\nexec 3<>/dev/tcp/10.9.8.7/443\n' } });
      assert.deepEqual([prediction.asked, elsewhere()], [[], 0]);
    });
  }
}

function portOf(server: net.Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 1;
}
