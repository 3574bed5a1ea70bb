import { posix } from 'node:path';
import { programName } from './programName.ts';
import { programNamed } from './programOf.ts';

/**
 * The program that an interpreter was started for: `npm` of `node /usr/bin/npm-cli.js`, `composer` of
 * `php /usr/local/bin/composer`. `undefined` where the script is not known as a program of that interpreter.
 */
export function interpretedProgram(interpreter: string, script: string): string | undefined {
  const name = posix.basename(script).replace(/(?:-cli)?(?:\.(?:[cm]?js|phar))?$/, '');
  const kind = programName(interpreter)
    .replace(/^nodejs$/, 'node')
    .replace(/^php\d[\d.]*$/, 'php');
  return programNamed(name)?.scriptOf === kind ? name : undefined;
}
