import { posix } from 'node:path';
import type { LaterRunner } from '../facts/effect.ts';
import { isPattern, patternExpression } from '../shell/glob.ts';
import { shellOf } from '../shell/shells.ts';
import { asRecord } from './jsonRecord.ts';
import { scriptFileOf } from './plainlyWrites.ts';
import { programName } from './programName.ts';
import { findStaticPrograms } from './staticPrograms.ts';

/** What makefiles and package managers look for in a folder. */
export const runnerFiles: readonly { name: string; by: LaterRunner }[] = [
  { name: 'package.json', by: 'packages' },
  { name: 'Makefile', by: 'build' },
  { name: 'makefile', by: 'build' },
  { name: 'GNUmakefile', by: 'build' },
];

/** Whether a file is run by whoever runs what names it; its path is absolute. */
export type IsNamed = (path: string) => boolean;

/**
 * Which files are run with a makefile or with the scripts of a package.json, without anybody's naming them again: what a makefile
 * includes, and what their commands start. `folder`: where it stands, absolute. What has to be worked out is not told.
 */
export function namedByRunner(by: LaterRunner, text: string, folder: string): IsNamed {
  const { scripts, included } = by === 'packages' ? { scripts: scriptsOf(text), included: [] } : readMake(text);
  const paths = new Set(scripts.flatMap((script) => startedFiles(script, folder)));
  const patterns: RegExp[] = [];
  for (const word of included) {
    const path = posix.resolve(folder, word);
    const pattern = isPattern(path) ? patternExpression(path) : undefined;
    if (pattern) patterns.push(pattern);
    else paths.add(path);
  }
  return (path) =>
    // Node finds a script without its ending as well.
    paths.has(path) ||
    paths.has(path.replace(/(?:\/index)?\.[cm]?[jt]s$/, '')) ||
    patterns.some((pattern) => pattern.test(path));
}

function scriptsOf(text: string): string[] {
  try {
    const { scripts } = asRecord(JSON.parse(text)) ?? {};
    return Object.values(asRecord(scripts) ?? {}).filter((one) => typeof one === 'string');
  } catch {
    return [];
  }
}

/** After the GNU make manual, 3.3 (including other makefiles) and 5 (recipes). */
function readMake(text: string): { scripts: string[]; included: string[] } {
  const lines = text.replace(/\\\r?\n/g, ' ').split(/\r?\n/);
  const included = lines.flatMap((line) => {
    const [, words = ''] = /^ *(?:-include|sinclude|include)[ \t]+([^#]*)/.exec(line) ?? [];
    return words.split(/\s+/).filter((word) => word !== '' && !word.includes('$'));
  });
  const scripts = lines
    .filter((line) => line.startsWith('\t'))
    .map((line) => line.replace(/^[\t @+-]+/, '').replaceAll('$$', '$'));
  return { scripts, included };
}

/** Files that the commands of a script start, also by their interpreters; absolute. */
function startedFiles(script: string, folder: string): string[] {
  return findStaticPrograms(script, { cwd: folder, home: '/nonexistent', env: {} }).flatMap(({ argv, cwd }) => {
    const file = startedFile(argv);
    return file === undefined ? [] : [posix.resolve(cwd, file)];
  });
}

function startedFile(argv: readonly string[]): string | undefined {
  const [name = '', ...words] = argv;
  if (name === '.' || name === 'source') return words[0];
  // Of `sh -c` the script itself is read.
  if (shellOf(programName(name)) !== undefined) return words.find((word) => !/^[-+]/.test(word));
  return name.includes('/') ? name : scriptFileOf(argv);
}
