import type { Started } from '../shell/evaluated.ts';
import { type Shell, shellOf } from '../shell/shells.ts';
import { mountsOf } from './mounts.ts';
import type { Starts } from './program.ts';
import { programName } from './programName.ts';
import { programNamed } from './programOf.ts';

const setsOfOptions = new Map<string, ReadonlySet<string>>();

function setOf(words: string | undefined): ReadonlySet<string> {
  const key = words ?? '';
  const known = setsOfOptions.get(key) ?? new Set(key.split(' ').filter((word) => word !== ''));
  setsOfOptions.set(key, known);
  return known;
}

/** How a program of this name starts others; `undefined` where it starts none. */
export function startsOf(name: string): Starts | undefined {
  return programNamed(name)?.starts;
}

/**
 * What `argv` would start: `sudo -u me ls -l` starts `ls -l`. Empty when it is not a program that only starts others, or
 * starts none this time. One layer only: ask again with the result. Most start one; `find` and `hyperfine` may start several.
 */
export function startedBy(argv: readonly string[]): Started[] {
  const name = programName(argv[0] ?? '');
  if (/^(find|gfind|fd|fdfind)$/.test(name)) return startedByFind(name, argv);
  const shell = shellOf(name);
  if (shell) return startedByShell(name, shell, argv);
  const own = startsOf(name);
  const row = own?.also?.[argv[1] ?? ''] ?? own;
  if (!row) return [];
  const { start, subcommand } = afterSubcommand(row, argv);
  if (start === undefined) return [];
  if (row.behind) {
    const at = argv.findIndex((word, index) => index >= start && setOf(row.behind).has(word)) + 1;
    const away = row.awayBehind?.test(subcommand) ? { isAway: true as const } : {};
    return at > 0 && at < argv.length ? [{ by: name, env: {}, options: [], argv: argv.slice(at), at, ...away }] : [];
  }
  return [...scriptsBeside(name, row, argv, start), ...startedAlone(name, row, argv, { start, subcommand })];
}

/** What it runs by other options than by its words. */
function scriptsBeside(name: string, row: Starts, argv: readonly string[], start: number): Started[] {
  const { commands } = row;
  if (!row.scriptsBeside && !commands) return [];
  const { options } = readCall({ ...row, mixed: true, operands: argv.length }, argv, start);
  const valuesOf = (names: string | undefined) =>
    options.flatMap(({ name: option, value }) => (value !== undefined && setOf(names).has(option) ? [value] : []));
  const inWords = commands?.word
    ? argv.slice(start).flatMap((word) => (word.startsWith(commands.word ?? '') ? [word.slice(1)] : []))
    : [];
  const given = [...valuesOf(commands?.options), ...inWords];
  const ran = given.flatMap((value) => commands?.form.exec(value)?.[1] ?? []);
  return [...valuesOf(row.scriptsBeside), ...ran].map((shellScript) => ({
    by: name,
    env: {},
    options: [],
    shellScript,
  }));
}

/** What its words start: one program as a rule. */
function startedAlone(
  name: string,
  row: Starts,
  argv: readonly string[],
  { start, subcommand }: { start: number; subcommand: string },
): Started[] {
  const call = readCall(row, argv, start);
  const { options } = call;
  const started: Started = { by: name, env: call.env, options: options.map((option) => option.name) };
  const lastValue = (names: string | undefined) => options.findLast((option) => setOf(names).has(option.name))?.value;
  const given = (names: string | undefined) => options.some((option) => setOf(names).has(option.name));
  // Before the subcommand they count as well: `pnpm -r exec`.
  const isGiven = (names: string) => given(names) || argv.slice(1, start).some((word) => setOf(names).has(word));
  if (given(row.nothing)) return [];
  if (row.elsewhere) started.elsewhere = row.elsewhere;
  const mounts = mountsOf(
    options.flatMap(({ name: option, value }) => (value !== undefined && setOf(row.mounts).has(option) ? value : [])),
  );
  if (mounts.length > 0) started.mounts = mounts;
  if (row.fresh?.behind.test(subcommand) && !given(row.fresh.unless)) started.isFresh = true;
  if (row.user || row.userOperand) started.asUser = lastValue(row.user) ?? 'root';
  const calledAs = lastValue(row.calledAs);
  if (calledAs !== undefined) started.calledAs = calledAs;
  const folder = lastValue(row.folder);
  if (folder !== undefined) started.folder = folder;
  else if (row.awayBehind?.test(subcommand)) started.isAway = true;
  else if (row.away && isGiven(row.away.replace(/^!/, '')) !== row.away.startsWith('!')) started.isAway = true;
  if (row.reads) started.moreArguments = 'read';
  const placeholder = options.findLast((option) => setOf(row.placeholder).has(option.name));
  if (placeholder) started.placeholder = placeholder.value || '{}';
  const script = lastValue(row.script);
  if (row.userOperand && !given(row.user)) return startedByUser(started, script, argv, call.at);
  if (script !== undefined) return [{ ...started, shellScript: script }];
  if (name === 'env' || name === 'genv') {
    const split = lastValue('-S --split-string');
    if (split !== undefined) return [{ ...started, shellScript: [split, ...argv.slice(call.at)].join(' ') }];
  }
  if (row.onlyScript) return [];
  const dashes = row.behindDashes ? argv.indexOf('--', start) : -1;
  const at = dashes < 0 ? call.at : dashes + 1;
  const end = row.endsAt === undefined ? -1 : argv.indexOf(row.endsAt, at);
  const rest = argv.slice(at, end < 0 ? undefined : end);
  if (name === 'parallel') return startedByParallel(started, rest);
  const program = lastValue(row.program);
  // An empty one takes that of the image away.
  if (program) return [{ ...started, argv: [program, ...rest] }];
  if (rest.length === 0) return [];
  if (row.joins && !given(row.unjoined)) {
    const scripts = row.joins === 'one' ? [rest.join(' ')] : rest.filter((word) => !row.names?.test(word));
    return scripts.map((shellScript) => ({ ...started, shellScript }));
  }
  return [{ ...started, argv: rest, at }];
}

/** Where the words behind the subcommand begin; `undefined` where another one is asked for. */
function afterSubcommand(row: Starts, argv: readonly string[]): { start?: number; subcommand: string } {
  if (!row.subcommands) return { start: 1, subcommand: '' };
  const words: string[] = [];
  for (let index = 1; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word.startsWith('-')) {
      if (setOf(row.valued).has(word)) index++;
      continue;
    }
    words.push(word);
    const sofar = words.join(' ');
    if (row.subcommands.includes(sofar)) return { start: index + 1, subcommand: sofar };
    if (!row.subcommands.some((one) => one.startsWith(`${sofar} `))) break;
  }
  return { subcommand: words.join(' ') };
}

interface ReadCall {
  options: { name: string; value?: string }[];
  env: Record<string, string>;
  /** Where what is started begins. */
  at: number;
}

/** Reads the starter's own words as getopt does: bundles, values in the same word or the next, `--` as their end. */
function readCall(row: Starts, argv: readonly string[], start: number): ReadCall {
  const call: ReadCall = { options: [], env: {}, at: start };
  let operands = row.operands ?? 0;
  let isOptions = true;
  for (; call.at < argv.length; call.at++) {
    const word = argv[call.at] ?? '';
    if (isOptions && word === '--') {
      isOptions = false;
      // Behind its operands `--` only ends the options; the command begins.
      if (operands === 0 && !row.assignments) {
        call.at++;
        break;
      }
    } else if (isOptions && /^-./.test(word)) readOption(row, argv, call);
    else if (isOptions && word === '-' && programName(argv[0] ?? '') !== 'chroot') call.options.push({ name: '-' });
    else if (row.assignments && /^[A-Za-z_]\w*=/.test(word)) {
      call.env[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1);
      // `env A=1 -i` is no option any more.
      if (!row.mixed) isOptions = false;
    } else if (operands > 0 && (row.operandForm?.test(word) ?? true)) {
      operands--;
      if (!row.mixed) isOptions = false;
    } else break;
  }
  return call;
}

function readOption(row: Starts, argv: readonly string[], call: ReadCall): void {
  const word = argv[call.at] ?? '';
  const valued = setOf(row.valued);
  if (setOf(row.pairs).has(word)) {
    call.options.push({ name: word });
    call.at += 2;
    return;
  }
  const next = () => {
    call.at++;
    const value = argv[call.at];
    return value === undefined ? {} : { value };
  };
  if (word.startsWith('--') || row.oneDash || valued.has(word)) {
    const at = word.indexOf('=');
    if (word.startsWith('--') && at > 0) call.options.push({ name: word.slice(0, at), value: word.slice(at + 1) });
    else call.options.push({ name: word, ...(valued.has(word) ? next() : {}) });
    return;
  }
  for (let index = 1; index < word.length; index++) {
    const name = `-${word[index]}`;
    const rest = word.slice(index + 1);
    if (setOf(row.attached).has(name)) {
      call.options.push({ name, ...(rest === '' ? {} : { value: rest }) });
      return;
    }
    if (valued.has(name)) {
      call.options.push({ name, ...(rest === '' ? next() : { value: rest }) });
      return;
    }
    call.options.push({ name });
  }
}

/** su and runuser: options, `-`, the user and the arguments of the script in any order. */
function startedByUser(started: Started, script: string | undefined, argv: readonly string[], from: number): Started[] {
  const row = startsOf(started.by);
  if (!row) return [];
  let user: string | undefined;
  const positional: number[] = [];
  let found = script;
  for (const call: ReadCall = { options: [], env: {}, at: from }; call.at < argv.length; call.at++) {
    const word = argv[call.at] ?? '';
    if (/^-./.test(word) && word !== '--') {
      readOption(row, argv, call);
      const option = call.options.at(-1);
      if (option && setOf(row.script).has(option.name)) found = option.value;
    } else if (word === '-' || word === '--') continue;
    else if (user === undefined) user = word;
    else positional.push(call.at);
  }
  if (user !== undefined) started.asUser = user;
  if (found === undefined) return []; // A login shell.
  return [{ ...started, shellScript: found, ...(positional.length > 0 ? { positional } : {}) }];
}

/** `bash -euxc script name argument`: with `-c` the first operand is the script, and the others are its `$0`, `$1` … */
function startedByShell(name: string, shell: Shell, argv: readonly string[]): Started[] {
  const valued = new Set(shell.valued);
  const options: string[] = [];
  let hasScript = false;
  let index = 1;
  for (; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (shell.scriptOption.test(word)) {
      options.push(word);
      hasScript = true;
      if (shell.dialect === 'fish') {
        index++;
        break;
      }
      if (shell.dialect === 'powershell' || shell.dialect === 'cmd') {
        const given = argv.slice(index + 1).join(' ');
        // The name that only cmd has: its options begin with a slash.
        const shellScript = shell.dialect === 'cmd' ? given.replace(/(^|[&|(]\s*)(?:rmdir)\b/gi, '$1rd') : given;
        return shellScript === '' ? [] : [{ by: name, shell: name, shellScript, env: {}, options }];
      }
      // `-co pipefail`: the last letter may take a value.
      if (valued.has(`-${word.at(-1)}`)) index++;
    } else if (word === '--' || word === '-') {
      index++;
      break;
    } else if (/^--command=/.test(word)) {
      return [{ by: name, shell: name, shellScript: word.slice(word.indexOf('=') + 1), env: {}, options }];
    } else if (/^[-+]./.test(word)) {
      options.push(word);
      if (valued.has(word) || (/^[-+][a-zA-Z]+$/.test(word) && valued.has(`${word[0]}${word.at(-1)}`))) index++;
    } else break;
  }
  const shellScript = argv[index];
  // A script file: it runs, and its commands are seen by the gate.
  if (!hasScript || shellScript === undefined) return [];
  const positional = argv.slice(index + 1).map((_, at) => index + 1 + at);
  return [{ by: name, shell: name, shellScript, env: {}, options, ...(positional.length > 0 ? { positional } : {}) }];
}

// parallel command {} ::: argument argument; without command, the arguments are the commands.
function startedByParallel(started: Started, rest: readonly string[]): Started[] {
  const at = rest.findIndex((word) => /^:::?:?\+?$/.test(word));
  const template = at < 0 ? rest : rest.slice(0, at);
  const given = at < 0 ? [] : rest.slice(at + 1).filter((word) => !/^:::?:?\+?$/.test(word));
  if (at >= 0) delete started.moreArguments;
  const only = template[0];
  if (only === undefined) return given.length > 0 ? [{ ...started, shellScript: given.join('\n') }] : [];
  if (template.length === 1 && /\s/.test(only)) return [{ ...started, shellScript: [only, ...given].join(' ') }];
  return [{ ...started, argv: [...template, ...given] }];
}

/** Each `-exec` of find is a call of its own, for each file that is found. */
function startedByFind(name: string, argv: readonly string[]): Started[] {
  const isFind = name.endsWith('find') && name !== 'fdfind';
  const starts = isFind ? /^-(exec|execdir|ok|okdir)$/ : /^(-x|-X|--exec|--exec-batch)$/;
  const found: Started[] = [];
  const first = argv.findIndex((word) => starts.test(word));
  for (let index = first; index > 0 && index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (!starts.test(word)) continue;
    const at = index + 1;
    const length = argv.slice(at).findIndex((one, place, rest) => one === ';' || (isFind && endsBatch(place, rest)));
    const end = length < 0 ? argv.length : at + length;
    index = end;
    if (end === at) continue;
    const started: Started = {
      by: name,
      argv: argv.slice(at, end),
      at,
      env: {},
      moreArguments: 'found',
      placeholder: '{}',
      options: argv.slice(1, first),
    };
    if (word.endsWith('dir')) started.isAway = true;
    found.push(started);
  }
  return found;
}

// POSIX: a `+` ends the call only behind `{}`.
function endsBatch(place: number, words: readonly string[]): boolean {
  return words[place] === '+' && words[place - 1] === '{}';
}
