import type { PackagePlan, PlannedPackage } from '../facts/packagePlan.ts';
import { programName } from './programName.ts';
import { programOf } from './programOf.ts';

/** What of a call of apt decides what would change. `-o Dpkg::…` and the like decide only how. */
const plain =
  /^(?:-y|--yes|--assume-yes|-q+|-q=\d|--quiet|-V|-u|--show-upgraded|--no-show-upgraded|-f|--fix-broken|-m|--fix-missing|--reinstall|--purge|--auto-remove|--autoremove|--no-auto-remove|--only-upgrade|--no-upgrade|--with-new-pkgs|--no-remove|--allow-downgrades|--allow-remove-essential|--allow-change-held-packages|--ignore-hold|--(?:no-)?install-(?:recommends|suggests)|--(?:target|default)-release=[\w./-]+)$/;
const howOnly = /^(?:Dpkg::|DPkg::|Acquire::|APT::Color|APT::Get::Assume-Yes)/;
const setting = /^APT::(?:Install-(?:Recommends|Suggests)|Get::[\w-]+|Default-Release)=[\w./-]*$/;
const packageWord = /^[a-z0-9][a-z0-9+.*-]*(?::[a-z0-9-]+)?(?:[=/][\w.+:~-]+)?$/i;

/**
 * The words of `apt-get` that ask what `argv` would change, without the program's name and what makes it a simulation.
 * `undefined`: it changes no packages, or has words that are not known to be simple (files, other settings).
 */
export function aptCall(argv: readonly string[]): string[] | undefined {
  const plansPackages = programOf(argv[0] ?? '')?.plansPackages;
  if (!plansPackages) return undefined;
  const [words, options]: [string[], string[]] = [[], []];
  const rest = argv.slice(1);
  while (rest.length > 0) {
    const word = rest.shift() ?? '';
    if (!word.startsWith('-')) words.push(word);
    else if (plain.test(word)) options.push(word);
    else if (word === '-t' || word === '--target-release') options.push(word, rest.shift() ?? '');
    else if (/^(?:-o.*|--option(?:=.*)?)$/s.test(word)) {
      const value = word.replace(/^(?:-o|--option)=?/, '') || (rest.shift() ?? '');
      if (setting.test(value)) options.push('-o', value);
      else if (!howOnly.test(value)) return undefined;
    } else return undefined;
  }
  const [verb = '', ...packages] = words;
  if (!plansPackages.test(verb) || !packages.every((word) => packageWord.test(word))) return undefined;
  // `apt upgrade` also installs what the new versions need.
  const more = programName(argv[0] ?? '') === 'apt' && verb === 'upgrade' ? ['--with-new-pkgs'] : [];
  return [...options, ...more, verb, ...packages];
}

/** What a simulation of apt-get said that would change; `undefined` where its lines and its own numbers differ. */
export function readAptPlan(argv: readonly string[], said: string): PackagePlan | undefined {
  const plan: PackagePlan = { argv: [...argv], installs: [], upgrades: [], downgrades: [], removes: [], keeps: [] };
  const lowered = new Set(namesBehind(said, /^The following packages will be DOWNGRADED:$/));
  plan.keeps = namesBehind(said, /^The following packages have been kept back:$/);
  for (const line of said.split('\n')) {
    const [, inst, from, to] = /^Inst (\S+)(?: \[([^\]]*)\])? \((\S+)[ )]/.exec(line) ?? [];
    const [, gone, last] = /^(?:Remv|Purg) (\S+)(?: \[([^\]]*)\])?/.exec(line) ?? [];
    if (inst !== undefined && to !== undefined) {
      const list = from === undefined ? plan.installs : lowered.has(inst) ? plan.downgrades : plan.upgrades;
      list.push({ name: inst, ...(from === undefined ? {} : { from }), to });
    } else if (gone !== undefined && !plan.removes.some(({ name }) => name === gone)) {
      plan.removes.push({ name: gone, ...(last === undefined ? {} : { from: last }) });
    }
  }
  return agrees(plan, said) ? plan : undefined;
}

/** `1 upgraded, 2 newly installed, 3 downgraded, 4 reinstalled, 5 to remove and 6 not upgraded.` */
function agrees({ installs, upgrades, downgrades, removes }: PackagePlan, said: string): boolean {
  const line = /^\d+ upgraded, .*not upgraded\.$/m.exec(said)?.[0];
  if (line === undefined) return false;
  const count = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(line)?.[1] ?? 0);
  const lists: readonly [number, readonly PlannedPackage[]][] = [
    [count('upgraded,') + count('reinstalled'), upgrades],
    [count('newly installed'), installs],
    [count('downgraded'), downgrades],
    [count('to remove'), removes],
  ];
  return lists.every(([told, list]) => told === list.length);
}

/** The names that apt-get lists below a line, each behind blanks. */
function namesBehind(said: string, heading: RegExp): string[] {
  const lines = said.split('\n');
  const at = lines.findIndex((line) => heading.test(line));
  if (at < 0) return [];
  const behind = lines.slice(at + 1);
  const end = behind.findIndex((line) => !line.startsWith(' '));
  return behind.slice(0, end < 0 ? undefined : end).flatMap((line) => line.split(/\s+/).filter((name) => name !== ''));
}

/** Bytes that `apt-get --print-uris` would fetch; each line has an address, a file, its size and its digest. */
export function readAptDownload(said: string): number {
  return said.split('\n').reduce((sum, line) => sum + Number(/^'[^']+' \S+ (\d+)(?: |$)/.exec(line)?.[1] ?? 0), 0);
}
