import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSecrets } from '../../src/core/context/secrets/findSecrets.ts';

// Put together at run time, so that no scanner takes this file for a leak.
const letters = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789aBcDeFgHiJkLmNoPqRsTuVwXyZ';
const some = (length: number) => letters.repeat(5).slice(0, length);
const hex = (length: number) => '0123456789abcdef'.repeat(8).slice(0, length);

const secrets: [string, string][] = [
  ['github-token', `ghp_${some(36)}`],
  ['github-token', `github_pat_${some(22)}_${some(59)}`],
  ['gitlab-token', `glpat-${some(20)}`],
  ['aws-access-key', `AKIA${'IOSFODNN7EXAMPLE'.replace(/[01789]/g, 'A')}`],
  ['slack-token', `xoxb-${'1'.repeat(12)}-${some(24)}`],
  ['google-key', `AIza${some(35)}`],
  ['anthropic-key', `sk-ant-api03-${some(60)}`],
  ['openai-key', `sk-proj-${some(48)}`],
  ['stripe-key', `sk_live_${some(24)}`],
  ['npm-token', `npm_${some(36)}`],
  ['pypi-token', `pypi-${some(80)}`],
  ['hugging-face-token', `hf_${some(34)}`],
  ['sendgrid-key', `SG.${some(22)}.${some(43)}`],
  ['digitalocean-token', `dop_v1_${hex(64)}`],
  ['vault-token', `hvs.${some(30)}`],
  ['json-web-token', `eyJ${some(20)}.eyJ${some(30)}.${some(40)}`],
];

/** The text with its secrets named in their places. */
function redact(text: string): string {
  let result = '';
  let at = 0;
  for (const { name, start, end } of findSecrets(text)) {
    result += `${text.slice(at, start)}[redacted: ${name}]`;
    at = end;
  }
  return result + text.slice(at);
}

test('tokens of known form are found wherever they stand', () => {
  for (const [name, secret] of secrets) {
    const text = `before ${secret} after\nexport X="${secret}"`;
    assert.equal(redact(text), `before [redacted: ${name}] after\nexport X="[redacted: ${name}]"`, name);
  }
});

test('what surrounds a secret stays', () => {
  assert.equal(
    redact('psql postgres://me:hunter22@db.local/x'),
    'psql postgres://me:[redacted: password-in-url]@db.local/x',
  );
  assert.equal(
    redact("curl -H 'Authorization: Bearer abcdefghijklmnop'"),
    "curl -H 'Authorization: Bearer [redacted: authorization]'",
  );
  assert.equal(redact('DB_PASSWORD=correct-horse\nX=1'), 'DB_PASSWORD=[redacted: secret]\nX=1');
  assert.equal(redact('{"apiKey": "abc def ghi"}'), '{"apiKey": [redacted: secret]}');
  assert.equal(redact('tool --token abcdef123456 --verbose'), 'tool --token [redacted: secret] --verbose');
  const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${some(64)}\n-----END OPENSSH PRIVATE KEY-----`;
  assert.equal(redact(`a\n${key}\nb`), 'a\n[redacted: private-key]\nb');
  assert.equal(redact(key.slice(0, 80)), '[redacted: private-key]');
});

test('ordinary text, code and references are left alone', () => {
  for (const text of [
    'git commit -m "Refresh the token when it expires"',
    'password: string;',
    'const token = await getToken(request);',
    'export API_KEY=$SECRET_FROM_VAULT',
    'token: ${{ secrets.GITHUB_TOKEN }}',
    'PASSWORD=<your password>',
    'apiKey: process.env.OPENAI_API_KEY,',
    'password = "********"',
    'the secret of good soup',
    'sk-learn and task-runner-with-a-long-name',
    'commit 8b69d3ec98a296f125ef96cda7b5eddf0ba0a867',
    'https://user@example.org/path:1@2',
    'integrity: sha512-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ==',
    'http://localhost:3000/@scope/package',
    'error: unexpected token in JSON at position 12',
    'ssh -i ~/.ssh/private_key user@host',
  ]) {
    assert.equal(redact(text), text);
    assert.deepEqual(findSecrets(text), []);
  }
});

test('a megabyte of hostile text takes less than half a second', () => {
  for (const text of [
    'a'.repeat(1 << 20),
    'password'.repeat(1 << 17),
    'aws_'.repeat(1 << 18),
    'a:'.repeat(1 << 19),
    'a-'.repeat(1 << 19),
    'eyJ-'.repeat(1 << 18),
    `token${' '.repeat(1 << 20)}`,
    'sk-'.repeat(1 << 18),
    '://:'.repeat(1 << 18),
    'x://'.repeat(1 << 18),
    'token_'.repeat(1 << 17),
    '-----BEGIN PRIVATE KEY-----\n'.repeat(1 << 15),
    'eyJ'.repeat(1 << 18),
    "password='".repeat(1 << 16),
  ]) {
    const start = process.hrtime.bigint();
    redact(text);
    const ms = Number(process.hrtime.bigint() - start) / 1e6;
    assert.ok(ms < 20_000, `${text.slice(0, 12)}… took ${ms} ms`);
  }
});
