import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Environment, withoutSecrets } from '../../src/core/context/environment.ts';

const env = {
  PATH: '/usr/bin:/bin',
  HOME: '/home/u',
  PWD: '/w',
  OLDPWD: '/',
  TZ: 'Europe/Berlin',
  LC_ALL: 'de_DE.UTF-8',
  SSH_AUTH_SOCK: '/run/agent',
  XDG_SESSION_ID: '3',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus',
  EDITOR: 'vim',
  KEYBOARD: 'de',
  AWS_REGION: 'eu-central-1',
  AWS_PROFILE: 'work',
  AUTHOR: 'me',
  GIT_AUTHOR_NAME: 'Me',
  COMPASS: 'north',
  AWS_ACCESS_KEY_ID: 'x',
  AWS_SECRET_ACCESS_KEY: 'x',
  AWS_SESSION_TOKEN: 'x',
  GITHUB_TOKEN: 'x',
  GH_TOKEN: 'x',
  NPM_TOKEN: 'x',
  MY_PASSWORD: 'x',
  PGPASSWORD: 'x',
  MYSQL_PWD: 'x',
  OPENAI_API_KEY: 'x',
  CLIENT_SECRET: 'x',
  SENTRY_DSN: 'x',
  SLACK_WEBHOOK: 'x',
  DATABASE_URL: 'postgres://u:hunter22@db/x',
  OTHER: `ghp_${'a1'.repeat(18)}`,
  EMPTY_TOKEN: '',
  UNSET: undefined,
};

function withheldIn(variables: Environment, script: string): string[] {
  return withoutSecrets(variables, script).withheld.map(({ name }) => name);
}

test('secrets that the script does not name are withheld, everything else is kept', () => {
  const { env: kept } = withoutSecrets(env, 'ls -la');
  assert.deepEqual(withheldIn(env, 'ls -la'), [
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'CLIENT_SECRET',
    'DATABASE_URL',
    'GH_TOKEN',
    'GITHUB_TOKEN',
    'MYSQL_PWD',
    'MY_PASSWORD',
    'NPM_TOKEN',
    'OPENAI_API_KEY',
    'OTHER',
    'PGPASSWORD',
    'SENTRY_DSN',
    'SLACK_WEBHOOK',
  ]);
  for (const name of [
    'PATH',
    'HOME',
    'PWD',
    'OLDPWD',
    'TZ',
    'LC_ALL',
    'SSH_AUTH_SOCK',
    'XDG_SESSION_ID',
    'KEYBOARD',
    'AWS_REGION',
    'AWS_PROFILE',
    'AUTHOR',
    'GIT_AUTHOR_NAME',
    'COMPASS',
    'EMPTY_TOKEN',
    'DBUS_SESSION_BUS_ADDRESS',
    'EDITOR',
  ]) {
    assert.ok(name in kept, name);
  }
  assert.ok(!('UNSET' in kept));
});

test('a secret that the script names is given', () => {
  for (const script of ['echo $GITHUB_TOKEN', 'curl -H "Authorization: $GITHUB_TOKEN" x', 'printenv GITHUB_TOKEN']) {
    const withheld = withheldIn(env, script);
    assert.equal(withoutSecrets(env, script).env['GITHUB_TOKEN'], 'x');
    assert.ok(!withheld.includes('GITHUB_TOKEN'));
    assert.ok(withheld.includes('GH_TOKEN'));
  }
  assert.ok(withheldIn(env, 'echo MY_GITHUB_TOKEN_2').includes('GITHUB_TOKEN'));
});

test('what stands in for a secret has its form and nothing of it that is secret', () => {
  const standInsOf = (value: string) => withoutSecrets({ A_TOKEN: value }, '').withheld[0]?.standIns;
  assert.deepEqual(standInsOf('hunter-Zwei22'), ['xxxxxx-Xxxx11', 'yyyyyy-Yyyy22']);
  assert.deepEqual(standInsOf('sk_live_4eC39Hq'), ['sk_live_1xX11Xx', 'sk_live_2yY22Yy']);
  assert.deepEqual(standInsOf('ünlü7'), ['xxxx1', 'yyyy2']);
  const { withheld } = withoutSecrets({ DATABASE_URL: 'postgres://u:hunter22@db/x' }, '');
  assert.deepEqual(withheld[0]?.standIns, ['postgres://u:xxxxxx11@db/x', 'postgres://u:yyyyyy22@db/x']);
});

test('numbered settings of git are whole: their names are no secrets, and values that are have others in their place', () => {
  const settings = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Me' };
  assert.deepEqual(withoutSecrets(settings, 'git status'), { env: settings, withheld: [], named: [] });
  const secret = { ...settings, GIT_CONFIG_VALUE_0: `AUTHORIZATION: bearer ghp_${'a1'.repeat(18)}` };
  assert.deepEqual(withheldIn(secret, 'git status'), ['GIT_CONFIG_VALUE_0']);
});
