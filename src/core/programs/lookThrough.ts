import { posix } from 'node:path';
import type { ProgramLabel } from '../facts/programLabel.ts';
import { quoteCall, quoteWord } from '../shell/quoteWord.ts';
import { lookThroughPackageRunner } from './packageRunners.ts';
import { lookThroughNpm, lookThroughNpx } from './packageScripts.ts';
import { programName } from './programName.ts';
import type { LookedAt, LookThrough, OneProgram, ReadText, StartedStep } from './startedStep.ts';
import { unwrap } from './wrappers.ts';

/**
 * What a gated program would start, so that this can run in its place: `sudo`, `doas`, `su -c`, `pkexec`, `env`, `time`,
 * `nohup`, `nice`, `stdbuf`, scripts of npm, yarn, pnpm and bun, and `npx` of an installed tool.
 * `undefined`: it is no such program. `ok: false`: it is, but what it would start is not known.
 */
export async function lookThrough(program: LookedAt, readText: ReadText): Promise<LookThrough | undefined> {
  const direct = withoutInterpreter(program);
  const name = programName(direct.argv[0] ?? '');
  if (name === 'npm') return lookThroughNpm(direct, readText);
  if (name === 'npx') return lookThroughNpx(direct, readText);
  if (/^(yarn|yarnpkg|pnpm|pnpx|bun|bunx)$/.test(name)) return lookThroughPackageRunner(name, direct, readText);
  return lookThroughWrapper(name, direct);
}

const packageFrontEnds = /(?:^|\/)(npm|npx|yarn|yarnpkg|pnpm|pnpx)(?:-cli)?(?:\.c?js)?$/;

/** `node /usr/bin/npm run x`, which is how the kernel starts `npm run x`, without the interpreter. */
function withoutInterpreter(program: LookedAt): LookedAt {
  const [interpreter, script, ...rest] = program.argv;
  if (!/^(node|nodejs)$/.test(programName(interpreter ?? '')) || script === undefined) return program;
  const name = packageFrontEnds.exec(script)?.[1];
  // A file of the project may be called npm.js as well; an installed front end stands in a bin or corepack directory.
  if (!name || !/\/(bin|lib|libexec|dist|shims|\.bin)\//.test(script)) return program;
  return { ...program, argv: [name, ...rest] };
}

const userChangers = /^(sudo|doas|su|pkexec|runuser)$/;
const transparent = /^(env|time|gtime|nohup|nice|ionice|stdbuf|timeout|setsid|chrt|taskset|unbuffer)$/;

function lookThroughWrapper(name: string, program: LookedAt): LookThrough | undefined {
  const changesUser = userChangers.test(name);
  if (!changesUser && !transparent.test(name)) return undefined;
  const wrapped = unwrap(program.argv);
  if (name === 'sudo') return lookThroughSudo(program);
  if (!wrapped) return { ok: false, reason: `${name} would start an interactive shell or only print something.` };
  const directory = optionValue(program.argv, /^(-C|--chdir)$/);
  if (
    name === 'env' &&
    /^(-i|-|--ignore-environment|-u|--unset)$/.test(wrapped.options.find((option) => option !== '-v') ?? '')
  ) {
    return { ok: false, reason: 'env would remove variables from the environment.' };
  }
  const step: StartedStep = {
    ...(wrapped.argv ? { argv: wrapped.argv } : { shellScript: wrapped.shellScript ?? '' }),
    cwd: name === 'env' && directory ? posix.resolve(program.cwd, directory) : program.cwd,
    env: wrapped.env,
    label: startedBy(name, wrapped.asUser, wrapped.shellScript),
  };
  addUser(step, wrapped.asUser);
  if (!changesUser && !/^(time|gtime|timeout|nohup)$/.test(name)) return { ok: true, steps: [step], exact: true };
  const because: Record<string, string> = {
    time: 'time prints how long it took',
    gtime: 'time prints how long it took',
    timeout: 'timeout ends it when it takes too long',
    nohup: 'nohup sends its output to nohup.out at a terminal',
  };
  return {
    ok: true,
    steps: [step],
    exact: false,
    inexactBecause: because[name] ?? `${name} may ask for a password and changes the user`,
  };
}

/**
 * sudo(8). Its own environment (`HOME`, `LOGNAME`, `USER`, `PATH` by secure_path) depends on /etc/sudoers, which only
 * root can read, so the step has what the manual page promises by default.
 */
function lookThroughSudo(program: LookedAt): LookThrough {
  const wrapped = unwrap(program.argv);
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
  const home = user === 'root' ? '/root' : `/home/${user}`;
  const login = has('i', '--login');
  const env: Record<string, string> = { ...wrapped.env, SUDO_COMMAND: (wrapped.argv ?? []).join(' ') };
  if (program.env['USER']) env['SUDO_USER'] = program.env['USER'];
  if (!has('E', '--preserve-env') || login || has('H', '--set-home')) {
    Object.assign(env, { HOME: home, LOGNAME: user, USER: user, ...wrapped.env });
  }
  const directory = optionValue(program.argv, /^(-D|--chdir)$/);
  const shellScript = (wrapped.argv ?? []).map(escapeForSudo).join(' ');
  const usesShell = login || has('s', '--shell');
  const step: StartedStep = {
    cwd: login ? home : directory ? posix.resolve(program.cwd, directory) : program.cwd,
    env,
    label: startedBy('sudo', user, usesShell ? shellScript : undefined),
    ...(usesShell ? { shellScript } : { argv: wrapped.argv ?? [] }),
  };
  addUser(step, user);
  return { ok: true, steps: [step], exact: false, inexactBecause: 'sudo may ask for a password and changes the user' };
}

// sudo(8), -s: every character that is not alphanumeric, underscore, hyphen or dollar sign is escaped by a backslash.
function escapeForSudo(word: string): string {
  return word.replace(/[^\w$-]/g, '\\$&');
}

/** `words`: what it hands to a shell, in the place of a program. */
function startedBy(by: string, asUser: string | undefined, words: string | undefined): ProgramLabel {
  const user = asUser === undefined ? {} : { asUser };
  return words === undefined ? { kind: 'startedBy', by, ...user } : { kind: 'line', by, words, ...user };
}

function addUser(step: StartedStep, user: string | undefined): void {
  if (user === undefined) return;
  if (user === 'root' || user === '#0') step.asRoot = true;
  else step.asUser = user;
}

function optionValue(argv: readonly string[], option: RegExp): string | undefined {
  for (const [index, word] of argv.entries()) {
    if (word === '--') return undefined;
    if (option.test(word)) return argv[index + 1];
    const [name, value] = word.startsWith('--') ? word.split('=', 2) : [];
    if (name !== undefined && value !== undefined && option.test(name)) return value;
  }
  return undefined;
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
