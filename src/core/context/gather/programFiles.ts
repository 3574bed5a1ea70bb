import { holds, programOf } from '../../programs/programOf.ts';
import type { NamedProgram } from './scriptPrograms.ts';

/** Names and globs of what a program reads without being told, each list for one folder. */
export function unnamedFilesOf(program: NamedProgram): string[] {
  const words = wordsOf(program);
  const reads = programOf(program.name)?.reads ?? [];
  return reads.filter((one) => holds(one.with ?? true, words)).flatMap(({ files }) => files);
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

/** Paths that a source file names: imports, includes and literal files that it opens, with what to try for each. */
export function sourceReads(path: string, text: string): { from: 'file' | 'cwd'; names: string[] }[] {
  const source = text.slice(0, 200_000);
  const found: { from: 'file' | 'cwd'; names: string[] }[] = [];
  const each = (pattern: RegExp, add: (name: string) => void) => {
    for (const match of source.matchAll(pattern)) if (match[1]) add(match[1]);
  };
  if (/\.[cm]?[jt]sx?$|\.vue$|\.svelte$/.test(path)) {
    each(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g, (name) => {
      const bare = name.replace(/\.[cm]?jsx?$/, '');
      const ends = ['', '.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js'];
      found.push({ from: 'file', names: [name, ...ends.map((end) => `${bare}${end}`)] });
    });
  } else if (/\.py$/.test(path) || /^#!.*python/.test(source)) {
    each(/^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import|import[ \t]+([\w.]+))/gm, (name) => {
      const dots = /^\.*/.exec(name)?.[0].length ?? 0;
      const inner = name.slice(dots).replaceAll('.', '/');
      const up = dots > 1 ? '../'.repeat(dots - 1) : './';
      found.push({ from: 'file', names: [`${up}${inner}.py`, `${up}${inner}/__init__.py`] });
    });
    each(/^[ \t]*import[ \t]+([\w.]+)/gm, (name) => {
      found.push({
        from: 'file',
        names: [`./${name.replaceAll('.', '/')}.py`, `./${name.replaceAll('.', '/')}/__init__.py`],
      });
    });
  } else if (/\.(?:c|h|cc|cpp|hpp|cxx)$/.test(path)) {
    each(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm, (name) => found.push({ from: 'file', names: [name] }));
  } else if (/(?:^|\/)(?:GNU)?[mM]akefile$|\.mk$/.test(path)) {
    each(/^-?include[ \t]+([\w./-]+)/gm, (name) => found.push({ from: 'file', names: [name] }));
  }
  each(
    /\b(?:open|readFile(?:Sync)?|createReadStream|read_csv|read_json|readFileSync|Path|File|read_text|loadtxt|fopen|ReadFile|read_to_string)\(\s*['"]([^'"\n]{1,200})['"]/g,
    (name) => found.push({ from: 'cwd', names: [name] }),
  );
  return found.slice(0, 60);
}
