import { posix } from 'node:path';

// Programs whose output and exit code no file decides; with the options that make them so.
const readsNothing: ReadonlyMap<string, RegExp | undefined> = new Map([
  ...'echo printf true false : sleep seq yes basename dirname expr uname arch nproc id whoami logname groups hostname date env printenv pwd tty clear tput kill export set unset shift wait exit return trap local declare typeset readonly alias cd pushd popd umask ulimit'
    .split(' ')
    .map((name) => [name, undefined] as const),
  ['rm', /^-[a-zA-Z]*f|^--force$/],
  ['mkdir', /^-[a-zA-Z]*p|^--parents$/],
  ['touch', undefined],
]);

/** Whether neither a file nor standard input decides what the program prints and how it ends. */
export function readsNoFile(argv: readonly string[]): boolean {
  const name = posix.basename(argv[0] ?? '');
  if (!readsNothing.has(name)) return false;
  const option = readsNothing.get(name);
  return option === undefined || argv.slice(1).some((word) => option.test(word));
}

/** From here on what is printed, and how it ends, depends on these programs. */
export function taint(record: { dependsOn: string[][] }, programs: readonly string[][]): void {
  for (const argv of programs) {
    if (!record.dependsOn.some((one) => one.join('\0') === argv.join('\0'))) record.dependsOn.push(argv);
  }
}
