import { posix } from 'node:path';
import { describeProgram } from '../../../programs/describeProgram.ts';
import { leavesNothing, throughMounts, writtenOutside } from '../../../programs/mounts.ts';
import { outputsOf } from '../../../programs/outputs.ts';
import { programName } from '../../../programs/programName.ts';
import { mayBeSameCall } from '../../../programs/sameCall.ts';
import { startedBy } from '../../../programs/startedBy.ts';
import { findStaticPrograms } from '../../../programs/staticPrograms.ts';
import {
  knownField,
  type Mount,
  type Started,
  type StaticPlace,
  type StaticProgram,
  type StaticRedirect,
} from '../../../shell/evaluated.ts';
import { quoteCall } from '../../../shell/quoteWord.ts';
import { readScript } from '../../../shell/script.ts';
import { shellOf } from '../../../shell/shells.ts';
import type { RecordedProgram } from '../wire/runRecord.ts';
import { hasReader } from './readers.ts';

/** Of a container's own variables and its home nothing is known; whether there is a call at all does not depend on these. */
const unknownPlace: Pick<StaticPlace, 'home' | 'env'> = { home: '/~', env: {} };

/** A call that a stopped program would make, with the names that its files have on this machine. */
export interface CallBehind {
  call: StaticProgram;
  /** What is mounted where it runs, so that it itself cannot go. */
  held: readonly Mount[];
}

type Surroundings = Pick<StaticPlace, 'home' | 'env'>;

/** What stopped programs would start that may destroy files of this machine, and of which nobody said what it does. */
export function startedByStopped(
  programs: readonly RecordedProgram[],
  around: Surroundings = unknownPlace,
): CallBehind[] {
  const found = new Map<string, CallBehind>();
  const stopped = programs.filter(
    ({ gate, answeredBy, lookedThrough }) => gate !== undefined && answeredBy === 'assumed' && !lookedThrough,
  );
  const calls = [
    ...stopped.flatMap(({ argv, cwd }) => callsBehind(argv, cwd, around)),
    ...gaveUp(programs, stopped)
      .flatMap(({ argv, cwd }) => callsBehind(argv, cwd, around))
      .filter(({ call }) => !programs.some(({ argv }) => mayBeSameCall(call, argv))),
  ];
  for (const one of calls) {
    const { argv: words, cwd: folder, redirects } = one.call;
    found.set(JSON.stringify([words, folder, redirects.map(({ target }) => target)]), one);
  }
  return [...found.values()];
}

/** Scripts (`fakeroot`, `xvfb-run`) that failed and below which a helper was stopped: with its answer they might have gone on. */
function gaveUp(programs: readonly RecordedProgram[], stopped: readonly RecordedProgram[]): RecordedProgram[] {
  if (stopped.length === 0) return [];
  const byId = new Map(programs.map((one) => [one.id, one]));
  const above = new Set<RecordedProgram>();
  for (const one of stopped) {
    let at = one.parent === undefined ? undefined : byId.get(one.parent);
    for (; at && !above.has(at); at = at.parent === undefined ? undefined : byId.get(at.parent)) above.add(at);
  }
  return [...above].filter(({ argv, exitCode }) => Boolean(exitCode) && !shellOf(argv[0] ?? ''));
}

/**
 * What a call starts that may destroy files here: in a container that is shown folders of this machine, or as a starter that may
 * not run itself (`uv run`, `tmux new -d`, `hyperfine`).
 */
export function callsBehind(argv: readonly string[], cwd: string, around: Surroundings = unknownPlace): CallBehind[] {
  const starts = startedBy(argv);
  if (starts.length === 0) return [];
  const isHere = starts.every(({ elsewhere }) => elsewhere === undefined);
  if (!isHere && !starts.some(({ mounts }) => mounts)) return [];
  const place = isHere ? { home: around.home, env: around.env } : unknownPlace;
  return findStaticPrograms(readScript(quoteCall(argv)), { cwd, ...place }).flatMap((inner) => {
    const { inside } = inner;
    if (!inside || inside.isLater) return [];
    return isHere ? callHere(inner, inside) : callsInContainer(inner, inside);
  });
}

function callHere(inner: StaticProgram, { elsewhere }: Started): CallBehind[] {
  return !elsewhere && mayDestroy(inner) ? [{ call: { ...inner, redirects: [] }, held: [] }] : [];
}

function callsInContainer(inner: StaticProgram, inside: Started): CallBehind[] {
  const { mounts: held, elsewhere } = inside;
  if (!held || elsewhere !== 'container') return [];
  // There it is root, as a rule.
  const asUser = { inside: { ...inside, asUser: inside.asUser ?? 'root' } };
  const call = mayDestroy(inner) && !leavesNothing(inner, inside) ? throughMounts(inner, held) : undefined;
  // What its options name is written as by a redirection.
  const outputs = call
    ? []
    : outputsOf(inner.argv).map((target) => ({ operator: '>', target, fields: [knownField(target)] }));
  const redirects = redirectsHere({ ...inner, redirects: [...inner.redirects, ...outputs] }, held);
  return [
    ...(call ? [{ call: { ...call, ...asUser, redirects: [] }, held }] : []),
    // What a program there prints nobody knows.
    ...(redirects.length > 0 ? [{ call: { ...nobodyKnown(inner), ...asUser, redirects }, held }] : []),
  ];
}

function mayDestroy({ argv, cwd }: StaticProgram): boolean {
  return hasReader(programName(argv[0] ?? '')) && !describeProgram(argv, cwd).onlyLooks;
}

/** Redirections in a container that write files of this machine, with the names that these have here. */
function redirectsHere({ redirects, cwd, isLost }: StaticProgram, mounts: readonly Mount[]): StaticRedirect[] {
  return redirects.flatMap((redirect) => {
    const [field, ...others] = redirect.fields;
    if (!field || others.length > 0 || field.isOpen || field.pattern !== undefined) return [];
    if (isLost && !field.text.startsWith('/')) return [];
    const target = writtenOutside(posix.resolve(cwd, field.text), mounts);
    return target === undefined ? [] : [{ ...redirect, target, fields: [knownField(target)] }];
  });
}

/** A call of which nothing is known but where its output goes. */
function nobodyKnown({ isLost: _, ...call }: StaticProgram): StaticProgram {
  return { ...call, argv: [''], fields: [knownField('')], cwd: '/' };
}
