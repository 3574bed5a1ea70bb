import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Where the compiled programs of this suite lie. */
export interface Programs {
  /** Folder that everybody can read and enter. */
  folder: string;
  /** Watches over everything that is not a file; see `programs/canary.c`. */
  canary: string;
  /** A foreign program with one attack per argument; see `programs/attack.c`. */
  attack: string;
  /** Runs a command where the kernel refuses something; see `programs/without.c`. */
  without: string;
  /** A foreign shared library. */
  library: string;
  /** The same, its instructions hidden from whoever reads its headers; see `programs/craft.c`. */
  hiddenLibrary: string;
  /** A library without instructions that makes the program end with its number of arguments; `programs/onlyData.S`. */
  dataLibrary: string;
  /** The same, so aligned that the loader reserves its place first. */
  alignedLibrary: string;
}

const projectFolder = path.resolve(process.env['FORETELL_PROJECT'] ?? process.cwd());
const sourceFolder = path.join(projectFolder, 'test/hostile/programs');

/**
 * Compiles the C programs once per version of their sources, with the system's compiler where it can make static
 * programs, otherwise with the one from npm.
 */
export function compilePrograms(): Programs {
  const names = fs.readdirSync(sourceFolder).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(fs.readFileSync(path.join(sourceFolder, name)));
  const folder = path.join(projectFolder, 'test/.cache/hostile', hash.digest('hex').slice(0, 16));
  const programs = {
    folder,
    canary: path.join(folder, 'canary'),
    attack: path.join(folder, 'attack'),
    without: path.join(folder, 'without'),
    library: path.join(folder, 'library.so'),
    hiddenLibrary: path.join(folder, 'hidden.so'),
    dataLibrary: path.join(folder, 'onlyData.so'),
    alignedLibrary: path.join(folder, 'aligned.so'),
  };
  if (fs.existsSync(folder)) return programs;
  const building = `${folder}.${process.pid}`;
  fs.mkdirSync(building, { recursive: true, mode: 0o755 });
  compile(['-static', '-o', path.join(building, 'without'), 'without.c']);
  const attacks = names.filter((name) => /^attack.*\.c$/.test(name));
  compile(['-static', '-o', path.join(building, 'canary'), 'canary.c']);
  compile(['-static', '-o', path.join(building, 'lease'), 'lease.c']);
  compile(['-static', '-pthread', '-o', path.join(building, 'attack'), ...attacks]);
  compile(['-shared', '-fPIC', '-o', path.join(building, 'library.so'), 'library.c'], false);
  compileCrafted(building);
  fs.chmodSync(building, 0o755);
  try {
    fs.renameSync(building, folder);
  } catch {
    fs.rmSync(building, { recursive: true }); // Another test was faster.
  }
  return programs;
}

function compileCrafted(building: string): void {
  const to = (name: string) => path.join(building, name);
  compile(['-static', '-o', to('craft'), 'craft.c']);
  compile(['-shared', '-fPIC', '-Wl,-z,notext', '-o', to('hidden.so'), 'library.c', 'relocated.c'], false);
  execFileSync(to('craft'), [to('hidden.so')]);
  const bare = ['-shared', '-nostdlib', '-nostartfiles'];
  compile([...bare, '-o', to('onlyData.so'), 'onlyData.S'], false);
  compile([...bare, '-Wl,-z,max-page-size=0x200000', '-o', to('aligned.so'), 'onlyData.S'], false);
}

function compile(options: string[], standalone = true): void {
  const zig = path.join(projectFolder, 'node_modules/.bin/zig');
  const target = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-${standalone ? 'musl' : 'gnu'}`;
  const compilers: [string, string[]][] = [
    ['cc', ['-Os', '-w']],
    [zig, ['cc', '-target', target, '-Os', '-w']],
  ];
  const complaints: string[] = [];
  for (const [compiler, first] of compilers) {
    try {
      execFileSync(compiler, [...first, ...options], { cwd: sourceFolder, stdio: 'pipe' });
      return;
    } catch (error) {
      complaints.push(`${compiler}: ${String(error).slice(0, 500)}`);
    }
  }
  throw new Error(`The programs of the hostile suite cannot be compiled. ${complaints.join('\n')}`);
}
