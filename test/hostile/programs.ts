import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { compiledOnce, compileProgram } from '../places/compileProgram.ts';

/** Where the compiled programs of this suite lie. */
export interface Programs {
  /** Folder that everybody can read and enter. */
  folder: string;
  /** Watches over everything that is not a file; see `programs/canary.c`. */
  canary: string;
  /** A foreign program with one attack per argument; see `programs/attack.c`. */
  attack: string;
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

/** Compiles the C programs once per version of their sources. */
export function compilePrograms(): Programs {
  const folder = compiledOnce('hostile', sourceFolder, (building) => {
    const attacks = fs.readdirSync(sourceFolder).filter((name) => /^attack.*\.c$/.test(name));
    compile(['-static', '-o', path.join(building, 'canary'), 'canary.c']);
    compile(['-static', '-o', path.join(building, 'lease'), 'lease.c']);
    compile(['-static', '-o', path.join(building, 'gh'), 'fakeGh.c']);
    compile(['-static', '-pthread', '-o', path.join(building, 'attack'), ...attacks]);
    compile(['-shared', '-fPIC', '-o', path.join(building, 'library.so'), 'library.c'], false);
    compileCrafted(building);
    // Attacks in other languages lie beside it, where everybody can read them.
    for (const name of fs.readdirSync(sourceFolder).filter((one) => /^attack\.(?!c$|h$)/.test(one)))
      fs.copyFileSync(path.join(sourceFolder, name), path.join(building, name));
  });
  return {
    folder,
    canary: path.join(folder, 'canary'),
    attack: path.join(folder, 'attack'),
    library: path.join(folder, 'library.so'),
    hiddenLibrary: path.join(folder, 'hidden.so'),
    dataLibrary: path.join(folder, 'onlyData.so'),
    alignedLibrary: path.join(folder, 'aligned.so'),
  };
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
  compileProgram(sourceFolder, options, standalone);
}
