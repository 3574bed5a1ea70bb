import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const projectFolder = path.resolve(process.env['FORETELL_PROJECT'] ?? process.cwd());

/**
 * Compiles C programs of the tests in their folder, with the system's compiler where it can make static programs, otherwise
 * with the one from npm. Throws with the complaints of both.
 */
export function compileProgram(sourceFolder: string, options: readonly string[], standalone = true): void {
  const zig = path.join(projectFolder, 'node_modules/.bin/zig');
  const target = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-${standalone ? 'musl' : 'gnu'}`;
  const compilers: [string, string[]][] = [
    ['cc', ['-Os', '-w']],
    [zig, ['cc', '-target', target, '-Os', '-w']],
  ];
  const complaints: string[] = [];
  for (const [compiler, first] of compilers) {
    try {
      // Beside tests that watch what changes in the folder for temporary files.
      const env = { ...process.env, TMPDIR: path.join(projectFolder, 'test/.cache') };
      execFileSync(compiler, [...first, ...options], { cwd: sourceFolder, stdio: 'pipe', env });
      return;
    } catch (error) {
      complaints.push(`${compiler}: ${String(error).slice(0, 500)}`);
    }
  }
  throw new Error(`${sourceFolder} cannot be compiled. ${complaints.join('\n')}`);
}

/**
 * A folder that everybody can read, made by `build` once for every version of the sources. `name`: below `test/.cache`.
 */
export function compiledOnce(name: string, sourceFolder: string, build: (folder: string) => void): string {
  const hash = createHash('sha256');
  for (const file of fs.readdirSync(sourceFolder).sort()) hash.update(fs.readFileSync(path.join(sourceFolder, file)));
  const folder = path.join(projectFolder, 'test/.cache', name, hash.digest('hex').slice(0, 16));
  if (fs.existsSync(folder)) return folder;
  const building = `${folder}.${process.pid}`;
  fs.mkdirSync(building, { recursive: true, mode: 0o755 });
  build(building);
  fs.chmodSync(building, 0o755);
  try {
    fs.renameSync(building, folder);
  } catch {
    fs.rmSync(building, { recursive: true }); // Another test was faster.
  }
  return folder;
}
