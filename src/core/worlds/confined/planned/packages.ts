import fs from 'node:fs';
import path from 'node:path';
import type { FoundPlan } from '../../../facts/packagePlan.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import { aptCall, readAptDownload, readAptPlan } from '../../../programs/aptCall.ts';
import { startedBy } from '../../../programs/startedBy.ts';
import type { FileChange } from '../../../view/fileChange.ts';
import type { GatekeeperOptions } from '../gate/gatekeeperOptions.ts';
import { systemFile } from '../gate/inert.ts';
import type { Gated } from '../wire/launcher.ts';
import { namedArgv, type RecordedProgram, type RunRecord } from '../wire/runRecord.ts';

/**
 * Runs one program of the system in a copy of its own, without a network; `undefined` where that was not possible. `helpers`: what
 * it may start. `env`: added to its environment.
 */
export type RunInCopy = (
  argv: readonly string[],
  helpers: readonly string[],
  signal: AbortSignal,
  env?: Readonly<Record<string, string>>,
) => Promise<{ exitCode: number; stdout: Buffer; stderr: Buffer } | undefined>;

const program = '/usr/bin/apt-get';
const lists = '/var/lib/apt/lists';
/** It asks these what they can, also where nothing is fetched. */
const methods = '/usr/lib/apt/methods';
/** What decides a plan. */
const packageFolders = ['/etc/apt', '/var/lib/apt', '/var/lib/dpkg', '/etc/dpkg', '/usr/bin/apt-get'];

/** Plans for the stopped programs of one prediction: the same question is asked once. */
export function createPackagePlanner(run: RunInCopy, signal: AbortSignal): GatekeeperOptions['plan'] {
  const plans = new Map<string, Promise<FoundPlan | undefined>>();
  return (gated, record, program) => {
    const words = packageQuestion(gated, record, program);
    if (words === undefined) return undefined;
    const key = program.argv.join('\0');
    const plan = plans.get(key) ?? planPackages(program.argv, words, run, signal).catch(() => undefined);
    plans.set(key, plan);
    return plan;
  };
}

/** What was found out for the programs of a run. Of what the command itself changes before nothing is claimed. */
export async function planEvents(
  { programs, assumptions }: RunRecord,
  changes: readonly FileChange[],
): Promise<FactEvent[]> {
  if (programs.every(({ plan }) => plan === undefined)) return [];
  const isTouched = changes.some(({ path: changed }) =>
    packageFolders.some((folder) => changed === folder || changed.startsWith(`${folder}/`)),
  );
  if (isTouched) return [];
  const events: FactEvent[] = [];
  for (const { id, plan } of programs) {
    const found = await plan;
    if (found === undefined) continue;
    // What another stopped program does before may be the newest lists.
    const isFirst = assumptions.every((one) => one.id >= id || one.assumes.some(({ kind }) => kind === 'onlyStarts'));
    if (!('unknown' in found)) {
      const fact = { kind: 'packagePlan', plan: found } as const;
      events.push({ type: 'effect', fact, basis: isFirst ? 'computed' : 'assumed' });
    } else if (isFirst) {
      const { unknown, ...says } = found;
      events.push({ type: 'notice', fact: { kind: 'packagesUnknown', because: unknown, ...says } });
    }
  }
  return events;
}

/**
 * The arguments of a simulation that tells what a stopped program would do to packages; `undefined` where there is none: it is
 * not the system's own apt, has not the rights of root, or is given other settings.
 */
function packageQuestion(gated: Gated, { programs }: RunRecord, stopped: RecordedProgram): string[] | undefined {
  const argv = namedArgv(gated);
  const words = aptCall(argv);
  if (words === undefined || gated.env.some((variable) => variable.startsWith('APT_CONFIG='))) return undefined;
  const file = systemFile(program);
  if (file === undefined || ![file, '/usr/bin/apt'].includes(gated.realPath)) return undefined;
  const isRoot = process.getuid?.() === 0 || isStartedAsRoot(stopped, programs);
  return isRoot ? words : undefined;
}

function isStartedAsRoot({ parent }: RecordedProgram, programs: readonly RecordedProgram[]): boolean {
  const above = parent === undefined ? undefined : programs[parent - 1];
  if (above === undefined) return false;
  return startedBy(above.argv).some(({ asUser }) => asUser === 'root') || isStartedAsRoot(above, programs);
}

/** Asks the system's own planner, which only simulates. Takes a second or two. */
async function planPackages(
  argv: readonly string[],
  words: readonly string[],
  run: RunInCopy,
  signal: AbortSignal,
): Promise<FoundPlan | undefined> {
  const listsAt = newestList();
  const helpers = namesIn(methods).flatMap((name) => systemFile(path.join(methods, name)) ?? []);
  const ask = (options: readonly string[]) =>
    run([program, ...options, '-o', 'Debug::NoLocking=true', '-o', 'APT::Sandbox::User=root'], helpers, signal);
  const [simulated, fetched] = await Promise.all([ask(['-s', ...words]), ask(['--print-uris', '-y', ...words])]);
  if (!simulated) return undefined;
  if (simulated.exitCode !== 0) {
    if (listsAt === undefined) return { unknown: 'noLists' };
    // Where it cannot even plan nothing, it is the copy that it does not like.
    if ((await ask(['-s', 'install']))?.exitCode !== 0) return undefined;
    const says = /^E: (.+)$/m.exec(simulated.stderr.toString('utf8'))?.[1];
    return says === undefined ? undefined : { unknown: 'refused', says };
  }
  const plan = readAptPlan(argv, simulated.stdout.toString('utf8'));
  if (plan === undefined) return undefined;
  const downloads = fetched?.exitCode === 0 ? { downloadBytes: readAptDownload(fetched.stdout.toString('utf8')) } : {};
  return { ...plan, ...downloads, ...(listsAt === undefined ? {} : { listsAt: listsAt.toISOString() }) };
}

/** When the newest list of packages was fetched; `undefined` where there is none. */
function newestList(): Date | undefined {
  const names = namesIn(lists).filter((name) => /_(?:In)?Release$|_Packages/.test(name));
  if (!names.some((name) => /_Packages/.test(name))) return undefined;
  const times = names.map((name) => fs.statSync(path.join(lists, name), { throwIfNoEntry: false })?.ctimeMs ?? 0);
  return new Date(Math.max(...times));
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
