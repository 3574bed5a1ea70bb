/** Options of which is known that they neither send data nor write, by form: `-s`, `--silent`. */
export interface OptionTable {
  flags: ReadonlySet<string>;
  /** Those that take a value, and which values are known. */
  valued: ReadonlyMap<string, RegExp>;
}

/** A program that fetches from an address among its words. */
export interface Transfer extends OptionTable {
  name: string;
  /** Words that have to be there. */
  needs: readonly RegExp[];
  /** With such words it prints the same at a terminal. */
  quiet: RegExp;
  /** Put before its words: no settings of the user's or the system's, no proxy, no other protocols. */
  adds: readonly string[];
}

/** Commands of `gh` that only read. */
export interface ForgeCommand extends OptionTable {
  group: string;
  verbs: readonly string[];
  /** Most operands. */
  most: number;
  operand: RegExp;
}

const anything = /^/;
const number = /^\d+(?:\.\d+)?$/;
/** What says how an answer is to look; not what makes a request another one (`X-HTTP-Method-Override`) or reads a file (`@file`). */
const header = /^(?:Accept(?:-\w+)?|Cache-Control|User-Agent|If-None-Match|If-Modified-Since): [^\r\n]*$/i;
/** Not a file, and nothing that is written into one (`%output{file}`). */
const format = /^(?!@)(?!.*%output)/s;
const setOf = (names: string) => new Set(names.split(' '));

/** Those of which is known which words only fetch. */
export const transfers: readonly Transfer[] = [
  {
    name: 'curl',
    // Not -L, which goes where the server says, and nothing that makes more than one request.
    flags: setOf(
      '-s --silent -S --show-error -f --fail --fail-with-body -i --include -I --head -v --verbose --compressed -4 --ipv4 -6 --ipv6 -N --no-buffer -k --insecure -0 --http1.0 --http1.1 -g --globoff',
    ),
    valued: new Map([
      ...(['-m', '--max-time', '--connect-timeout'].map((name) => [name, number]) as [string, RegExp][]),
      ...(['-H', '--header'].map((name) => [name, header]) as [string, RegExp][]),
      ...(['-A', '--user-agent'].map((name) => [name, /^[^@\r\n]*$/]) as [string, RegExp][]),
      ...(['-w', '--write-out'].map((name) => [name, format]) as [string, RegExp][]),
      ...(['-o', '--output'].map((name) => [name, /^(?:\/dev\/null|-)$/]) as [string, RegExp][]),
      ...(['-X', '--request'].map((name) => [name, /^(?:GET|HEAD)$/]) as [string, RegExp][]),
    ]),
    needs: [],
    quiet: /(?:^| )(?:-[a-zA-Z]*s|--silent)/,
    adds: ['-q', '--globoff', '--noproxy', '*', '--proto', '=http,https', '--max-redirs', '0'],
  },
  {
    name: 'wget',
    flags: setOf('-q --quiet -nv --no-verbose -S --server-response --spider -4 -6'),
    valued: new Map([
      ...(['-T', '--timeout', '-t', '--tries'].map((name) => [name, number]) as [string, RegExp][]),
      ['--header', header],
      ['-O', /^(?:-|\/dev\/null)$/],
      ['--output-document', /^(?:-|\/dev\/null)$/],
    ]),
    // Without it, it would make a file.
    needs: [/(?:^| )(?:-[a-z]*O ?(?:-|\/dev\/null)|--output-document[= ](?:-|\/dev\/null)|--spider)(?: |$)/],
    quiet: /(?:^| )(?:-q|--quiet)/,
    adds: ['--no-config', '--no-hsts', '--no-proxy'],
  },
];

const shaping: readonly [string, RegExp][] = ['--json', '-q', '--jq', '-t', '--template'].map((name) => [
  name,
  anything,
]);
const repository: readonly [string, RegExp][] = ['-R', '--repo'].map((name) => [name, /^[\w.-]+\/[\w.-]+$/]);
const word = /^[^\r\n]*$/;
const valuesOf = (names: string): [string, RegExp][] => names.split(' ').map((name) => [name, word]);

/** `-w` opens a browser, but for runs, where it names a workflow: it is written out there. `--watch` never ends. */
const command = (group: string, verbs: string, flags = '', valued = ''): ForgeCommand => ({
  group,
  verbs: verbs.split(' '),
  most: 1,
  operand: anything,
  flags: setOf(flags),
  valued: new Map([...shaping, ...repository, ...(valued === '' ? [] : valuesOf(valued))]),
});

/** What of `gh` only reads; everything else of it is no look. */
export const forges: readonly ForgeCommand[] = [
  command('pr', 'view', '-c --comments'),
  command(
    'pr',
    'list',
    '-d --draft',
    '-L --limit -s --state -S --search -a --assignee -A --author -l --label -B --base -H --head',
  ),
  command('pr', 'status', '-c --conflict-status'),
  command('pr', 'checks', '--required'),
  command('pr', 'diff', '--patch --name-only', '--color'),
  command('issue', 'view', '-c --comments'),
  command(
    'issue',
    'list',
    '',
    '-L --limit -s --state -S --search -a --assignee -A --author -l --label -m --milestone --mention',
  ),
  command('issue', 'status'),
  command('repo', 'view', '', '-b --branch'),
  command('repo', 'list', '--archived --no-archived --fork --source', '-L --limit -l --language --topic --visibility'),
  // Not --log: it keeps what it fetched in a file.
  command('run', 'view', '-v --verbose --exit-status', '-j --job -a --attempt'),
  command('run', 'list', '-a --all', '-L --limit -b --branch -e --event -s --status -u --user -c --commit --workflow'),
  command('release', 'view'),
  command('release', 'list', '--exclude-drafts --exclude-pre-releases', '-L --limit -O --order'),
  command('workflow', 'list', '-a --all', '-L --limit'),
  command('label', 'list', '', '-L --limit -S --search --sort --order'),
  {
    group: 'api',
    verbs: [''],
    most: 1,
    // What is asked of GraphQL is sent as data, and {owner} is filled in from the repository.
    operand:
      /^\/?(?!graphql\b)(?:repos|orgs|users|user|search|rate_limit|meta|notifications|issues|gists|emojis|licenses)\b[\w./{}?=&%+:-]*$/,
    flags: setOf('-i --include --paginate --slurp --silent'),
    valued: new Map([
      ...shaping,
      ...(['-X', '--method'].map((name) => [name, /^GET$/]) as [string, RegExp][]),
      ...(['-H', '--header'].map((name) => [name, /^Accept: [^\r\n]*$/i]) as [string, RegExp][]),
    ]),
  },
];
