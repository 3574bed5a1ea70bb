import { posix } from 'node:path';
import type { ProgramLabel } from '../facts/programLabel.ts';
import type { Started } from '../shell/evaluated.ts';
import { quoteCall, quoteWord } from '../shell/quoteWord.ts';
import { lookThroughComposer } from './composerScripts.ts';
import { lookThroughDenoTask } from './denoTasks.ts';
import { interpretedProgram } from './interpretedProgram.ts';
import { lookThroughMake } from './makeRecipes.ts';
import { lookThroughPackageRunner } from './packageRunners.ts';
import { lookThroughNpm, lookThroughNpx } from './packageScripts.ts';
import { programName } from './programName.ts';
import { programNamed } from './programOf.ts';
import { startedBy, startsOf } from './startedBy.ts';
import type { IsThere, LookedAt, LookThrough, OneProgram, ReadText, StartedStep } from './startedStep.ts';

/**
 * What a gated program would start, so that this can run in its place: `sudo`, `doas`, `su -c`, `pkexec`, `env`, `time`,
 * `nohup`, `nice`, `stdbuf`, scripts of npm, yarn, pnpm, bun and Composer, tasks of Deno, targets of make, and `npx` of an
 * installed tool; and what does the same as a known tool (`rimraf x`).
 * `undefined`: it is no such program. `ok: false`: it is, but what it would start is not known.
 */
export async function lookThrough(
  program: LookedAt,
  readText: ReadText,
  isThere: IsThere,
): Promise<LookThrough | undefined> {
  const direct = withoutInterpreter(program);
  const found = await lookThroughStarter(direct, readText, isThere);
  return found?.ok ? found : (lookThroughLike(direct) ?? found);
}

/** What does the same as a known tool, also as one that a front end downloads. */
function lookThroughLike({ argv, cwd }: LookedAt): LookThrough | undefined {
  const tool = downloadedTool(argv) ?? argv;
  const [name = '', ...words] = tool;
  const like = programNamed(programName(name))?.doesAs;
  if (!like) return undefined;
  const isOption = (word: string) => /^-./.test(word);
  const plain = words.filter((word) => !isOption(word));
  if (like.first && !like.first.test(words[0] ?? '')) return undefined;
  if (plain.length === 0 || !plain.every((word) => like.words.test(word))) return undefined;
  if (!words.filter(isOption).every((word) => like.options?.test(word))) return undefined;
  const call = like.call.length > 0 ? [...like.call, ...plain] : words;
  if (programNamed(call[0] ?? '')?.inert !== true) return undefined;
  const label = { kind: 'startedBy', by: programName(argv[0] ?? '') } as const;
  return { ok: true, steps: [{ argv: call, cwd, env: {}, label }], exact: false, isLike: true };
}

/** The call of a tool that a front end downloads where it is not installed: `npx rimraf x`, `pnpm dlx rimraf x`. */
function downloadedTool(argv: readonly string[]): readonly string[] | undefined {
  const [front = '', subcommand = ''] = argv;
  const name = programName(front);
  const downloads = name === 'npm' ? /^(?:exec|x)$/.test(subcommand) : subcommand === 'dlx';
  if (!downloads && programNamed(name)?.runsPackages !== true) return undefined;
  return startedBy(argv)[0]?.argv;
}

async function lookThroughStarter(
  direct: LookedAt,
  readText: ReadText,
  isThere: IsThere,
): Promise<LookThrough | undefined> {
  const name = programName(direct.argv[0] ?? '');
  if (!isFrontEnd(name)) return lookThroughWrapper(name, direct);
  if (name === 'npm') return lookThroughNpm(direct, readText);
  if (name === 'npx') return lookThroughNpx(direct, readText);
  const { packageRunner, startsNamed } = programNamed(name) ?? {};
  if (packageRunner) return lookThroughPackageRunner(name, packageRunner, direct, readText);
  if (startsNamed === 'composer') return lookThroughComposer(direct, readText);
  if (startsNamed === 'deno') return lookThroughDenoTask(direct, readText);
  return lookThroughMake(direct, readText, isThere);
}

/** Whether a file of the project tells what a program of this name starts: package.json, composer.json, deno.json, a makefile. */
export function isFrontEnd(name: string): boolean {
  const { packageRunner, startsNamed } = programNamed(name) ?? {};
  return name === 'npm' || name === 'npx' || packageRunner !== undefined || startsNamed !== undefined;
}

/** `node /usr/bin/npm run x`, which is how the kernel starts `npm run x`, without the interpreter; so for Composer and php. */
function withoutInterpreter(program: LookedAt): LookedAt {
  const [interpreter = '', script = '', ...rest] = program.argv;
  const name = interpretedProgram(interpreter, script);
  // A file of the project may be called npm.js as well; an installed front end stands in a bin or corepack directory.
  // `php composer.phar` is how Composer is called that was downloaded into a project.
  const isInstalled = /\/(bin|lib|libexec|dist|shims|\.bin)\//.test(script) || script.endsWith('.phar');
  return name === undefined || !isInstalled ? program : { ...program, argv: [name, ...rest] };
}

function lookThroughWrapper(name: string, program: LookedAt): LookThrough | undefined {
  const row = startsOf(name);
  if (row?.instead === undefined) return undefined;
  if (name === 'sudo') return lookThroughSudo(program, row.instead);
  const [started] = startedBy(program.argv);
  if (!started) return { ok: false, reason: `${name} would start an interactive shell or only print something.` };
  if (name === 'env' && started.options.some((option) => /^(-i|-|--ignore-environment|-u|--unset)$/.test(option)))
    return { ok: false, reason: 'env would remove variables from the environment.' };
  const step: StartedStep = {
    ...(started.argv ? { argv: started.argv } : { shellScript: started.shellScript ?? '' }),
    cwd: folderOf(started, program.cwd),
    env: started.env,
    label: labelOf(name, started.asUser, started.shellScript),
  };
  addUser(step, started.asUser);
  if (row.instead === 'exact') return { ok: true, steps: [step], exact: true };
  return { ok: true, steps: [step], exact: false, inexactBecause: row.instead };
}

/**
 * sudo(8). Its own environment (`HOME`, `LOGNAME`, `USER`, `PATH` by secure_path) depends on /etc/sudoers, which only
 * root can read, so the step has what the manual page promises by default.
 */
function lookThroughSudo(program: LookedAt, inexactBecause: string): LookThrough {
  const [wrapped] = startedBy(program.argv);
  const flags = wrapped?.options ?? program.argv.slice(1).filter((word) => word.startsWith('-'));
  const has = (short: string, long: string) =>
    flags.some((flag) => flag === long || (/^-[A-Za-z]+$/.test(flag) && flag.includes(short)));
  if (has('l', '--list') || has('v', '--validate') || has('K', '--remove-timestamp') || has('V', '--version')) {
    return { ok: false, reason: 'sudo would only show or refresh its permissions.' };
  }
  if (has('e', '--edit')) return { ok: false, reason: 'sudo would open an editor.' };
  if (!wrapped) {
    if (has('k', '--reset-timestamp')) return { ok: false, reason: 'sudo would only forget its permissions.' };
    return {
      ok: false,
      reason:
        has('i', '--login') || has('s', '--shell')
          ? 'sudo would open an interactive shell as another user.'
          : 'sudo would only print how it is used.',
    };
  }
  const user = wrapped.asUser ?? 'root';
  const home = homeOf(user);
  const login = has('i', '--login');
  const env: Record<string, string> = { ...wrapped.env, SUDO_COMMAND: (wrapped.argv ?? []).join(' ') };
  if (program.env['USER']) env['SUDO_USER'] = program.env['USER'];
  if (!has('E', '--preserve-env') || login || has('H', '--set-home')) {
    Object.assign(env, { HOME: home, LOGNAME: user, USER: user, ...wrapped.env });
  }
  const shellScript = (wrapped.argv ?? []).map(escapeForSudo).join(' ');
  const usesShell = login || has('s', '--shell');
  const step: StartedStep = {
    cwd: folderOf(wrapped, program.cwd),
    env,
    label: labelOf('sudo', user, usesShell ? shellScript : undefined),
    ...(usesShell ? { shellScript } : { argv: wrapped.argv ?? [] }),
  };
  addUser(step, user);
  return { ok: true, steps: [step], exact: false, inexactBecause };
}

// sudo(8), -s: every character that is not alphanumeric, underscore, hyphen or dollar sign is escaped by a backslash.
function escapeForSudo(word: string): string {
  return word.replace(/[^\w$-]/g, '\\$&');
}

/** `words`: what it hands to a shell, in the place of a program. */
function labelOf(by: string, asUser: string | undefined, words: string | undefined): ProgramLabel {
  const user = asUser === undefined ? {} : { asUser };
  return words === undefined ? { kind: 'startedBy', by, ...user } : { kind: 'line', by, words, ...user };
}

/** A login shell begins at home (su(1), sudo(8)), and so does what pkexec starts. */
function folderOf(started: Started, cwd: string): string {
  if (started.folder !== undefined) return posix.resolve(cwd, started.folder);
  return started.isAway ? homeOf(started.asUser ?? 'root') : cwd;
}

function homeOf(user: string): string {
  return user === 'root' || user === '#0' ? '/root' : `/home/${user}`;
}

function addUser(step: StartedStep, user: string | undefined): void {
  if (user === undefined) return;
  if (user === 'root' || user === '#0') step.asRoot = true;
  else step.asUser = user;
}

/**
 * The steps as one program that a waiting process can be replaced by, with what has to be printed before it.
 * Several steps become one `sh -c` that stops at the first failure, as npm does.
 */
export function asOneProgram(steps: readonly StartedStep[]): OneProgram | undefined {
  const [first, ...others] = steps;
  if (!first) return undefined;
  const stdout = first.printed?.stdout ?? '';
  const started = steps.map(({ argv, shell = 'sh', shellScript = '', label }) => ({
    argv: argv ? [...argv] : [shell, '-c', shellScript],
    label,
  }));
  if (others.length === 0) {
    const { argv } = started[0] ?? { argv: [] };
    return { argv, cwd: first.cwd, env: { ...first.env }, stdout, steps: started, ours: [] };
  }
  const ours: string[][] = [];
  const lines = steps.map((step, index) => {
    const settings = Object.entries(step.env).map(([name, value]) => `${name}=${value}`);
    const starter = ['env', ...settings, ...(started[index]?.argv ?? [])];
    ours.push(starter);
    const banner = index > 0 && step.printed ? `printf %s ${quoteWord(step.printed.stdout)}; ` : '';
    return `${banner}(cd ${quoteWord(step.cwd)} && exec ${quoteCall(starter)}) || exit $?`;
  });
  const argv = ['sh', '-c', lines.join('\n')];
  return { argv, cwd: first.cwd, env: {}, stdout, steps: started, ours: [argv, ...ours] };
}
