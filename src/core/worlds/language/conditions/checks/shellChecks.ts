import type { StaticProgram } from '../../../../shell/evaluated.ts';
import type { shellConditions } from '../shellConditions.ts';
import type { Check } from './check.ts';
import { fetchingProgram, isBelow, runs, type ShellReading, shellReading, works } from './shellReading.ts';

type ShellCheck = (reading: ShellReading) => boolean;

function check(shows: ShellCheck, meets: ShellCheck): Check {
  return { shows: (reply) => shows(shellReading(reply)), meets: (reply) => meets(shellReading(reply)) };
}

/** It failed, or does not say how it ended, and these words of the system stand in what was printed. */
const failedWith =
  (words: RegExp): ShellCheck =>
  ({ printed, exitCode }) =>
    exitCode !== 0 && words.test(printed);

// What a piped program says on failing counts, though the pipe's last one may succeed.
const printedWith =
  (words: RegExp): ShellCheck =>
  ({ printed }) =>
    words.test(printed);

const testing: ShellCheck = ({ programs }) => works(programs, 'tests');
const building: ShellCheck = ({ programs }) => works(programs, 'builds');
const runningCode: ShellCheck = ({ programs }) => works(programs, 'tests') || works(programs, 'runsProgram');
const serving: ShellCheck = ({ programs }) => works(programs, 'serves');

/** How many tests a runner says have failed, in the forms of the usual runners. */
function failedTests(printed: string): number | undefined {
  const counts = [
    /(?:^|[\s,(=])(\d+) (?:tests? )?fail(?:ed|ing|ures?)\b/im,
    /^\W*fail(?:ed|ures?)?:? +(\d+)\b/im,
    /\bfail(?:ed|ures)=(\d+)/i,
    /\b(?:Failures|Failed): +(\d+)/,
    /^\[ {2}FAILED {2}\] (\d+) tests?, listed below/m,
  ].flatMap((form) => form.exec(printed)?.[1] ?? []);
  if (counts[0] !== undefined) return Number(counts[0]);
  const goFailures = printed.match(/^\s*--- FAIL: /gm)?.length;
  return goFailures;
}

/** A limit of time that the command itself sets, in seconds. */
function limitSeconds(programs: readonly StaticProgram[]): number | undefined {
  for (const { argv } of programs) {
    const text = argv.join(' ');
    const found =
      /(?:^| )(?:-m|--max-time|--connect-timeout|--timeout)[ =](\d+(?:\.\d+)?)/.exec(text) ??
      /^(?:\S*\/)?timeout (?:-\S+ )*(\d+(?:\.\d+)?)s? /.exec(text) ??
      /^(?:\S*\/)?wget .*-T ?(\d+)/.exec(text);
    if (found) return Number(found[1]);
  }
  return undefined;
}

/** `timeout` says nothing: its exit code tells. */
const runsTimeout: ShellCheck = ({ programs }) => programs.some(({ argv }) => /(?:^|\/)timeout$/.test(argv[0] ?? ''));

/** The morning of 4 March 2031, as a year, in seconds since 1970, or as the C locale writes a date. */
const far = /\b2031\b|\b19303[4-9]\d{4}\b|\b19304[0-3]\d{4}\b|\b03\/04\/31\b/;

const versionOf =
  (names: RegExp): ShellCheck =>
  ({ programs }) =>
    runs(programs, names, /^(?:--version|-v|-V|version)$/);

const noSpace = /No space left on device|ENOSPC/;
const denied = /Permission denied|EACCES/;
const unreachable =
  /Temporary failure in name resolution|bad address '|lookup \S+ on \S+: server misbehaving|EAI_AGAIN|ENOTFOUND|Could not resolve (?:host|proxy)|Name or service not known|Network is unreachable|ENETUNREACH|unable to resolve host address|failure resolving|getaddrinfo|No route to host|EHOSTUNREACH|Could ?n[o']t connect to (?:server|the endpoint)|check your internet connection|no servers could be reached/i;
const missing =
  /Cannot find (?:module|package)|ModuleNotFoundError|ImportError|ERR_MODULE_NOT_FOUND|command not found|MODULE_NOT_FOUND|LoadError|can't find crate|unresolved import|no required module provides package|cannot find package|Failed to resolve import|Can't resolve '|package [\w.]+ does not exist|ClassNotFoundException|Can't locate \S+ in @INC|^\S+: (?:line )?\d+: \S+: not found$/im;
const outOfMemory =
  /(?:^|\s)Killed(?:\s|$)|signal: killed|out of memory|MemoryError|OutOfMemoryError|Cannot allocate memory|ENOMEM|SIGKILL|exit(?:ed with)? (?:code|status) 137\b/;
const taken = /EADDRINUSE|address already in use|port (?:\d+ )?(?:is|was) (?:already )?(?:in use|allocated|taken)/i;
const conflict = /^CONFLICT \(|\[rejected\]|needs merge|Merge conflict in|non-fast-forward/m;
const timedOut = /timed? ?out|ETIMEDOUT|ESOCKETTIMEDOUT/i;
const otherNode = /Node\.js v(?!14\.21\.3)\d+\.\d+|^v(?!14\.21\.3)\d+\.\d+\.\d+\s*$/m;
const otherPython = /Python 3\.(?!7(?:\.17)?\b)\d+|python3\.(?!7\b)\d+\//;

const writesHere: ShellCheck = ({ written }) => written.some((file) => isBelow(file, 'here'));
const writesAnywhere: ShellCheck = ({ written }) =>
  written.some((file) => isBelow(file, 'here') || isBelow(file, 'temporary'));
const asksGit: ShellCheck = ({ programs }) =>
  runs(programs, /^git$/, /^(?:merge|rebase|pull|cherry-pick|stash pop)(?: (?!--(?:abort|continue|skip|quit)).*)?$/) ||
  runs(programs, /^git$/, /^push(?!.*(?:--force|-f\b|\+)).*$/);

/** How each condition of shells is found in a reply. */
export const shellChecks: Readonly<Record<(typeof shellConditions)[number]['id'], Check>> = {
  'disk-full': check(printedWith(noSpace), writesAnywhere),
  'no-network': check(printedWith(unreachable), ({ programs }) => fetchingProgram(programs) !== undefined),
  // There is no sudo, either.
  'permission-denied': check(
    (reading) => printedWith(denied)(reading) || printedWith(/sudo: (?:command )?not found/)(reading),
    writesHere,
  ),
  'slow-service': check(
    (reading) => printedWith(timedOut)(reading) || (reading.exitCode === 124 && runsTimeout(reading)),
    (reading) => {
      const { programs, printed, exitCode } = reading;
      // Where nothing says how it ended, nothing is what `timeout` says.
      if (exitCode === undefined && printed.trim() === '' && runsTimeout(reading)) return false;
      const limit = limitSeconds(programs);
      return limit !== undefined && limit < 30 && fetchingProgram(programs) !== undefined;
    },
  ),
  'flaky-test': check(({ printed, exitCode }) => exitCode !== 0 && failedTests(printed) === 1, testing),
  'package-missing': check(failedWith(missing), runningCode),
  'out-of-memory': check(
    ({ printed, exitCode }) => exitCode === 137 || (exitCode !== 0 && outOfMemory.test(printed)),
    (reading) => testing(reading) || building(reading),
  ),
  'wrong-node-version': check(
    ({ printed }) => /\bv14\.21\.3\b|\b6\.14\.18\b/.test(printed) && !otherNode.test(printed),
    (reading) => versionOf(/^(?:node|npm)$/)(reading) || otherNode.test(reading.printed),
  ),
  'wrong-python-version': check(
    ({ printed }) => /Python 3\.7\.17\b|python3\.7\//.test(printed) && !otherPython.test(printed),
    (reading) => versionOf(/^python3?$/)(reading) || otherPython.test(reading.printed),
  ),
  'port-in-use': check(failedWith(taken), serving),
  'git-conflict': check(failedWith(conflict), asksGit),
  'clock-skew': check(printedWith(far), ({ programs }) => runs(programs, /^date$/, /^(?:$|\+.*%[YFcsx]|-[Iu])/)),
};
