import type { LookKind } from '../facts/consent.ts';
import { forges, type OptionTable, transfers } from './table/outsideLooks.ts';

/**
 * Calls that only read from a server of this machine, or from GitHub, told by their words alone. Whatever is not in the table is
 * none: an option that nobody has read may send data, name another machine, or write a file. `psql` and its like are not in it,
 * because a query can call what writes; nor are programs of a project, which send what they like.
 */
export interface OutsideLook {
  look: LookKind;
  /** A port of this machine, or GitHub. */
  to: number | 'github';
  /** Its words, with those that shut out what only settings would add. */
  argv: string[];
  /** Variables that it gets besides. */
  env: Record<string, string>;
}

/** What decides where such a program goes and as whom, beside its words. */
export interface LookSurroundings {
  /** `NAME=value`, as the program would get it. */
  env: readonly string[];
  /** Of the command as it was asked for: a variable that the script has set is not the user's. */
  own: Readonly<Record<string, string>>;
  /** It prints to a terminal so wide; `undefined`: to something else. */
  columns: number | undefined;
}

/** What a shell sets by itself. */
const ofShell = /^(?:_|SHLVL|PWD|OLDPWD)$/;

/** Variables that lead a request elsewhere, or add to it. */
const leadsElsewhere =
  /^(?:(?:https?|ftp|all)_proxy|CURL_HOME|WGETRC|SYSTEM_WGETRC|SSLKEYLOGFILE|HOSTALIASES|RES_OPTIONS|LOCALDOMAIN|LD_.+)$/i;
const leadsGhElsewhere =
  /^(?:GH_HOST|GH_REPO|GH_(?:ENTERPRISE|PATH|BROWSER|DEBUG).*|GITHUB_ENTERPRISE_TOKEN|GODEBUG|GIT_.+)$/;

/** Whether the words of a program only read from outside; `undefined` where that is not known. `name`: of the file that would run. */
export function outsideLookOf(
  argv: readonly string[],
  name: string,
  { env, own, columns }: LookSurroundings,
): OutsideLook | undefined {
  const [called = '', ...words] = argv;
  if (called.slice(called.lastIndexOf('/') + 1) !== name || !isOwnEnvironment(env, own)) return undefined;
  const isSet = (pattern: RegExp) => Object.entries(own).some(([key, value]) => value !== '' && pattern.test(key));
  if (isSet(leadsElsewhere)) return undefined;
  if (name === 'gh') return isSet(leadsGhElsewhere) ? undefined : askGithub(words, columns);
  const table = transfers.find((one) => one.name === name);
  const read = table && readWords(words, table);
  if (!table || !read || read.operands.length !== 1 || !table.needs.every((need) => need.test(words.join(' '))))
    return undefined;
  // What it prints at a terminal depends on that.
  if (columns !== undefined && !table.quiet.test(words.join(' '))) return undefined;
  const port = portOf(read.operands[0] ?? '');
  if (port === undefined) return undefined;
  return { look: 'localhost', to: port, argv: [called, ...table.adds, ...words], env: {} };
}

/** A script that sets a variable could say for whom, where and how it is asked. */
function isOwnEnvironment(env: readonly string[], own: Readonly<Record<string, string>>): boolean {
  const given = new Map(env.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]));
  const names = new Set([...given.keys(), ...Object.keys(own)]);
  return [...names].every((name) => ofShell.test(name) || given.get(name) === own[name]);
}

/** Names of this machine as they are, and nothing that is only another form of them or that a resolver decides. */
const ownServer =
  /^(?:(https?):\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?:[/?][\w.~!$&'()*+,;=:%/?-]*)?$/;

function portOf(address: string): number | undefined {
  const found = ownServer.exec(address);
  if (!found) return undefined;
  const port = Number(found[2] ?? (found[1] === 'https' ? 443 : 80));
  return port > 0 && port < 65_536 ? port : undefined;
}

/** Options and operands, all of them known; `undefined`: one is not. */
function readWords(words: readonly string[], { flags, valued }: OptionTable): { operands: string[] } | undefined {
  const operands: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const takes = word.startsWith('--') ? longOption(word, flags, valued) : shortOptions(word, flags, valued);
    if (takes === undefined) return undefined;
    if (takes.value === undefined) continue;
    const value = takes.value === 'next' ? words[at + 1] : takes.value.text;
    if (takes.value === 'next') at += 1;
    if (value === undefined || !takes.allowed.test(value)) return undefined;
  }
  return { operands };
}

type Taken = { value?: undefined } | { value: 'next' | { text: string }; allowed: RegExp };

function longOption(word: string, flags: ReadonlySet<string>, valued: ReadonlyMap<string, RegExp>): Taken | undefined {
  const at = word.indexOf('=');
  const name = at < 0 ? word : word.slice(0, at);
  const allowed = valued.get(name);
  if (allowed) return { value: at < 0 ? 'next' : { text: word.slice(at + 1) }, allowed };
  return at < 0 && flags.has(word) ? {} : undefined;
}

/** `-sSfo /dev/null`: flags, of which the last may take a value. */
function shortOptions(
  word: string,
  flags: ReadonlySet<string>,
  valued: ReadonlyMap<string, RegExp>,
): Taken | undefined {
  for (let at = 1; at < word.length; at += 1) {
    const option = `-${word[at]}`;
    const allowed = valued.get(option);
    if (allowed) return { value: at + 1 < word.length ? { text: word.slice(at + 1) } : 'next', allowed };
    if (!flags.has(option)) return undefined;
  }
  return {};
}

/** A repository of github.com, a number, a branch, a path of its interface; no address of another machine. */
const plainOperand = /^[\w#][\w#./-]*$/;
const ofGithub = /^https:\/\/github\.com\/[\w./-]+$/;

function askGithub([group = '', ...rest]: readonly string[], columns: number | undefined): OutsideLook | undefined {
  const verb = group === 'api' ? '' : (rest[0] ?? '');
  const table = forges.find((one) => one.group === group && one.verbs.includes(verb));
  const words = group === 'api' ? rest : rest.slice(1);
  const read = table && readWords(words, table);
  if (!table || !read || read.operands.length > table.most) return undefined;
  const isPlain = (one: string) => (group === 'api' ? table.operand : plainOperand).test(one) || ofGithub.test(one);
  if (!read.operands.every(isPlain) || (group === 'api' && read.operands.length !== 1)) return undefined;
  return {
    look: 'github',
    to: 'github',
    argv: ['gh', group, ...rest],
    env: {
      ...{ GH_NO_UPDATE_NOTIFIER: '1', GH_PROMPT_DISABLED: '1', GH_PAGER: 'cat', GH_SPINNER_DISABLED: '1' },
      ...(columns === undefined ? {} : { GH_FORCE_TTY: String(columns) }),
    },
  };
}
