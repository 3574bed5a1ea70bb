import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutSecrets } from '../../src/core/context/environment.ts';

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

test('secrets that the script does not name are withheld, everything else is kept', () => {
  const { env: kept, withheld } = withoutSecrets(env, 'ls -la');
  assert.deepEqual(withheld, [
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
    const { env: kept, withheld } = withoutSecrets(env, script);
    assert.equal(kept['GITHUB_TOKEN'], 'x');
    assert.ok(!withheld.includes('GITHUB_TOKEN'));
    assert.ok(withheld.includes('GH_TOKEN'));
  }
  assert.ok(withoutSecrets(env, 'echo MY_GITHUB_TOKEN_2').withheld.includes('GITHUB_TOKEN'));
});
