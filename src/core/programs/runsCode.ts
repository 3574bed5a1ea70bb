import { readsCodeFromInput, scriptFileOf } from './codeFromInput.ts';
import { describeProgram } from './describeProgram.ts';
import { argumentsOf } from './fetchedPlaces.ts';
import { programName } from './programName.ts';
import { programOf } from './programOf.ts';
import { workingFolder } from './workingFolder.ts';

/** The file that a call runs as code, as its words name it: a path, a script of a shell or an interpreter, what is sourced. */
export function fileRunBy(argv: readonly string[]): string | undefined {
  const [word = '', ...words] = argv;
  if (word.includes('/')) {
    const script = interpretedFile(argv);
    return script ?? word;
  }
  if (/^(source|\.)$/.test(word)) return words.find((one) => !/^[-+]/.test(one));
  return interpretedFile(argv);
}

function interpretedFile(argv: readonly string[]): string | undefined {
  const script = scriptFileOf(argv);
  if (script !== undefined) return script;
  const [word = '', ...words] = argv;
  const row = programOf(programName(word));
  if (row?.fileOption) {
    const at = words.findIndex((one) => row.fileOption?.test(one));
    return at < 0 ? undefined : words[at + 1];
  }
  if (!row?.language && !row?.runsInput) return undefined;
  const { options, words: names } = argumentsOf(argv);
  if (options.some(({ name }) => name === '-m' || row.codeOption?.test(name))) return undefined;
  return words.some((one) => row.codeOption?.test(one)) || readsCodeFromInput(argv) ? undefined : names[0];
}

/**
 * The folders whose code a call runs: the one that it works in, and what its words name (`make -f x/Makefile`); empty where it runs
 * none. Absolute, or as they are written where only the shell knows them.
 */
export function foldersRunBy(argv: readonly string[], cwd: string): { works: string; named: string[] } | undefined {
  const call = behindModule(argv);
  const { runsFolder } = programOf(programName(call[0] ?? '')) ?? {};
  if (!runsFolder) return undefined;
  const { options, words } = argumentsOf(call);
  if (!runsFolder.test(words.join(' ')) || describeProgram(call, cwd).onlyLooks) return undefined;
  const folder = workingFolder(call, cwd);
  const works = folder.startsWith(`${cwd}/$`) ? folder.slice(cwd.length + 1) : folder;
  const values = options.flatMap(({ value }) => (value === undefined ? [] : [value]));
  return { works, named: [...values, ...words.filter((word) => word.includes('/'))] };
}

/** The files of packages that a call installs, as its words name them: `dpkg -i x.deb`, `pip install ./x.whl`. */
export function packagesInstalledBy(argv: readonly string[]): string[] {
  const call = behindModule(argv);
  const { installsFiles } = programOf(programName(call[0] ?? '')) ?? {};
  if (!installsFiles?.when.test(call.slice(1).join(' '))) return [];
  const { options, words } = argumentsOf(call);
  const values = options.flatMap(({ value }) => (value === undefined ? [] : [value]));
  return [...words, ...values].filter((word) => installsFiles.files.test(word) && !/^\w+:\/\//.test(word));
}

/** `python3 -m pip install .` is `pip install .`. */
function behindModule(argv: readonly string[]): readonly string[] {
  const at = programOf(argv[0] ?? '')?.language === 'python' ? argv.indexOf('-m') : -1;
  return at < 0 ? argv : argv.slice(at + 1);
}
