import { programName } from './programName.ts';

/** What a program that starts another program would start, as its arguments tell. */
export interface Wrapped {
  /** The program that does the starting: `sudo`, `timeout`, `ssh`. */
  by: string;
  /** Either `argv` or `shellScript`. */
  argv?: string[];
  /** Text for a shell; `shell` is the shell's name where the arguments tell it. */
  shellScript?: string;
  shell?: string;
  /** Variables that are set for it. */
  env: Record<string, string>;
  /** It runs with the privileges of another user: `root`, or a name. */
  asUser?: string;
  /** It runs on another machine, or inside a container. */
  elsewhere?: true;
  /** Further arguments come from what it reads (`xargs`, `parallel`), or it runs once for each file (`find -exec`). */
  moreArguments?: true;
  /** The options of the wrapper itself, for whoever has to know more (`-i` of sudo). */
  options: string[];
}

interface WrapperEntry {
  /** Options that take a value as the next word. */
  valued?: string;
  /** Number of positional words before the command. */
  skip?: number;
  /** `NAME=value` words before the command are variables. */
  assignments?: true;
  /** Option whose value is a script for a shell. */
  scriptOption?: RegExp;
  /** The words are joined to one script for a shell. */
  joins?: true;
  elsewhere?: true;
  moreArguments?: true;
  /** Runs as another user; the option whose value names it. */
  userOption?: RegExp;
  /** Subcommand that starts a program: `exec` of docker. */
  subcommand?: RegExp;
  /** What the words mean when there is no option but the first positional is a user (`su root -c x`). */
  userFirst?: true;
}

const anyShell: WrapperEntry = { valued: '-O +O -o +o --rcfile --init-file', scriptOption: /^-[a-z]*c$|^--command$/ };

const wrappers: Readonly<Record<string, WrapperEntry>> = {
  sudo: {
    valued:
      '-u --user -g --group -h --host -p --prompt -C --close-from -D --chdir -R --chroot -T --command-timeout -U --other-user -r --role -t --type',
    assignments: true,
    userOption: /^(-u|--user)$/,
  },
  doas: { valued: '-u -C -a', userOption: /^-u$/ },
  pkexec: { valued: '--user -u', userOption: /^(--user|-u)$/ },
  su: {
    valued: '-c --command -s --shell -g --group -G --supp-group -w --whitelist-environment -T',
    scriptOption: /^(-c|--command|--session-command)$/,
    userFirst: true,
  },
  runuser: {
    valued: '-u --user -g --group -G -s --shell -c --command -w',
    userOption: /^(-u|--user)$/,
    scriptOption: /^(-c|--command)$/,
  },
  env: { valued: '-u --unset -C --chdir -S --split-string', assignments: true },
  nohup: {},
  setsid: {},
  time: { valued: '-o --output -f --format' },
  nice: { valued: '-n --adjustment' },
  ionice: { valued: '-c --class -n --classdata -p' },
  chrt: { valued: '-T -P -D', skip: 1 },
  taskset: { skip: 1 },
  stdbuf: { valued: '-i -o -e --input --output --error' },
  timeout: { valued: '-k --kill-after -s --signal', skip: 1 },
  setarch: { skip: 1 },
  unbuffer: {},
  flock: { valued: '-w --timeout -E --conflict-exit-code', skip: 1, scriptOption: /^(-c|--command)$/ },
  script: { valued: '-c --command -I -O -B -T -m -E', scriptOption: /^(-c|--command)$/ },
  watch: { valued: '-n --interval -q --equexit', joins: true },
  entr: {},
  hyperfine: {
    valued: '-w --warmup -r --runs -m -M -p --prepare -c --cleanup -s --setup -S -L -P --export-json --export-markdown',
    joins: true,
  },
  strace: { valued: '-e -o -p -s -u -E -P -a -b -I -O -S -X' },
  ltrace: { valued: '-e -o -p -s -u -a -F -n' },
  perf: { subcommand: /^(stat|record|trace)$/, valued: '-e -o -F -g -p' },
  gdb: { valued: '-ex -x -p --args' },
  valgrind: {},
  faketime: { skip: 1 },
  systemd: {},
  'systemd-run': { valued: '-p --property -u --unit --uid --gid -E --setenv --on-calendar --on-active' },
  'dbus-run-session': {},
  'xvfb-run': { valued: '-e -n -s -w -f -p --server-args --server-num' },
  chroot: { skip: 1 },
  unshare: { valued: '-S -G --setuid --setgid -R -w --root --wd' },
  nsenter: { valued: '-t --target -S -G' },
  fakeroot: { valued: '-l -s -i -b' },
  catchsegv: {},
  proxychains: { valued: '-f' },
  torsocks: {},
  caffeinate: { valued: '-t -w' },
  command: {},
  builtin: {},
  exec: { valued: '-a' },
  noglob: {},
  nocorrect: {},
  busybox: {},
  toybox: {},
  rtk: {},
  xargs: {
    valued:
      '-a --arg-file -d --delimiter -E -I -J -L -l -n -P -R -S -s --max-args --max-procs --max-lines --max-chars --replace --process-slot-var',
    moreArguments: true,
  },
  parallel: {
    valued:
      '-a --arg-file -j --jobs -S --sshlogin --colsep -C -d -I -L -n -N -s --timeout --delay --results --joblog --tmpdir',
    moreArguments: true,
  },
  watchexec: { valued: '-w --watch -e --exts -f --filter -i --ignore -d --debounce -s --signal' },
  npx: { valued: '-p --package' },
  bunx: {},
  pnpx: {},
  uvx: { valued: '--from --with' },
  npm: { subcommand: /^(exec|x)$/, valued: '-p --package' },
  yarn: { subcommand: /^(exec|dlx)$/ },
  pnpm: { subcommand: /^(exec|dlx)$/ },
  direnv: { subcommand: /^exec$/, skip: 1 },
  sh: anyShell,
  bash: anyShell,
  dash: anyShell,
  ash: anyShell,
  ksh: anyShell,
  mksh: anyShell,
  zsh: anyShell,
  fish: { valued: '-C --init-command', scriptOption: /^(-[a-z]*c|--command)$/ },
  pwsh: { scriptOption: /^-(c|command)$/i, valued: '-ExecutionPolicy -File' },
  powershell: { scriptOption: /^-(c|command)$/i, valued: '-ExecutionPolicy -File' },
  ssh: { valued: '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w', skip: 1, joins: true, elsewhere: true },
  mosh: { skip: 1, elsewhere: true },
  docker: {
    subcommand: /^(container )?(exec|run)$/,
    valued:
      '-e --env -u --user -w --workdir -v --volume -p --publish --name --network --entrypoint -H --host --context -c --env-file --mount -l --label -m --memory --cpus --platform --add-host -h --hostname --pull --gpus --ulimit --cap-add --cap-drop --security-opt --device --restart',
    skip: 1,
    elsewhere: true,
  },
  kubectl: {
    subcommand: /^exec$/,
    valued: '-n --namespace -c --container --context --kubeconfig',
    skip: 1,
    elsewhere: true,
  },
  poetry: { subcommand: /^run$/ },
  pipenv: { subcommand: /^run$/ },
  uv: { subcommand: /^run$/, valued: '--with --python -p --project --directory --package --extra --group' },
  bundle: { subcommand: /^exec$/ },
  rbenv: { subcommand: /^exec$/ },
  pyenv: { subcommand: /^exec$/ },
  'nix-shell': { scriptOption: /^--(run|command)$/, valued: '-p -A' },
  conda: { subcommand: /^run$/, valued: '-n -p --name --prefix' },
  mise: { subcommand: /^(exec|x)$/ },
  asdf: { subcommand: /^exec$/, skip: 1 },
  'aws-vault': { subcommand: /^exec$/, skip: 1 },
  doppler: { subcommand: /^run$/, valued: '-p -c --project --config --command', scriptOption: /^--command$/ },
  op: { subcommand: /^run$/, valued: '--env-file' },
  chamber: { subcommand: /^exec$/, skip: 1 },
  dotenv: { valued: '-f -e -c' },
};

const sameAs: Readonly<Record<string, string>> = {
  podman: 'docker',
  nerdctl: 'docker',
  oc: 'kubectl',
  gtime: 'time',
  genv: 'env',
  gtimeout: 'timeout',
  bun: '',
  autossh: 'ssh',
  eatmydata: 'nohup',
  sudoedit: '',
  rbash: 'bash',
};

/**
 * What `argv` would start: `sudo -u me ls -l` starts `ls -l`. `undefined` when it is not a program that only starts
 * another one, or starts none this time. One layer only: call it again with the result.
 */
export function unwrap(argv: readonly string[]): Wrapped | undefined {
  const name = programName(argv[0] ?? '');
  if (name === 'find' || name === 'fd' || name === 'fdfind') return unwrapFind(name, argv);
  const entry = wrappers[sameAs[name] ?? name];
  if (!entry || !Object.hasOwn(wrappers, sameAs[name] ?? name)) return undefined;
  const words = argv.slice(1);
  if (entry.subcommand) {
    const at = takeSubcommand(words, entry);
    if (at < 0) return undefined;
    words.splice(0, at + 1);
  }
  return readWords(name, entry, words);
}

function takeSubcommand(words: readonly string[], entry: WrapperEntry): number {
  const valued = (entry.valued ?? '').split(' ');
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (valued.includes(word)) index++;
    else if (!word.startsWith('-')) {
      if (entry.subcommand?.test(word)) return index;
      return entry.subcommand?.test(`${word} ${words[index + 1]}`) ? index + 1 : -1;
    }
  }
  return -1;
}

function readWords(name: string, entry: WrapperEntry, words: readonly string[]): Wrapped | undefined {
  const valued = new Set((entry.valued ?? '').split(' '));
  const wrapped: Wrapped = { by: name, env: {}, options: [] };
  if (entry.elsewhere) wrapped.elsewhere = true;
  if (entry.moreArguments) wrapped.moreArguments = true;
  if (entry.userOption || entry.userFirst) wrapped.asUser = 'root';
  let skip = entry.skip ?? 0;
  let index = 0;
  for (; index < words.length; index++) {
    const word = words[index] ?? '';
    const [option = '', attached] = word.startsWith('--') ? split(word, '=') : [word, undefined];
    if (word === '--') {
      index++;
      if (skip === 0 || entry.elsewhere) break;
    } else if (entry.scriptOption?.test(option)) {
      const isShell = entry === anyShell || entry.scriptOption.test('-c');
      const script = attached ?? words[index + 1];
      if (script === undefined) return undefined;
      wrapped.shellScript = script;
      if (isShell && (name in shells || entry === anyShell)) wrapped.shell = name;
      if (entry.userFirst)
        readUser(
          wrapped,
          words.filter((_, at) => at !== index && at !== index + 1),
        );
      return wrapped;
    } else if (word.startsWith('-') && word.length > 1) {
      wrapped.options.push(option);
      const value = attached ?? (valued.has(option) ? words[++index] : undefined);
      if (entry.userOption?.test(option) && value !== undefined) wrapped.asUser = value;
      // `-uroot`: short options take their value in the same word as well.
      const short = entry.userOption?.test(word.slice(0, 2)) && word.length > 2 && !word.startsWith('--');
      if (short) wrapped.asUser = word.slice(2);
      if (name === 'env' && /^(-S|--split-string)$/.test(option))
        return splitString(wrapped, value, words.slice(index + 1));
    } else if (word.startsWith('+') && entry === anyShell) {
      if (valued.has(word)) index++;
    } else if (entry.assignments && /^[A-Za-z_]\w*=/.test(word)) {
      const [variable = '', value = ''] = split(word, '=');
      wrapped.env[variable] = value;
    } else if (entry.userFirst) {
      wrapped.asUser = word;
    } else if (entry === anyShell)
      return undefined; // A script file: it runs, and its commands are seen by the gate.
    else if (skip > 0) skip--;
    else break;
  }
  const rest = words.slice(index);
  if (name === 'parallel') return readParallel(wrapped, rest);
  if (entry.userFirst) return undefined; // A login shell.
  if (rest.length === 0) return undefined;
  if (entry.joins) {
    const end = entry.moreArguments ? rest.findIndex((word) => /^::::?\+?$/.test(word)) : -1;
    wrapped.shellScript = (end < 0 ? rest : rest.slice(0, end)).join(' ');
  } else wrapped.argv = rest;
  return wrapped;
}

// parallel command {} ::: argument argument; without command, the arguments are the commands.
function readParallel(wrapped: Wrapped, rest: readonly string[]): Wrapped | undefined {
  const at = rest.findIndex((word) => /^:::?:?\+?$/.test(word));
  const template = at < 0 ? rest : rest.slice(0, at);
  const given = at < 0 ? [] : rest.slice(at + 1).filter((word) => !/^:::?:?\+?$/.test(word));
  if (at >= 0) delete wrapped.moreArguments;
  const only = template[0];
  if (only === undefined) return given.length > 0 ? { ...wrapped, shellScript: given.join('\n') } : undefined;
  if (template.length === 1 && /\s/.test(only)) return { ...wrapped, shellScript: [only, ...given].join(' ') };
  return { ...wrapped, argv: [...template, ...given] };
}

const shells: Readonly<Record<string, true>> = { fish: true, pwsh: true, powershell: true };

function readUser(wrapped: Wrapped, words: readonly string[]): void {
  for (const word of words) {
    if (word.startsWith('-')) wrapped.options.push(word);
    else wrapped.asUser = word;
  }
}

// env -S 'VAR=x prog arg' splits at blanks; quotes inside are rare and left to a shell.
function splitString(wrapped: Wrapped, value: string | undefined, rest: readonly string[]): Wrapped | undefined {
  if (value === undefined) return undefined;
  wrapped.shellScript = [value, ...rest].join(' ');
  return wrapped;
}

function unwrapFind(name: string, argv: readonly string[]): Wrapped | undefined {
  const starts = name === 'find' ? /^-(exec|execdir|ok|okdir)$/ : /^(-x|-X|--exec|--exec-batch)$/;
  const at = argv.findIndex((word) => starts.test(word));
  if (at < 0) return undefined;
  const rest = argv.slice(at + 1);
  const end = rest.findIndex((word) => word === ';' || (word === '+' && name === 'find'));
  const inner = end < 0 ? rest : rest.slice(0, end);
  if (inner.length === 0) return undefined;
  return { by: name, argv: inner, env: {}, moreArguments: true, options: argv.slice(1, at) };
}

function split(word: string, at: string): [string, string | undefined] {
  const position = word.indexOf(at);
  return position < 0 ? [word, undefined] : [word.slice(0, position), word.slice(position + 1)];
}
