import type { Doing, Program, Starts } from '../program.ts';
import { defaultFiles } from './defaultFiles.ts';
import { servingAlways, servingByWord } from './projectWork.ts';

const sqlite: Doing = {
  effect: 'database',
  care: 'cv',
  says: 'opens a database{: rest}',
  rules: [
    ['dv', '@data=destroys', 'deletes or changes data or tables'],
    ['d', '@statement=^\\s*\\.(shell|system|load)\\b', 'runs another program or library', 'code-execution'],
    ['s', '@data=reads', 'only reads'],
    ['s', '-version|--version|-help', 'only prints'],
  ],
};

const administering: Doing = {
  effect: 'database',
  care: 'd',
  says: 'deletes or overwrites a database{: rest}',
  rules: [
    ['s', 'status|ping|version|processlist|extended-status|info|ring|tpstats|describecluster', 'only reads', 'network'],
    ['s', '--list|--help|--version', 'only reads'],
  ],
};

const restoring: Doing = { ...administering, rules: [['s', '-l', 'only reads'], ...(administering.rules ?? [])] };

/** Adds to what is there, unless its words say more. */
const importing: Doing = {
  effect: 'database',
  care: 'c',
  says: 'writes into a database',
  helps: true,
  rules: [
    ['s', '--dryRun|--version', 'only reads'],
    ['d', '--drop|--delete|-D|--replace|-r|--mode', 'deletes or overwrites data that is there'],
  ],
};

const administeringServer: Doing = {
  effect: 'database',
  care: 'c',
  says: 'changes a database server{: rest}',
  valued: '-u -h -P -S --user --host --port --socket',
  helps: true,
  rules: [
    ['d', 'drop', 'deletes a database{: rest}'],
    ['d', 'shutdown|kill|stop-slave|stop-replica', 'stops the database server, or work of it', 'service'],
    ['d', 'password|reload|flush-privileges', 'changes who may use a database'],
    ['s', 'status|ping|version|processlist|extended-status|variables', 'only reads', 'network'],
  ],
};

const dumping: Doing = {
  effect: 'database',
  care: 'c',
  says: 'reads a whole database{: rest}',
  valued: '-F -f -h -p -U -d -n -N -t -T -j -Z -E -S -u -r -P -o',
  rules: [['d', '--clean|--drop|--add-drop-database', 'writes statements that delete tables when they are run']],
};

/** `-c` is `--clean` here; elsewhere it names a collection, or asks for all columns. */
const dumpingPostgres: Doing = {
  ...dumping,
  rules: [['d', '-c', 'writes statements that delete tables when they are run'], ...(dumping.rules ?? [])],
};

const migrating: Doing = {
  effect: 'database',
  care: 'c',
  says: 'changes a database, or runs code of the project{: rest}',
  valued: '-c --config -d --dir -n -url -path',
  helps: true,
  rules: [
    ['s', 'migrate|db|migration status|diff|version|current', 'only reads'],
    [
      'd',
      'migrate|db|database|schema|migration reset|push|down|drop|force|deploy|reset:force|wipe|fresh|rollback|revert|resolve|execute|seed|repair|redo|undo',
      'deletes or changes a database{: rest}',
    ],
    [
      'd',
      '@=^(downgrade|clean|drop|down|reset|rollback|rollback-all|force|undo|drop-all|dropall|repair|revert|redo|stamp|destroy|runner|credentials:edit)$|^(db|migrate|migration|schema|ecto|environment)[:.](drop|reset|schema:load|migrate:\\w+|rollback|purge|truncate|setup|seed|fresh|refresh|wipe|undo|revert|migrate)',
      'deletes or changes a database{: rest}',
    ],
    [
      's',
      'status|history|current|heads|info|show|validate|version|format|check|db:migrate:status|db:version|routes|list|about|notes|stats|migrate:status|route:list|branches',
      'only reads',
    ],
  ],
};

// Words of a client that read another file of statements, or run a program here.
const readsAnother =
  '@statement=(^|[\\n;])\\s*(\\\\(i|ir|include|include_relative|\\.)\\b|\\\\\\.|source\\s|\\.read\\s)';
const runsAnother =
  '@statement=(^|[\\n;])\\s*(\\\\!|system\\s|\\.(shell|system)\\s|\\\\(o|out|w|write|g|gx)[^\\S\\n]+\\||(\\\\)?copy\\b[^\\n;]*\\b(to|from)\\s+program\\b)';

const talking: Doing = {
  effect: 'database',
  care: 'c',
  says: 'talks to a database{: rest}',
  valued:
    '-c --command -e --execute -f --file -h --host -p --port -U --username -u --user -d --dbname --eval -D --database -q --query -S -P -Q',
  helps: true,
  rules: [
    ['d', '@data=destroys', 'deletes or changes data, tables or rights'],
    ['d', runsAnother, 'runs another program', 'code-execution'],
    ['d', readsAnother, 'runs a file of statements'],
    ['d', '@fed=unread', 'runs statements that were not read'],
    ['c', '@data=changes', 'changes a database'],
    ['d', 'delete|drop', 'deletes or changes data, tables or rights'],
    ['s', '@data=reads', 'only reads from a database', 'network'],
    ['s', '-l|--list|-V', 'only reads from a database', 'network'],
  ],
};

/** Words of psql that name a file which gets what is read. */
const writesFile =
  '@statement=(^|[\\n;])\\s*\\\\(((o|out|w|write|s|g|gx)[^\\S\\n]+[^|\\s])|copy\\b[^\\n]*\\bto\\s+(?!program|p?stdout))';

const talkingPostgres: Doing = {
  ...talking,
  valued: `${talking.valued} -o --output -L --log-file -v --set -F -R -P -T`,
  rules: [
    ...(talking.rules ?? []).filter(([care]) => care === 'd'),
    ['c', '-o|--output|-L|--log-file', 'reads from a database, and writes to a file', 'network'],
    ['c', writesFile, 'reads from a database, and writes to a file', 'network'],
    ...(talking.rules ?? []).filter(([care]) => care !== 'd'),
  ],
};

/** `\! cmd` of a client, which runs it here. */
const runsShell: Starts = {
  valued: '-c --command -e --execute -f --file -h --host -p --port -U --username -u --user -d --dbname -D --database',
  onlyScript: true,
  commands: { options: '-c --command -e --execute', form: /^\s*(?:\\!|system\s)\s*(.+)$/s },
};

const readsStatements = {
  unless: /^(?:-c|--command(?:=.*)?|-e|--execute(?:=.*)?|--eval(?:=.*)?|-q|--query(?:=.*)?|-Q)$/,
};

/** Databases, and what is asked of them on the command line. */
export const databases: readonly Program[] = [
  {
    names: 'psql',
    inputOption: /^(?:-f|--file)$/,
    readsStatements,
    writes: { options: /^(?:-o|--output)$/, by: 'statements', makes: /^(?:-o|--output)$/ },
    starts: runsShell,
    does: talkingPostgres,
  },
  {
    names:
      'snowsql sqlcmd cqlsh clickhouse-client clickhouse duckdb cockroach influx influxql trino presto beeline hive impala-shell isql pgcli litecli usql db2 arangosh cypher-shell osql bteq vsql surreal edgedb',
    inputOption: /^(?:-f|--file|-i|--queries-file|-init)$/,
    readsStatements,
    does: talking,
  },
  { names: 'mysql mariadb mycli', readsStatements, starts: runsShell, does: talking },
  { names: 'mongosh mongo', inputOption: /^(?:-f|--file)$/, inputWord: /^.+\.js$/, readsStatements, does: talking },
  { names: 'sqlplus', inputWord: /^@(.+)$/, readsStatements, does: talking },
  { names: 'sqlite3', inert: true, does: sqlite },
  { names: 'sqlite', does: sqlite },
  { names: 'redis-server', ...servingAlways },
  {
    names: 'redis-cli valkey-cli keydb-cli memcached-tool',
    writes: { options: /^--(?:functions-)?rdb$/ },
    readsStatements: {
      unless:
        /^(?:-x|-X|[A-Z]{3,}|get|set|hset|lpush|rpush|sadd|del|keys|scan|info|ping|flushall|flushdb|eval|publish)$/,
    },
    does: {
      effect: 'database',
      care: 'c',
      says: 'talks to a database{: rest}',
      valued: '-h -p -a -n -u --user --pass -s',
      rules: [
        [
          'd',
          '@=^(flushall|flushdb|del|unlink|shutdown|debug|config|script|eval|evalsha|rename|expire|failover|cluster|slaveof|replicaof|acl|swapdb|migrate|restore|client|xtrim|ltrim|spop|getdel|module|function|save|bgrewriteaof|flush_all)$',
          'deletes or changes data{: rest}',
        ],
        [
          'd',
          '@statement=(^|\\n)\\s*(flushall|flushdb|del|unlink|shutdown|debug|config|script|eval|evalsha|rename|expire|failover|cluster|slaveof|replicaof|acl|swapdb|migrate|restore|client|xtrim|ltrim|spop|getdel|module|function)\\b',
          'deletes or changes data',
        ],
        ['d', '@fed=unread', 'runs statements that were not read'],
        [
          's',
          '@=^(get|mget|keys|scan|info|ping|ttl|exists|type|llen|lrange|smembers|hgetall|hget|zrange|dbsize|monitor|time|memory|strlen|scard|zcard)$',
          'only reads from a database',
          'network',
        ],
      ],
    },
  },
  {
    names:
      'dropdb dropuser pg_resetwal pg_dropcluster pg_rewind initdb mysql_install_db mysql_secure_installation pg_upgrade nodetool reindexdb clusterdb',
    does: administering,
  },
  { names: 'mongorestore mongoimport mysqlimport', does: importing },
  { names: 'mysqladmin mariadb-admin', does: administeringServer },
  {
    names: 'pg_ctl',
    does: {
      effect: 'service',
      care: 'c',
      says: 'starts or stops a database server',
      valued: '-D -l -m -o -p -t',
      rules: [
        ['s', 'status', 'only reads'],
        ['d', 'init|initdb|kill|promote', 'changes a database server for good'],
      ],
    },
  },
  { names: 'pg_restore', writes: { options: /^(?:-f|--file)$/ }, does: restoring },
  {
    names: 'createdb createuser vacuumdb',
    does: { effect: 'database', care: 'c', says: 'changes a database{: rest}' },
  },
  { names: 'pg_dump pg_dumpall', writes: { options: /^(?:-f|--file)$/ }, does: dumpingPostgres },
  { names: 'mysqldump', writes: { options: /^(?:-r|--result-file)$/ }, does: dumping },
  { names: 'mongodump mongoexport', writes: { options: /^(?:-o|--out|--archive)$/ }, does: dumping },
  { names: 'pg_basebackup', does: dumping },
  {
    names:
      'prisma drizzle-kit knex sequelize sequelize-cli typeorm alembic flyway liquibase goose migrate dbmate sqlx diesel doctrine mikro-orm',
    reads: [defaultFiles.migrations],
    does: migrating,
  },
  { names: 'artisan', carried: true, reads: [defaultFiles.migrations], does: migrating },
  {
    names: 'rails rake',
    carried: true,
    ...servingByWord,
    reads: [defaultFiles.ruby, defaultFiles.rails],
    does: migrating,
  },
  {
    names: 'django-admin manage.py',
    carried: true,
    reads: [defaultFiles.djangoProject, defaultFiles.djangoTest],
    follows: true,
    does: {
      effect: 'database',
      care: 'c',
      says: 'runs code of the project{: rest}',
      rules: [
        [
          'd',
          'flush|reset_db|sqlflush|migrate|loaddata|dbshell|clearsessions|remove_stale_contenttypes|createsuperuser|changepassword',
          'changes or empties the database{: rest}',
        ],
        ['s', 'check|showmigrations|sqlmigrate|diffsettings|help|version', 'only reads'],
      ],
    },
  },
  { names: 'mariadb-dump', writes: { options: /^(?:-r|--result-file)$/ } },
  { names: 'sqldiff', inert: true },
];
