import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Identity } from '../truth/fixture.ts';

const projectFolder = resolve(process.env['FORETELL_PROJECT'] ?? process.cwd());
/** npm packages that only this suite needs: installed once, where a registry can be reached. */
const toolsFolder = join(projectFolder, 'test/.cache/tools');
export const fixturesFolder = join(projectFolder, 'test/fixtures/consented');

/** The folders of packages that projects of the suite may have: that of this project, and that of the suite's own tools. */
export const packageFolders = [join(projectFolder, 'node_modules'), join(toolsFolder, 'node_modules')] as const;

/** Installs the packages of `tools.json`, unless they are there. False: no registry could be reached. */
export function ensureTools(): boolean {
  const wanted = readFileSync(join(fixturesFolder, 'tools.json'), 'utf8');
  const stamp = join(toolsFolder, 'installed.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true;
  mkdirSync(toolsFolder, { recursive: true });
  writeFileSync(join(toolsFolder, 'package.json'), wanted);
  const words = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=0', '--ignore-scripts'];
  const { status } = spawnSync('npm', words, { cwd: toolsFolder, stdio: 'ignore', timeout: 300_000 });
  if (status !== 0) return false;
  writeFileSync(stamp, wanted);
  return true;
}

/** The search path of this suite: Node first, then the folders of the system. */
export const searchPath = [...new Set([dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'])].join(':');

/** The first of these programs that an identity can start; `undefined`: it cannot. */
export function findTool(name: string, identity: Identity): string | undefined {
  for (const folder of searchPath.split(':')) {
    const file = join(folder, name);
    if (existsSync(file) && mayStart(file, identity)) return file;
  }
  return undefined;
}

function mayStart(file: string, identity: Identity): boolean {
  if (process.getuid?.() !== 0 || identity.uid === 0) {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  }
  return spawnSync('test', ['-x', file], { uid: identity.uid, gid: identity.gid }).status === 0;
}
