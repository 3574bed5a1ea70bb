import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeStatements } from '../../src/core/programs/statements.ts';
import { findStaticPrograms } from '../../src/core/programs/staticPrograms.ts';
import { staticFacts } from '../../src/core/verdict/staticFacts.ts';
import { judgedInWords } from './judgedInWords.ts';

const texts = new Map([
  ['/w/drop.sql', "-- clears all\nselect 'a';\nDROP TABLE users;\n"],
  ['/w/new.sql', 'create table a(b int);\n'],
  ['/w/read.sql', 'select 1;\nselect 2;\n'],
  ['/w/more.sql', '\\i drop.sql\n'],
  ['/w/starts.sql', 'select 1;\n\\! rm -rf /srv/app\n'],
  ['/w/clear.js', 'db.users.deleteMany({})\n'],
  ['/w/keys', 'SET a 1\nFLUSHALL\n'],
  ['/w/table.csv', 'delete,all\ndrop,more\n'],
]);

/** What is said of a command of which nothing could be run; the files of `texts` were read. */
function saidOf(script: string): string[] {
  const written = findStaticPrograms(script, { cwd: '/w', home: '/home/me', env: {}, texts });
  const action = { kind: 'command', script, shell: 'bash', cwd: '/w' } as const;
  const facts = staticFacts({ action, workspaceFolders: ['/w'], home: '/home/me', userId: 1000, env: {}, written });
  return judgedInWords(facts).map(({ level, reason }) => `${level}: ${reason}`);
}

const calls: Record<string, RegExp> = {
  'psql < drop.sql': /^danger: .* deletes or changes data, tables or rights/,
  'psql mydb < ./drop.sql': /^danger: .* deletes or changes data/,
  'psql -f drop.sql': /^danger: .* deletes or changes data/,
  'psql --file=drop.sql mydb': /^danger: .* deletes or changes data/,
  'psql -f new.sql -f drop.sql': /^danger: .* deletes or changes data/,
  'sqlplus me @drop.sql': /^danger: .* deletes or changes data/,
  'mysql -u root -p db < drop.sql': /^danger: .* deletes or changes data/,
  'cat drop.sql | mysql db': /^danger: .* deletes or changes data/,
  'docker exec -i db psql -U me < drop.sql': /^danger: .* deletes or changes data, tables or rights \(in a container\)/,
  'docker compose exec -T db mysql app < drop.sql': /^danger: .* deletes or changes data, .* \(in a container\)/,
  'sudo -u postgres psql < drop.sql': /^danger: .* deletes or changes data/,
  'mongosh db clear.js': /^danger: .* deletes or changes data/,
  'redis-cli < keys': /^danger: .* deletes or changes data/,
  'psql < more.sql': /^danger: .* runs a file of statements/,
  'psql < starts.sql': /^danger: .* runs another program/,
  'psql -f nosuch.sql': /^danger: .* runs statements that were not read/,
  'psql < nosuch.sql': /^danger: .* runs statements that were not read/,
  'zcat dump.sql.gz | psql mydb': /^danger: .* runs statements that were not read/,
  'psql < new.sql': /^caution: .* changes a database/,
  'psql < read.sql': /^safe: .* only reads from a database/,
  'psql -f read.sql': /^safe: .* only reads from a database/,
  "psql -c '\\copy t from stdin csv' < table.csv": /^caution: /,
  "cat table.csv | psql -c 'copy t from stdin'": /^caution: /,
  'redis-cli -x set a < table.csv': /^caution: /,
};

const statements: Record<string, string | undefined> = {
  '\\c prod\nDROP TABLE users;': 'destroys',
  '.mode csv\nDELETE FROM users;': 'destroys',
  'use prod\nTRUNCATE users;': 'destroys',
  'USE prod\nGO\nDROP TABLE users\nGO': 'destroys',
  'BEGIN\n  DELETE FROM users;\nEND;': 'destroys',
  'create or replace table t as select 1': 'destroys',
  '\\copy t from stdin csv': 'changes',
  'select * into copy from users': 'changes',
  'select pg_terminate_backend(7)': 'changes',
  '\\dt+ public.*': 'reads',
  '\\c prod\nselect 1;': 'reads',
  'select 1; select 2': 'reads',
  "select 'drop table into x'": 'reads',
};

for (const [text, asksFor] of Object.entries(statements))
  test(`what statements ask for: ${JSON.stringify(text)}`, () => assert.equal(judgeStatements(text), asksFor));

for (const [script, form] of Object.entries(calls))
  test(`statements that are fed are judged: ${script}`, () => {
    const [worst = ''] = saidOf(script);
    assert.match(worst, form);
  });
