import { posix } from 'node:path';
import { holds, programNamed } from '../../../programs/programOf.ts';

/** Whether neither a file nor standard input decides what the program prints and how it ends. */
export function readsNoFile(argv: readonly string[]): boolean {
  return holds(programNamed(posix.basename(argv[0] ?? ''))?.needsNoFile, argv.slice(1));
}

/** From here on what is printed, and how it ends, depends on these programs. */
export function taint(record: { dependsOn: string[][] }, programs: readonly string[][]): void {
  for (const argv of programs) {
    if (!record.dependsOn.some((one) => one.join('\0') === argv.join('\0'))) record.dependsOn.push(argv);
  }
}
