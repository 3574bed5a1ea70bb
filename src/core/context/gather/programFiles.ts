import { posix } from 'node:path';
import { inlineCodeOf } from '../../programs/inlineCode.ts';
import { holds, programOf } from '../../programs/programOf.ts';
import type { NamedProgram } from './scriptPrograms.ts';

/** What a program reads without being told: names and globs, and those that name more in turn. */
export function unnamedFilesOf(program: NamedProgram): { glob: string; follow: boolean; whole: boolean }[] {
  const words = wordsOf(program);
  const reads = programOf(program.name)?.reads ?? [];
  return reads
    .filter((one) => holds(one.with ?? true, words))
    .flatMap(({ files, follow = false, whole = false }) => files.map((glob) => ({ glob, follow, whole })));
}

function wordsOf(program: NamedProgram): string[] {
  return program.words.slice(1).map((word) => word.text);
}

/** Whether a program looks at everything below the folders that it is given. */
export function isRecursive(program: NamedProgram): boolean {
  return holds(programOf(program.name)?.walks, wordsOf(program));
}

/** Whether it works on the current folder when it is given none. */
export function defaultsToFolder(program: NamedProgram): boolean {
  const here = programOf(program.name)?.here;
  return here === true || (here === 'whenItWalks' && isRecursive(program));
}

/** The code that stands among the words of an interpreter, as a file of the folder where it runs; so for `python -m module`. */
export function codeOf(program: NamedProgram): { path: string; text: string }[] {
  const argv = program.words.map(({ text }) => text);
  const { language, codeEnding, importsModules } = programOf(program.name) ?? {};
  if (codeEnding === undefined) return [];
  const path = posix.join(program.cwd, `code${codeEnding}`);
  if (importsModules) {
    const named = argv.flatMap((word, index) => {
      const isNamed = /^(?:-A|--app)$/.test(argv[index - 1] ?? '');
      return /^([\w.]+):[\w.()]+$/.exec(word)?.[1] ?? (isNamed ? [word] : []);
    });
    return [{ path, text: named.map((module) => `import ${module}\n`).join('') }];
  }
  const at = language === 'python' ? argv.indexOf('-m') : -1;
  const module = at > 0 ? argv[at + 1] : undefined;
  if (module !== undefined && /^[\w.]+$/.test(module))
    return [{ path, text: `import ${module}, ${module}.__main__\n` }];
  const text = inlineCodeOf(argv, program.inputText);
  return text === undefined ? [] : [{ path, text }];
}
