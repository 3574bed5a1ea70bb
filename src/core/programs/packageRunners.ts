import { posix } from 'node:path';
import { binDirectories, escapeArgument, findPackageDirectory, readPackage } from './packageScripts.ts';
import type { PackageRunner } from './program.ts';
import type { LookedAt, LookThrough, ReadText, StartedStep } from './startedStep.ts';

interface Runner {
  /** Options of the runner that take a value as the next word. */
  valued: RegExp;
  /** Subcommands of its own, which never are scripts. */
  own: RegExp;
  /** Each of these files says that a project is its. */
  locks: readonly string[];
  /** Runs `pre` and `post` scripts as well. */
  hooks: boolean;
  inexactBecause: string;
}

const runners: Readonly<Record<PackageRunner, Runner>> = {
  yarn: {
    valued: /^(--cwd|--modules-folder|--cache-folder|--mutex)$/,
    own: /^(add|audit|autoclean|bin|cache|check|config|create|dedupe|dlx|explain|generate-lock-entry|global|help|import|info|init|install|licenses|link|list|login|logout|node|npm|outdated|owner|pack|patch|patch-commit|plugin|policies|publish|rebuild|remove|search|set|stage|tag|team|unlink|unplug|up|upgrade|upgrade-interactive|version|versions|why|workspace|workspaces|constraints)$/,
    locks: ['yarn.lock'],
    hooks: true,
    inexactBecause: 'yarn prints its version and how long it took, which differ from version to version',
  },
  pnpm: {
    valued: /^(-C|--dir|--filter|-F|--reporter|--loglevel)$/,
    own: /^(add|audit|bin|config|create|dedupe|deploy|dlx|doctor|env|fetch|i|import|init|install|install-test|it|licenses|link|list|ls|ln|outdated|pack|patch|patch-commit|patch-remove|prune|publish|rb|rebuild|remove|rm|root|self-update|server|setup|store|un|uninstall|unlink|up|update|upgrade|why)$/,
    locks: ['pnpm-lock.yaml'],
    hooks: true,
    inexactBecause: 'the lines that pnpm prints before a script differ from version to version',
  },
  bun: {
    valued: /^(--cwd|--config|-c|--filter|--env-file|--preload|-r)$/,
    own: /^(add|build|create|i|init|install|link|outdated|patch|pm|publish|remove|rm|repl|test|unlink|update|upgrade|why)$/,
    locks: ['bun.lock', 'bun.lockb'],
    hooks: true,
    inexactBecause: 'bun prints the command of the script on standard error',
  },
};

/** The package manager of a project, by the files in its folder; `npm` where none says otherwise. */
export async function packageManagerOf(isThere: (file: string) => Promise<boolean>): Promise<PackageRunner | 'npm'> {
  for (const [name, { locks }] of Object.entries(runners) as [PackageRunner, Runner][])
    for (const lock of locks) if (await isThere(lock)) return name;
  return 'npm';
}

/** What `yarn build`, `pnpm run build`, `bun run build` or `pnpm exec tool` would start. */
export async function lookThroughPackageRunner(
  name: string,
  kind: PackageRunner,
  program: LookedAt,
  readText: ReadText,
): Promise<LookThrough | undefined> {
  if (name === 'bunx' || name === 'pnpx') return no(`${name} may download the tool and run it.`);
  const runner = runners[kind];
  const words = program.argv.slice(1);
  let cwd = program.cwd;
  while (words[0]?.startsWith('-')) {
    const option = words.shift() ?? '';
    if (/^(--filter|-F|-r|--recursive|-w|--workspace-root)$/.test(option))
      return no(`${name} would run in other packages of the workspace.`);
    if (/^(-v|--version|-h|--help)$/.test(option)) return undefined;
    const value = runner.valued.test(option) ? words.shift() : undefined;
    if (value !== undefined && /^(-C|--dir|--cwd)$/.test(option)) cwd = posix.resolve(cwd, value);
  }
  let word = words.shift();
  if (word === undefined) return undefined;
  const directory = await findPackageDirectory(cwd, readText);
  if (word === 'exec') return runTool(name, runner, words, cwd, directory ?? cwd, program, readText);
  if (word === 'run' || word === 'run-script') {
    while (words[0]?.startsWith('-')) words.shift();
    word = words.shift();
    if (word === undefined) return no(`${name} would list the scripts of the package.`);
  } else if (runner.own.test(word)) return undefined;
  if (directory === undefined) return no(`${name} would find no package.json at ${cwd} or above.`);
  const pkg = await readPackage(directory, readText);
  if (!pkg) return no(`${posix.join(directory, 'package.json')} is not readable as JSON.`);
  const script = word;
  if (pkg.scripts[script] === undefined) {
    // `bun file.ts` runs a file.
    if (kind === 'bun' && /\.[cm]?[jt]sx?$/.test(script)) return undefined;
    return runTool(name, runner, [script, ...words], cwd, directory, program, readText);
  }
  if (words[0] === '--') words.shift();
  const events = runner.hooks ? [`pre${script}`, script, `post${script}`] : [script];
  const steps = events.flatMap((event): StartedStep[] => {
    const text = pkg.scripts[event];
    if (!text) return [];
    const args = event === script ? words.map(escapeArgument) : [];
    const env: Record<string, string> = {
      ...pathFor(directory, program),
      npm_lifecycle_event: event,
      npm_lifecycle_script: text,
      INIT_CWD: program.cwd,
      ...(pkg.name ? { npm_package_name: pkg.name } : {}),
      ...(pkg.version ? { npm_package_version: pkg.version } : {}),
    };
    const shellScript = [text, ...args].join(' ');
    return [{ shellScript, cwd: directory, env, label: { kind: 'script', name: event, words: shellScript } }];
  });
  return { ok: true, steps, exact: false, inexactBecause: runner.inexactBecause };
}

async function runTool(
  name: string,
  runner: Runner,
  words: readonly string[],
  cwd: string,
  directory: string,
  program: LookedAt,
  readText: ReadText,
): Promise<LookThrough> {
  const argv = words[0] === '--' ? words.slice(1) : [...words];
  const tool = argv[0];
  if (tool === undefined) return no(`${name} would only print how it is used.`);
  for (const bin of binDirectories(directory)) {
    const path = posix.join(bin, tool);
    if ((await readText(path)) === undefined) continue;
    const words = [tool, ...argv.slice(1).map(escapeArgument)].join(' ');
    const label = { kind: 'tool', by: name, words } as const;
    return {
      ok: true,
      steps: [{ argv: [path, ...argv.slice(1)], cwd, env: pathFor(directory, program), label }],
      exact: false,
      inexactBecause: runner.inexactBecause,
    };
  }
  return no(`${tool} is neither a script nor an installed tool of the project.`);
}

function pathFor(directory: string, program: LookedAt): Record<string, string> {
  return { PATH: [...binDirectories(directory), program.env['PATH'] ?? ''].filter((part) => part !== '').join(':') };
}

function no(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
