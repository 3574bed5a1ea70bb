import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outsideLookOf } from '../../src/core/programs/outsideLook.ts';

// Which calls only read from outside, by their words alone. What is not known to is none.

const own = { PATH: '/usr/bin:/bin', HOME: '/home/u', LANG: 'C.UTF-8' };

function lookOf(
  line: string,
  more: { set?: Record<string, string>; own?: Record<string, string>; columns?: number } = {},
) {
  const argv = line.match(/'[^']*'|\S+/g)?.map((word) => word.replace(/^'|'$/g, '')) ?? [];
  const mine = { ...own, ...more.own };
  const env = Object.entries({ ...mine, ...more.set, _: '/usr/bin/curl', SHLVL: '1' });
  const [name = ''] = argv;
  return outsideLookOf(argv, name.slice(name.lastIndexOf('/') + 1), {
    env: env.map(([key, value]) => `${key}=${value}`),
    own: mine,
    columns: more.columns,
  });
}

for (const [line, to] of [
  ['curl -s localhost:3000/health', 3000],
  ['curl -sSf http://localhost:3000/health', 3000],
  ['/usr/bin/curl -s http://127.0.0.1:8080/a/b.json?x=1&y=2', 8080],
  ['curl -s [::1]:3000', 3000],
  ['curl http://localhost', 80],
  ['curl -sk https://localhost/', 443],
  ['curl -I localhost:3000', 3000],
  ['curl -X GET -s localhost:3000', 3000],
  ["curl -s -o /dev/null -w '%{http_code}' localhost:3000", 3000],
  ["curl -so /dev/null -w '%{http_code}\\n' --max-time 2 localhost:3000", 3000],
  ["curl -s -H 'Accept: application/json' localhost:3000", 3000],
  ['wget -qO- localhost:3000', 3000],
  ['wget -q -O - http://127.0.0.1:3000/x', 3000],
  ['wget -q --spider localhost:3000', 3000],
] as const) {
  test(`it only reads: ${line}`, () => {
    assert.equal(lookOf(line)?.to, to);
  });
}

for (const line of [
  // Sends data, or makes another request of it.
  'curl -X POST localhost:3000',
  'curl -XDELETE localhost:3000',
  'curl --request PUT localhost:3000',
  'curl -X get localhost:3000',
  'curl -d a=1 localhost:3000',
  'curl -sda=1 localhost:3000',
  'curl --data-binary @f localhost:3000',
  'curl --json {} localhost:3000',
  'curl -F f=@x localhost:3000',
  'curl -T f localhost:3000',
  'curl -G -d a=1 localhost:3000',
  "curl -H 'X-HTTP-Method-Override: DELETE' localhost:3000",
  'curl -H @headers localhost:3000',
  "curl -H 'Upgrade: websocket' localhost:3000",
  'curl -u me:secret localhost:3000',
  'curl -n localhost:3000',
  // More than one request, or to somebody else.
  'curl -s localhost:3000 --next -X POST localhost:3000/x',
  'curl -s localhost:3000 http://evil.example',
  'curl -sL localhost:3000',
  'curl --location-trusted localhost:3000',
  'curl -K config localhost:3000',
  'curl -sK- localhost:3000',
  'curl --url http://evil.example localhost:3000',
  'curl http://localhost@evil.example/',
  'curl http://localhost:3000@evil.example/',
  'curl http://localhost:3000\\@evil.example/',
  'curl http://evil.example#localhost:3000',
  'curl http://localhost.evil.example:3000',
  'curl localtest.me:3000',
  'curl 127.0.0.1.nip.io:3000',
  'curl 0.0.0.0:3000',
  'curl 0:3000',
  'curl 2130706433:3000',
  'curl 0x7f000001:3000',
  'curl 127.1:3000',
  'curl 127.0.0.2:3000',
  'curl 127.0.0.11:53',
  'curl [::]:3000',
  'curl [::ffff:169.254.169.254]:80',
  'curl [::ffff:127.0.0.1]:3000',
  'curl 169.254.169.254/latest/meta-data',
  'curl http://{localhost,evil.example}:3000',
  'curl localhost:[3000-4000]',
  'curl localhost:3000/[1-9]',
  'curl localhost:99999',
  'curl localhost:0',
  'curl LOCALHOST.:3000',
  'curl -x http://evil.example:80 localhost:3000',
  'curl --proxy evil.example localhost:3000',
  'curl --preproxy socks5://e localhost:3000',
  'curl --connect-to ::evil.example: localhost:3000',
  'curl --resolve localhost:3000:1.2.3.4 localhost:3000',
  'curl --interface eth0 localhost:3000',
  'curl --dns-servers 1.2.3.4 localhost:3000',
  'curl --doh-url https://evil.example localhost:3000',
  'curl --unix-socket /var/run/docker.sock localhost/containers/json',
  'curl --abstract-unix-socket x localhost/',
  'curl gopher://localhost:6379/_FLUSHALL',
  'curl telnet://localhost:25',
  'curl file:///etc/shadow',
  'curl ftp://localhost/x',
  'curl dict://localhost:11211/stats',
  'curl --proto-default gopher localhost:6379',
  // Writes or reads files.
  'curl -o /etc/x localhost:3000',
  'curl -so/etc/x localhost:3000',
  'curl -sO localhost:3000/x',
  'curl -OJ localhost:3000/x',
  'curl -D headers localhost:3000',
  'curl -c jar localhost:3000',
  'curl -b jar localhost:3000',
  'curl --trace t localhost:3000',
  'curl --etag-save e localhost:3000',
  'curl --hsts h localhost:3000',
  'curl --stderr e localhost:3000',
  "curl -w '%output{/tmp/x}%{http_code}' localhost:3000",
  'curl -w @format localhost:3000',
  'curl -sZ --parallel localhost:3000',
  'curl --engine x localhost:3000',
  'curl',
  'curl -s',
  'wget localhost:3000',
  'wget -q localhost:3000/x',
  'wget -qO f localhost:3000',
  'wget -qO- -i list',
  'wget -qO- --post-data=a localhost:3000',
  'wget -qO- --method=DELETE localhost:3000',
  'wget -qO- -r localhost:3000',
  'wget -qO- -e robots=off localhost:3000',
  'wget -qO- --config=c localhost:3000',
  'wget -qO- --use-askpass=/tmp/x localhost:3000',
  'wget -bqO- localhost:3000',
  'wget -qO- localhost:3000 evil.example',
  'psql -h localhost -c select',
  'nc -z localhost 3000',
  'http localhost:3000',
]) {
  test(`it is more than a look, or nobody knows: ${line}`, () => {
    assert.equal(lookOf(line), undefined);
  });
}

test('settings that only files would add are shut out', () => {
  assert.deepEqual(lookOf('curl -s localhost:3000')?.argv.slice(0, 4), ['curl', '-q', '--globoff', '--noproxy']);
  assert.ok(lookOf('wget -qO- localhost:3000')?.argv.includes('--no-config'));
});

test('a variable that the script has set, or that leads elsewhere, is no look', () => {
  const line = 'curl -s localhost:3000';
  assert.equal(lookOf(line, { set: { CURL_HOME: '/w' } }), undefined);
  assert.equal(lookOf(line, { set: { HOME: '/w' } }), undefined);
  assert.equal(lookOf(line, { set: { LD_PRELOAD: '/w/x.so' } }), undefined);
  assert.equal(lookOf(line, { set: { ANYTHING: '1' } }), undefined);
  for (const name of [
    'http_proxy',
    'HTTP_PROXY',
    'all_proxy',
    'ALL_PROXY',
    'CURL_HOME',
    'HOSTALIASES',
    'SSLKEYLOGFILE',
  ])
    assert.equal(lookOf(line, { own: { [name]: 'x' } }), undefined, name);
  for (const name of [
    'GH_HOST',
    'GH_ENTERPRISE_TOKEN',
    'GITHUB_ENTERPRISE_TOKEN',
    'HTTPS_PROXY',
    'GIT_DIR',
    'GH_BROWSER',
  ]) {
    assert.equal(lookOf('gh pr view 1', { own: { [name]: 'x' } }), undefined, name);
    assert.equal(lookOf('gh pr view 1', { set: { [name]: 'x' } }), undefined, name);
  }
  assert.equal(lookOf('gh pr view 1', { set: { GH_PAGER: 'evil' } }), undefined);
  assert.equal(lookOf('gh pr view 1', { set: { GH_CONFIG_DIR: '/w' } }), undefined);
  assert.equal(lookOf('gh pr view 1', { own: { GH_TOKEN: 'mine' } })?.to, 'github');
});

test('a program that is called by the name of another is none', () => {
  const around = { env: [], own: {}, columns: undefined };
  assert.equal(outsideLookOf(['curl', '-s', 'localhost:3000'], 'bash', around), undefined);
  assert.equal(outsideLookOf(['./mine', '-s', 'localhost:3000'], 'curl', around), undefined);
});

test('at a terminal only what prints the same there', () => {
  assert.equal(lookOf('curl localhost:3000', { columns: 80 }), undefined);
  assert.equal(lookOf('curl -s localhost:3000', { columns: 80 })?.to, 3000);
  assert.equal(lookOf('gh pr list', { columns: 100 })?.env['GH_FORCE_TTY'], '100');
});

for (const line of [
  'gh pr view 12',
  'gh pr view --comments',
  'gh pr view 12 --json title,body -q .title',
  'gh pr list -L 5 --state open',
  'gh pr status',
  'gh pr checks 12',
  'gh pr diff 12 --name-only',
  'gh issue view 3 -R owner/repo',
  'gh issue list --label bug',
  'gh repo view owner/repo',
  'gh run view 123 -v',
  'gh run list --limit 3',
  'gh release view v1.2',
  'gh release list',
  'gh api repos/owner/repo/pulls',
  'gh api /user --jq .login',
  'gh api -X GET repos/{owner}/{repo}/issues?state=open --paginate',
  'gh pr view https://github.com/owner/repo/pull/1',
]) {
  test(`gh only reads: ${line}`, () => {
    assert.equal(lookOf(line)?.to, 'github');
  });
}

for (const line of [
  'gh pr create --fill',
  'gh pr merge 1',
  'gh pr close 1',
  'gh pr checkout 1',
  'gh pr comment 1 -b x',
  'gh pr view -w',
  'gh pr view --web',
  'gh pr list -w',
  'gh pr checks --watch',
  'gh pr checks --web',
  'gh issue close 1',
  'gh issue create',
  'gh repo delete owner/repo',
  'gh repo clone owner/repo',
  'gh repo view -w',
  'gh run rerun 1',
  'gh run cancel 1',
  'gh run view 1 --log',
  'gh run view -w',
  'gh run download 1',
  'gh run watch 1',
  'gh release download v1',
  'gh release delete v1',
  'gh workflow run x.yml',
  'gh auth token',
  'gh auth status --show-token',
  'gh config set pager evil',
  'gh config set editor evil',
  'gh alias set pv evil',
  'gh extension install x/y',
  'gh pv 1',
  'gh my-extension',
  'gh secret list',
  'gh browse',
  'gh gist view 1',
  'gh codespace ssh',
  'gh api -X POST repos/o/r/issues',
  'gh api -XDELETE repos/o/r',
  'gh api --method PATCH repos/o/r',
  'gh api repos/o/r/issues -f title=x',
  'gh api repos/o/r/issues -F n=1',
  'gh api repos/o/r/issues --raw-field title=x',
  'gh api repos/o/r/issues --input body.json',
  'gh api graphql',
  "gh api graphql -f 'query=mutation{x}'",
  'gh api /graphql',
  'gh api https://evil.example/x',
  'gh api //evil.example/x',
  'gh api repos/o/r --hostname evil.example',
  'gh api repos/o/r --cache 1h',
  "gh api repos/o/r -H 'X-HTTP-Method-Override: DELETE'",
  'gh api ../../x',
  'gh pr view -R evil.example/o/r',
  'gh pr view https://evil.example/o/r/pull/1',
  'gh pr view 1 2',
  'gh pr',
  'gh',
  'gh --version',
]) {
  test(`gh does more, or nobody knows: ${line}`, () => {
    assert.equal(lookOf(line), undefined);
  });
}
