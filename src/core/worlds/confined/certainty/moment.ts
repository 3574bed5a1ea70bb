import fs from 'node:fs';
import { uptime } from 'node:os';
import path from 'node:path';
import { holds, programOf } from '../../../programs/programOf.ts';
import { baseName, type RunRecord } from '../wire/runRecord.ts';

/**
 * What reads the state of the machine gives another answer a moment later, also where two looks in a row agree by chance.
 * The answers of such programs are given to the checking run with other numbers: whatever is made of them then differs,
 * through pipes, variables and files alike, and so it is volatile.
 */

// A number, a share or a time of day that stands alone, and its unit. Not an address, a port, a version or a name.
const number =
  /(?<![^\s,=(+[])(\d+(?:[.,]\d+)?|\d+:\d\d(?:[:.]\d\d)?)(?=(?:%|[KMGTPEkmsBi]{1,3}|days?|min)?(?:[\s,)\]]|$))/g;

/**
 * The output of a program that reads the machine's state, a moment later: each number has other last digits. Kept are the
 * numbers of processes that there are (where processes are listed), and the arguments of programs in the last column of a table.
 */
export function aMomentLater(output: Uint8Array, program: string): Buffer {
  const listsProcesses = programOf(program)?.listsProcesses === true;
  const text = Buffer.from(output).toString('latin1');
  let columns = Number.POSITIVE_INFINITY;
  let hasHeader = false;
  const lines = text.split('\n').map((line) => {
    const words = line.trim().split(/\s+/);
    if (words.length > 1 && words.every((word) => !/^\d/.test(word)) && /\b(?:PID|COMMAND|CMD|UID|USER)\b/.test(line)) {
      columns = words.length;
      hasHeader = true;
      return line;
    }
    if (listsProcesses && !hasHeader && !/^[\d\s.:,%-]*$/.test(line)) return line;
    // What stands behind the last column's beginning are words of a command.
    const end = words.length <= columns ? line.length : startOfWord(line, columns - 1);
    return line.slice(0, end).replace(number, (one) => another(one, listsProcesses)) + line.slice(end);
  });
  return Buffer.from(lines.join('\n'), 'latin1');
}

function another(text: string, keepsProcesses: boolean): string {
  if (keepsProcesses && /^\d+$/.test(text) && fs.existsSync(`/proc/${text}`)) return text;
  // Far from what a moment changes: the next reading must not be this one by chance. Of a long number the size stays.
  const changed = /\d{3,}$/.test(text) ? 2 : 1;
  const digits = [...text.slice(-changed)].map((digit) => (Number(digit) + 5) % 10);
  return `${text.slice(0, -changed)}${digits.join('')}`;
}

function startOfWord(line: string, index: number): number {
  let seen = -1;
  for (const match of line.matchAll(/\S+/g)) {
    seen += 1;
    if (seen === index) return match.index;
  }
  return line.length;
}

// Files of the kernel whose numbers are others a moment later; not those that describe the machine.
const momentFile =
  /\/proc\/(?:loadavg|uptime|meminfo|stat|vmstat|diskstats|interrupts|softirqs|schedstat|zoneinfo|buddyinfo|slabinfo|pressure|net\/(?:dev|snmp|netstat|sockstat)|sys\/fs\/(?:file|inode)-nr|sys\/fs\/dentry-state|sys\/kernel\/random\/(?:entropy_avail|uuid)|[^/\s]+\/(?:stat|statm|io|sched|schedstat))\b|\/sys\/(?:class\/(?:thermal|hwmon|power_supply)|class\/net\/[^/\s]+\/statistics|block\/[^/\s]+\/(?:stat|inflight)|fs\/cgroup)\/|\/sys\/devices\/\S*(?:cur_freq|temp\d*_input)\b/;

/** Whether a run read the machine's state in a way that the checking run could not be given otherwise. */
export function readsMoment(record: RunRecord, script: string, ranItself: boolean): boolean {
  if (momentFile.test(script)) return true;
  const redirected = [...script.matchAll(/<\s*([^\s<>|;&()"'`$]+)/g)].flatMap(([, word]) => word ?? []);
  const looked = new Set<string>();
  if (record.finished && namesMomentFile(redirected, record.finished.cwd, looked)) return true;
  return record.programs.some(({ argv, answeredBy, cwd }) => {
    const name = baseName(argv[0] ?? '');
    const { momentary, asks } = programOf(name) ?? {};
    // Of what asks the machine the answer is changed, unless it ran itself (look mode).
    const isUnchanged = asks === undefined || (ranItself && answeredBy === undefined);
    const words = argv.slice(1);
    return (isUnchanged && holds(momentary, words)) || namesMomentFile(words, cwd, looked);
  });
}

/** Of more words it is not asked where they lead to. */
const mostWords = 64;

/** By whatever name: through links, or from the folder that the program stands in. `looked`: where it was looked before, in vain. */
function namesMomentFile(words: readonly string[], cwd: string, looked: Set<string>): boolean {
  return words.some(
    (word, index) => momentFile.test(word) || (index < mostWords && leadsToMomentFile(cwd, word, looked)),
  );
}

function leadsToMomentFile(cwd: string, word: string, looked: Set<string>): boolean {
  const isPath = word !== '' && word.length < 4096 && !word.startsWith('-') && !word.includes('\0');
  const place = isPath ? path.resolve(cwd, word) : '';
  if (!isPath || looked.has(place)) return false;
  looked.add(place);
  if (momentFile.test(place)) return true;
  try {
    // Most words name no file, and to ask that costs the least.
    return fs.existsSync(place) && momentFile.test(fs.realpathSync.native(place));
  } catch {
    return false;
  }
}

/** Whether a text has a number that may be another one a moment later. */
export function hasNumber(text: string): boolean {
  return /\d/.test(text);
}

/**
 * Finds text that tells for how long the machine has been running, in seconds: clocks that only count on are those of the machine in both
 * runs, which then agree within one second.
 */
export function uptimeFinder(tookMs: number): (text: string) => boolean {
  const clocks = [process.hrtime()[0], Math.floor(uptime())];
  const tookS = Math.ceil(tookMs / 1000) + 1;
  return (text) =>
    [...text.matchAll(/(?<![\d.])\d{2,9}(?!\d)/g)].some(([digits]) => {
      const value = Number(digits);
      return clocks.some((now) => value >= now - tookS && value <= now + 1);
    });
}
