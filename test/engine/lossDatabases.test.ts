import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
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

  /** A database whose last rows stand in the log beside it, as whoever is killed leaves it. */
  function withLog(): string {
    const cwd = workspace({ 'readme.txt': '' });
    const sql = `pragma journal_mode = wal; ${rows}pragma wal_checkpoint(truncate); ${fill}`;
    execFileSync(
      'sqlite3',
      [`${cwd}/made.db`, sql, '.shell cp made.db app.db; cp made.db-wal app.db-wal; cp made.db-shm app.db-shm'],
      { cwd },
    );
    fs.rmSync(`${cwd}/made.db`);
    assert.ok(fs.statSync(`${cwd}/app.db-wal`).size > 0);
    return cwd;
  }

  async function lostOf(script: string): Promise<string[]> {
    const cwd = withLog();
    const action = { kind: 'command', script, shell: 'bash', cwd } as const;
    const { events, view } = foretell.predict({
      action,
      env: { PATH: '/usr/bin:/bin', HOME: folder },
      signal: new AbortController().signal,
    });
    const { loss } = await foldAll(action, events);
    await view.close();
    return loss.map(({ path: file, going }) => `${path.basename(file)} ${going}`);
  }

  for (const [script, lost] of [
    ["sqlite3 app.db 'select count(*) from t'", []],
    ['sqlite3 app.db "insert into t values(1, \'new\')"', []],
    ["sqlite3 app.db 'pragma wal_checkpoint(truncate)'", []],
    ["sqlite3 app.db 'pragma journal_mode = delete'", []],
    ["sqlite3 app.db 'delete from t where a = 7'", ['app.db edited']],
    ["sqlite3 app.db 'delete from t'", ['app.db replaced']],
    ['rm app.db-shm', []],
    ['rm app.db-wal', ['app.db-wal deleted']],
    ['rm app.db-wal app.db-shm', ['app.db-wal deleted']],
    ['> app.db-wal', ['app.db-wal replaced']],
    ['rm app.db*', ['app.db deleted', 'app.db-wal deleted']],
    ['cp readme.txt app.db', ['app.db replaced']],
    ["sqlite3 app.db '.backup b.db' && rm app.db*", []],
    ['sqlite3 app.db "vacuum into \'v.db\'" && rm app.db*', []],
    ['sqlite3 app.db .dump > a.sql && rm app.db*', []],
    ["sqlite3 app.db '.dump t' > a.sql && rm app.db*", ['app.db deleted', 'app.db-wal deleted']],
    [
      "sqlite3 app.db '.backup b.db' && sqlite3 b.db 'delete from u' && rm app.db*",
      ['app.db deleted', 'app.db-wal deleted'],
    ],
    ['cp app.db b.db && rm app.db*', ['app.db-wal deleted']],
  ] as const)
    test(`a database with a log beside it: ${script}`, async () => assert.deepEqual(await lostOf(script), lost));

  /** What comes to another place without what belongs to it. */
  async function partedBy(script: string, cwd: string): Promise<string[]> {
    const action = { kind: 'command', script, shell: 'bash', cwd } as const;
    const { events, view } = foretell.predict({
      action,
      env: { PATH: '/usr/bin:/bin', HOME: folder },
      signal: new AbortController().signal,
    });
    const { effects, verdict } = await foldAll(action, events);
    await view.close();
    const parted = effects.flatMap(({ fact }) => {
      if (fact?.kind === 'databaseMixed') return [`${path.relative(cwd, fact.database)} beside another's ${fact.from}`];
      if (fact?.kind !== 'databaseParted') return [];
      return [`${fact.isCopy ? 'copied' : 'moved'} ${path.relative(cwd, fact.to)} without ${fact.from}`];
    });
    assert.ok(parted.length === 0 || verdict.level !== 'safe');
    return parted;
  }

  for (const [script, parted] of [
    ['mv app.db b.db', ['moved b.db without log']],
    ['mkdir s && mv app.db s/', ['moved s/app.db without log']],
    ['cp app.db b.db', ['copied b.db without log']],
    ['cp app.db b.db && rm app.db', ['moved b.db without log']],
    ['mkdir s && mv app.db* s/', []],
    ['mv app.db b.db && mv app.db-wal b.db-wal', []],
    ['mkdir s && cp app.db* s/', []],
    ["sqlite3 app.db '.backup b.db'", []],
    ["sqlite3 app.db 'pragma wal_checkpoint(truncate)' && mv app.db b.db", []],
    ['cp app.db-wal b.db-wal', []],
    ["sqlite3 n.db 'create table z(a)' && cp n.db app.db", ["app.db beside another's log"]],
    ["sqlite3 n.db 'create table z(a)' && mv n.db app.db", ["app.db beside another's log"]],
    ["sqlite3 n.db 'create table z(a)' && rm app.db-wal && cp n.db app.db", []],
    ["sqlite3 app.db 'pragma wal_checkpoint(passive)'", []],
    ['sqlite3 app.db "insert into t values(1, 2)"', []],
  ] as const)
    test(`a database and its log: ${script}`, async () => assert.deepEqual(await partedBy(script, withLog()), parted));

  test('a database and its journal: whoever is killed leaves one by which a change is taken back', async () => {
    const cwd = workspace({ 'readme.txt': '' });
    const half = 'pragma cache_size = 1; begin; update t set b = hex(randomblob(900));';
    execFileSync(
      'sqlite3',
      [`${cwd}/made.db`, `${rows}${fill}${half}`, '.shell cp made.db app.db; cp made.db-journal app.db-journal'],
      {
        cwd,
      },
    );
    assert.deepEqual(await partedBy('mv app.db b.db', cwd), ['moved b.db without journal']);
    assert.deepEqual(await partedBy('mkdir s && mv app.db* s/', cwd), []);
  });
});
