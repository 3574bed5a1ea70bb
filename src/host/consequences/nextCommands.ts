import path from 'node:path';
import { packageManagerOf } from '../../core/programs/packageRunners.ts';

/** Reads a file of a folder as it would be after the edit; `undefined`: there is none. */
export type ReadAfter = (file: string) => Promise<string | undefined>;

const scriptNames = ['test', 'build', 'lint', 'typecheck', 'types', 'check'];
const mostCommands = 8;

/** The usual commands of the project in a folder: what its files say can be run. */
export async function nextCommands(folder: string, read: ReadAfter): Promise<string[]> {
  const at = (name: string) => read(path.join(folder, name));
  const commands: string[] = [];
  const scripts = scriptsOf(await at('package.json'));
  if (scripts.length > 0) {
    const manager = await packageManagerOf(async (lock) => (await at(lock)) !== undefined);
    const known = scriptNames.filter((name) => scripts.includes(name));
    commands.push(
      ...known.map((name) => (name === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${name}`)),
    );
  }
  const makefile = (await at('Makefile')) ?? (await at('makefile'));
  if (makefile !== undefined) {
    const targets = new Set([...makefile.matchAll(/^([A-Za-z][\w-]*)\s*:(?!=)/gm)].map((match) => match[1] ?? ''));
    for (const name of ['test', 'check', 'build', 'lint']) if (targets.has(name)) commands.push(`make ${name}`);
  }
  const python = `${(await at('pyproject.toml')) ?? ''}${(await at('setup.cfg')) ?? ''}${(await at('tox.ini')) ?? ''}`;
  if (/\bpytest\b/.test(python) || (await at('pytest.ini')) !== undefined || (await at('conftest.py')) !== undefined) {
    commands.push('pytest');
  }
  if ((await at('Cargo.toml')) !== undefined) commands.push('cargo test');
  if ((await at('go.mod')) !== undefined) commands.push('go test ./...');
  return commands.slice(0, mostCommands);
}

function scriptsOf(manifest: string | undefined): string[] {
  try {
    const parsed: unknown = JSON.parse(manifest ?? '');
    const scripts =
      typeof parsed === 'object' && parsed !== null ? (parsed as { scripts?: unknown }).scripts : undefined;
    return typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : [];
  } catch {
    return [];
  }
}

/** Globs of the tests that by their names belong to a file. */
export function testGlobs(file: string): string[] {
  const { name, ext } = path.parse(file);
  if (name === '' || name === 'index' || /[*?{}[\]]/.test(name) || !/^\.\w+$/.test(ext)) return [];
  const stem = name.replace(/\.(?:test|spec)$/, '');
  return [`**/${stem}.{test,spec}.*`, `**/test_${stem}.*`, `**/${stem}_test.*`];
}
