import { posix } from 'node:path';
import { asRecord } from './jsonRecord.ts';
import type { LookedAt, LookThrough, ReadText, StartedStep } from './startedStep.ts';

/** What npm reads of a package.json before it runs a script. */
interface PackageJson {
  name?: string;
  version?: string;
  scripts: Record<string, string>;
  config?: unknown;
  engines?: unknown;
  bin?: unknown;
  workspaces: string[];
}

interface NpmCall {
  command: string;
  args: string[];
  prefix?: string;
  workspaces: string[];
  allWorkspaces: boolean;
  silent: boolean;
  ignoreScripts: boolean;
  ifPresent: boolean;
  scriptShell?: string;
  call?: string;
  packages: string[];
  unknown?: string;
}

const runs = /^(run|run-script|rum|urn)$/;
const lifecycles: Readonly<Record<string, string>> = {
  test: 'test',
  t: 'test',
  tst: 'test',
  start: 'start',
  stop: 'stop',
  restart: 'restart',
};

/**
 * What `npm run x`, `npm test`, `npm start`, `npm exec` would start.
 * After npm 7 to 11: `@npmcli/run-script` (banner, shell, environment), `@npmcli/promise-spawn` (quoting of arguments).
 */
export async function lookThroughNpm(program: LookedAt, readText: ReadText): Promise<LookThrough | undefined> {
  const call = readNpmCall(program.argv.slice(1));
  if (/^(exec|x)$/.test(call.command)) return lookThroughExec(call, program, readText);
  const event = runs.test(call.command) ? call.args.shift() : lifecycles[call.command];
  if (event === undefined) {
    return runs.test(call.command) ? no('npm would list the scripts of the package.') : undefined;
  }
  if (call.unknown) return no(call.unknown);
  const prefix = await findPrefix(program.cwd, call.prefix, readText);
  if (prefix === undefined) return no(`npm would find no package.json at ${program.cwd} or above.`);
  const settings = await readNpmrc(prefix, program.env['HOME'], call, readText);
  if (settings) return no(settings);
  if (call.allWorkspaces) return no('npm would run the script of every workspace.');
  const directories = call.workspaces.length === 0 ? [prefix] : await findWorkspaces(prefix, call.workspaces, readText);
  if (!Array.isArray(directories)) return no(directories.reason);
  const steps: StartedStep[] = [];
  for (const directory of directories) {
    const found = await scriptSteps(event, call, directory, prefix, program, readText);
    if (!Array.isArray(found)) return no(found.reason);
    steps.push(...found);
  }
  return withExactness(steps);
}

// What npm adds to the environment from its own configuration is not known here; a script that shows it is not exact.
const showsEnvironment =
  /(^|[\s;&|(])(env|printenv|set|export|declare)\b|npm_config_|npm_execpath|npm_node_execpath|\$\{?(PATH|NODE)\b/;

function withExactness(steps: StartedStep[]): LookThrough {
  const inexact = steps.some((step) => showsEnvironment.test(step.shellScript ?? ''));
  if (!inexact) return { ok: true, steps, exact: true };
  return {
    ok: true,
    steps,
    exact: false,
    inexactBecause: 'the script reads variables that npm sets from its configuration',
  };
}

/** What `npx tool` would start. */
export async function lookThroughNpx(program: LookedAt, readText: ReadText): Promise<LookThrough | undefined> {
  const call = readNpmCall(['exec', ...program.argv.slice(1)]);
  return lookThroughExec(call, program, readText);
}

const flagOptions =
  /^(--silent|-s|--quiet|-q|--ignore-scripts|--if-present|--yes|-y|--no|--no-install|--offline|--prefer-offline|--no-audit|--no-fund|--no-color|--color|--foreground-scripts|--verbose|--no-update-notifier|-d|-dd|-ddd|--include-workspace-root|-iwr|--force|-f|--no-workspaces|--legacy-peer-deps)$/;
const valueOptions =
  /^(--loglevel|--prefix|-C|--workspace|-w|--script-shell|--userconfig|--cache|--registry|--call|-c|--package|-p|--node-options)$/;

function readNpmCall(words: readonly string[]): NpmCall {
  const call: NpmCall = {
    command: '',
    args: [],
    workspaces: [],
    allWorkspaces: false,
    silent: false,
    ignoreScripts: false,
    ifPresent: false,
    packages: [],
  };
  const isExec = words[0] === 'exec';
  let positional = 0;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') {
      call.args.push(...words.slice(index + 1));
      break;
    }
    // Everything behind the tool's name belongs to the tool (npx), or is a further argument of the script (npm run).
    if (!word.startsWith('-') || word === '-' || (isExec && positional >= 2)) {
      if (positional === 0) call.command = word;
      else call.args.push(word);
      positional++;
      continue;
    }
    const equals = word.indexOf('=');
    const option = equals > 0 ? word.slice(0, equals) : word;
    let value = equals > 0 ? word.slice(equals + 1) : undefined;
    if (valueOptions.test(option)) {
      value ??= words[++index];
      takeOption(call, option, value ?? '');
    } else if (flagOptions.test(option)) takeOption(call, option, value ?? 'true');
    else if (option === '--workspaces' || option === '-ws') call.allWorkspaces = true;
    else call.unknown ??= `npm takes ${option} for itself; what it does with the script is not known here.`;
  }
  return call;
}

function takeOption(call: NpmCall, option: string, value: string): void {
  if (/^(--silent|-s)$/.test(option) || (option === '--loglevel' && value === 'silent'))
    call.silent = value !== 'false';
  else if (option === '--prefix' || option === '-C') call.prefix = value;
  else if (option === '--workspace' || option === '-w') call.workspaces.push(value);
  else if (option === '--script-shell') call.scriptShell = value;
  else if (option === '--ignore-scripts') call.ignoreScripts = value !== 'false';
  else if (option === '--if-present') call.ifPresent = value !== 'false';
  else if (option === '--call' || option === '-c') call.call = value;
  else if (option === '--package' || option === '-p') call.packages.push(value);
  else if (option === '--node-options') call.unknown ??= 'npm would pass options to every node program.';
}

// npm walks up to the first directory with a package.json or node_modules, which an install leaves its list in.
async function findPrefix(cwd: string, given: string | undefined, readText: ReadText): Promise<string | undefined> {
  if (given !== undefined) return posix.resolve(cwd, given);
  for (let directory = cwd; ; directory = posix.dirname(directory)) {
    if ((await readText(posix.join(directory, 'package.json'))) !== undefined) return directory;
    if ((await readText(posix.join(directory, 'node_modules/.package-lock.json'))) !== undefined) return directory;
    if (directory === posix.dirname(directory)) return undefined;
  }
}

async function readNpmrc(
  prefix: string,
  home: string | undefined,
  call: NpmCall,
  readText: ReadText,
): Promise<string | undefined> {
  const files = [posix.join(prefix, '.npmrc'), ...(home ? [posix.join(home, '.npmrc')] : [])];
  for (const file of files) {
    const text = (await readText(file)) ?? '';
    for (const line of text.split('\n')) {
      const [, key = '', value = ''] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (/^(ignore-scripts|if-present|script-shell|loglevel|silent)$/.test(key))
        takeOption(call, `--${key}`, value.replace(/^["']|["']$/g, ''));
      if (/^(workspace|workspaces|node-options|prefix)$/.test(key) && file === files[0]) {
        return `${file} sets ${key}, so what npm would start is not known here.`;
      }
    }
  }
  return undefined;
}

async function findWorkspaces(
  prefix: string,
  names: readonly string[],
  readText: ReadText,
): Promise<string[] | { reason: string }> {
  const root = parsePackage(await readText(posix.join(prefix, 'package.json')));
  if (!root) return { reason: `${posix.join(prefix, 'package.json')} is not readable as JSON.` };
  const found: string[] = [];
  for (const name of names) {
    // A workspace is named by its path or by its package's name; `packages/*` is tried with the name's last part.
    const base = name.slice(name.lastIndexOf('/') + 1);
    const guesses = [name, ...root.workspaces.map((pattern) => pattern.replace(/\*\*?$/, base))];
    const directory = await firstMatching(prefix, [...new Set(guesses)], name, readText);
    if (directory === undefined)
      return { reason: `The workspace ${name} is not where its name says; npm would search for it.` };
    found.push(directory);
  }
  return found;
}

async function firstMatching(
  prefix: string,
  guesses: readonly string[],
  name: string,
  readText: ReadText,
): Promise<string | undefined> {
  for (const guess of guesses) {
    const directory = posix.resolve(prefix, guess);
    const pkg = parsePackage(await readText(posix.join(directory, 'package.json')));
    if (pkg && directory !== prefix && (pkg.name === name || posix.resolve(prefix, name) === directory))
      return directory;
  }
  return undefined;
}

function parsePackage(text: string | undefined): PackageJson | undefined {
  if (text === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
    const record = json as Record<string, unknown>;
    const scripts: Record<string, string> = {};
    for (const [event, script] of Object.entries(asRecord(record['scripts'])))
      if (typeof script === 'string') scripts[event] = script;
    const listed = Array.isArray(record['workspaces'])
      ? record['workspaces']
      : asRecord(record['workspaces'])['packages'];
    const pkg: PackageJson = {
      scripts,
      workspaces: Array.isArray(listed) ? listed.filter((item) => typeof item === 'string') : [],
    };
    if (typeof record['name'] === 'string') pkg.name = record['name'].trim();
    if (typeof record['version'] === 'string') pkg.version = record['version'];
    for (const key of ['config', 'engines', 'bin'] as const) if (record[key] !== undefined) pkg[key] = record[key];
    if (typeof pkg.bin === 'string' && pkg.name) pkg.bin = { [pkg.name.slice(pkg.name.lastIndexOf('/') + 1)]: pkg.bin };
    return pkg;
  } catch {
    return undefined;
  }
}

/** Reads a package.json; for the other package managers. */
export async function readPackage(directory: string, readText: ReadText): Promise<PackageJson | undefined> {
  return parsePackage(await readText(posix.join(directory, 'package.json')));
}

/** The next package.json at or above a directory. */
export async function findPackageDirectory(cwd: string, readText: ReadText): Promise<string | undefined> {
  return findPrefix(cwd, undefined, readText);
}

async function scriptSteps(
  event: string,
  call: NpmCall,
  directory: string,
  prefix: string,
  program: LookedAt,
  readText: ReadText,
): Promise<StartedStep[] | { reason: string }> {
  const pkg = await readPackage(directory, readText);
  if (!pkg) return { reason: `${posix.join(directory, 'package.json')} is missing or not readable as JSON.` };
  const scripts: Record<string, string> = { ...pkg.scripts };
  if (event === 'restart') scripts['restart'] ??= 'npm stop --if-present && npm start';
  if (event === 'env') scripts['env'] ??= 'env';
  if (
    event === 'start' &&
    scripts['start'] === undefined &&
    (await readText(posix.join(directory, 'server.js'))) !== undefined
  ) {
    scripts['start'] = 'node server.js';
  }
  if (scripts[event] === undefined) {
    if (call.ifPresent) return [];
    return { reason: `The package has no script ${event}; npm would say so and exit with 1.` };
  }
  const events = call.ignoreScripts ? [event] : [`pre${event}`, event, `post${event}`];
  const steps: StartedStep[] = [];
  for (const name of events) {
    const script = scripts[name];
    if (!script) continue;
    const args = name === event ? call.args : [];
    const shellScript = [script, ...args.map(escapeArgument)].join(' ');
    const step: StartedStep = {
      shellScript,
      label: { kind: 'script', name, words: shellScript },
      cwd: directory,
      env: scriptEnvironment(name, script, pkg, directory, prefix, program),
    };
    if (call.scriptShell) step.shell = call.scriptShell;
    if (!call.silent) {
      const id = pkg.name && pkg.version ? `${pkg.name}@${pkg.version} ` : '';
      const shown = `${script.trim().replaceAll('\n', '\n> ')}${args.length > 0 ? ` ${args.join(' ')}` : ''}`;
      step.printed = { stdout: `\n> ${id}${name}\n> ${shown}\n\n` };
    }
    steps.push(step);
  }
  return steps;
}

/**
 * One argument as npm gives it to `sh` (`@npmcli/promise-spawn`): no quoting of ours, because what npm leaves unquoted
 * (`[ab]`, `{`) the shell expands.
 */
export function escapeArgument(input: string): string {
  if (input !== '' && !/[\t\n\r "#$&'()*;<>?\\`|~]/.test(input)) return input;
  return npmQuote(input)
    .replace(/^(?:'')+(?!$)/, '')
    .replaceAll("\\'''", "\\'");
}

function npmQuote(input: string): string {
  return `'${input.replaceAll("'", "'\\''")}'`;
}

function scriptEnvironment(
  event: string,
  script: string,
  pkg: PackageJson,
  directory: string,
  prefix: string,
  program: LookedAt,
): Record<string, string> {
  const env: Record<string, string> = {
    INIT_CWD: program.cwd,
    npm_command: event === 'npx' ? 'exec' : 'run',
    npm_config_local_prefix: prefix,
    npm_lifecycle_event: event,
    npm_lifecycle_script: script,
    npm_package_json: posix.join(directory, 'package.json'),
    PATH: [...binDirectories(directory), program.env['PATH'] ?? ''].filter((part) => part !== '').join(':'),
  };
  env['COLOR'] = program.env['COLOR'] ?? '0';
  env['EDITOR'] = program.env['EDITOR'] ?? 'vi';
  const described = { name: pkg.name, version: pkg.version, config: pkg.config, engines: pkg.engines, bin: pkg.bin };
  addPackageVariables(described, 'npm_package_', env);
  return env;
}

function addPackageVariables(values: object, prefix: string, env: Record<string, string>): void {
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (value === null || value === false) env[`${prefix}${key}`] = '';
    else if (typeof value === 'object') addPackageVariables(value, `${prefix}${key}_`, env);
    else env[`${prefix}${key}`] = String(value);
  }
}

/** `node_modules/.bin` of a directory and of all above it, nearest first. */
export function binDirectories(directory: string): string[] {
  const found: string[] = [];
  for (let at = directory; ; at = posix.dirname(at)) {
    found.push(posix.join(at, 'node_modules/.bin'));
    if (at === posix.dirname(at)) return found;
  }
}

async function lookThroughExec(call: NpmCall, program: LookedAt, readText: ReadText): Promise<LookThrough> {
  if (call.unknown) return no(call.unknown);
  if (call.allWorkspaces || call.workspaces.length > 0) return no('npx would run in workspaces.');
  const prefix = (await findPrefix(program.cwd, call.prefix, readText)) ?? program.cwd;
  const pkg = (await readPackage(prefix, readText)) ?? { scripts: {}, workspaces: [] };
  const [tool, ...args] = call.args;
  if (call.packages.length > 0) return no(`npx would look for ${call.packages.join(', ')} and may download it.`);
  let shellScript = call.call;
  let script = call.call ?? '';
  let bin: string | undefined;
  if (shellScript === undefined) {
    if (tool === undefined) return no('npx would open an interactive shell.');
    if (asRecord(pkg.bin)[tool] !== undefined) return no(`npx would install this package to get its own ${tool}.`);
    for (const directory of binDirectories(prefix)) {
      if (bin === undefined && (await readText(posix.join(directory, tool))) !== undefined) bin = directory;
    }
    if (bin === undefined || /[/@]/.test(tool))
      return no(`${tool} is not installed in the project; npx would download it and run it.`);
    script = npmQuote(tool);
    shellScript = [script, ...args.map(escapeArgument)].join(' ');
  }
  const env = scriptEnvironment('npx', script, pkg, program.cwd, prefix, program);
  // npx runs where it was called, with the directory of the tool first.
  if (bin !== undefined) env['PATH'] = `${bin}:${env['PATH'] ?? ''}`;
  env['npm_package_json'] = posix.join(program.cwd, 'package.json');
  const words = call.call ?? [tool ?? '', ...args.map(escapeArgument)].join(' ');
  const step: StartedStep = { shellScript, cwd: program.cwd, env, label: { kind: 'tool', by: 'npx', words } };
  if (call.scriptShell) step.shell = call.scriptShell;
  return withExactness([step]);
}

function no(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
