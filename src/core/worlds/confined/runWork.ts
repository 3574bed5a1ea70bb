import { readdir, readFile, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** What the programs of a run did so far, as the kernel counts it. */
export interface RunWork {
  /** Time of processors that they used, in hundredths of a second (proc(5)). */
  ticks: number;
  /** How long they were ready and got no processor, in milliseconds: others had it. */
  readyMs: number;
  /** One of them waits for a disk, or for the launcher at a call that is answered: by itself it would go on. */
  isHeld: boolean;
}

/** Who uses no more of a processor than this share waits. */
const idleShare = 0.03;

/** Who is ready for more than this share of the time would work, if the machine let it. */
const readyShare = 0.1;

/** Whether all programs of a run waited between two looks: nobody worked, and nobody would have on a machine that is less busy. */
export function onlyWaited(before: RunWork, now: RunWork, betweenMs: number): boolean {
  const usedMs = (now.ticks - before.ticks) * 10;
  // Of a processor's time whole ticks are counted.
  if (usedMs > betweenMs * idleShare + 10) return false;
  return !now.isHeld && now.readyMs - before.readyMs <= betweenMs * readyShare;
}

/** What the programs of a launcher's run did so far; `undefined` where the system does not tell. */
export async function workOf(launcher: number | undefined): Promise<RunWork | undefined> {
  if (launcher === undefined) return undefined;
  const programs = await firstPrograms(launcher);
  if (programs.length === 0) return undefined;
  const work: RunWork = { ticks: 0, readyMs: 0, isHeld: false };
  for (const pid of programs) {
    const fields = fieldsOf(await textOf(`/proc/${pid}/stat`));
    work.ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
    for (const task of await readdir(`/proc/${pid}/task`).catch(() => [])) {
      // D: uninterruptible, mostly a disk. t: stopped by whoever traces it.
      if (/^[Dt]$/.test(fieldsOf(await textOf(`/proc/${pid}/task/${task}/stat`))[0] ?? '')) work.isHeld = true;
      // Documentation/scheduler/sched-stats: "time spent waiting on a runqueue", in nanoseconds.
      work.readyMs += Number((await textOf(`/proc/${pid}/task/${task}/schedstat`)).split(' ')[1] ?? 0) / 1e6;
    }
    programs.push(...(await childrenOf(pid)));
  }
  return work;
}

/** Process numbers of what a launcher runs. The launcher and those who stop programs for it look around all the time. */
async function firstPrograms(launcher: number): Promise<number[]> {
  const programs: number[] = [];
  for (const tracer of await childrenOf(launcher)) programs.push(...(await childrenOf(tracer)));
  return programs;
}

/** A tenth of what others get. */
const givingWay = 10;

/**
 * Lets the programs of a launcher's run have the processors that others leave, until a promise settles: the kernel shares them
 * out between sessions (sched(7), autogroup), so none of it shows in what the programs ask about themselves. Without it they have
 * their full share.
 */
export async function giveWayUntil(launcher: number | undefined, settled: Promise<unknown>): Promise<void> {
  if (launcher === undefined) return;
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  const over = settled.then(end, end);
  const own = await groupOf(process.pid);
  // Such groups are not there.
  if (own === undefined) return;
  let program: number | undefined;
  while (program === undefined && !isOver) {
    const [first] = await firstPrograms(launcher);
    const group = first === undefined ? '' : await groupOf(first);
    // Until it has a session of its own, it would be ours that gives way.
    if (group && group !== own) program = first;
    else await setTimeout(lookAgainMs);
  }
  if (program === undefined) return;
  await setShare(program, givingWay, () => !isOver);
  await over;
  await setShare(program, 0, () => true);
}

const lookAgainMs = 5;

/**
 * `/autogroup-25` of `/autogroup-25 nice 0` (proc(5)); empty: that of the machine's first process, as it is where nobody between
 * made a session (kernel/sched/autogroup.c shows no name of it); undefined: the kernel has no such groups, or the process is gone.
 */
function groupOf(program: number): Promise<string | undefined> {
  return readFile(`/proc/${program}/autogroup`, 'latin1').then(
    (text) => text.split(' ')[0],
    () => undefined,
  );
}

/** Of all ordinary users of the machine together, one may change it every tenth of a second (kernel/sched/autogroup.c). */
const changeAgainMs = 110;

async function setShare(program: number, nice: number, isWanted: () => boolean): Promise<void> {
  const isTooEarly = () =>
    writeFile(`/proc/${program}/autogroup`, String(nice)).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === 'EAGAIN',
    );
  while (isWanted() && (await isTooEarly())) await setTimeout(changeAgainMs);
}

/** The name may hold anything; fields are counted from behind it, the state first. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function textOf(file: string): Promise<string> {
  return readFile(file, 'latin1').catch(() => '');
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await textOf(`/proc/${pid}/task/${pid}/children`);
  return text.split(' ').filter(Boolean).map(Number);
}
