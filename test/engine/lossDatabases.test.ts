import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { byEachEngine } from '../byEachEngine.ts';

/** What a database of SQLite loses is a matter of its rows: the bytes of a page move when one is added. */

const rows = "create table t(a, b); create table u(c); insert into u values('kept');";
const fill =
  "with recursive n(i) as (select 1 union all select i + 1 from n where i < 300) insert into t select i, 'row ' || i from n;";

byEachEngine('databases', ({ foretell, folder, workspace }) => {
  async function judged(statement: string, before = '') {
    const cwd = workspace({ 'readme.txt': '' });
    execFileSync('sqlite3', [`${cwd}/app.db`, `${before}${rows}${fill}`]);
    const script = `sqlite3 app.db "${statement}"`;
    const action = { kind: 'command', script, shell: 'bash', cwd } as const;
    const env = { PATH: '/usr/bin:/bin', HOME: folder };
    const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
    const { loss, ending } = await foldAll(action, events);
    await view.close();
    assert.equal(ending, 'done', statement);
    return loss.map(({ going }) => going).join();
  }

  for (const statement of ["insert into t values(1, 'new')", 'create table later(d); create index i on t(a)', 'vacuum'])
    test(`nothing goes: ${statement}`, async () => assert.equal(await judged(statement), ''));

  for (const [statement, going] of [
    ["update t set b = 'other' where a = 7", 'edited'],
    ['delete from t where a = 7', 'edited'],
    ['drop table u', 'edited'],
    ['pragma user_version = 7', 'edited'],
    ['delete from t', 'replaced'],
    ['drop table t', 'replaced'],
  ] as const)
    test(`rows go: ${statement}`, async () => assert.equal(await judged(statement), going));

  test('what is kept beside it is not read, and nothing is said of rows', async () => {
    assert.notEqual(await judged("insert into t values(1, 'new')", 'pragma journal_mode = wal;'), '');
  });
});
