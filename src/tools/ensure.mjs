// What a bare machine lacks is installed here: npm packages, and for the tests a few Debian packages.
// Only Node's own modules may be imported: this runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Ends the process with one sentence and a next step. */
export function giveUp(sentence) {
  console.error(`\n${sentence}`);
  process.exit(1);
}

function run(command, args, options = {}) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options }).status === 0;
}

/** Installs the npm packages of package-lock.json unless they are there already. */
export function ensurePackages() {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major < 20) giveUp(`Node ${process.versions.node} is too old; install Node 20 or newer and try again.`);
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  const stamp = path.join(root, 'node_modules/.foretell-installed');
  const wanted = createHash('sha256').update(lock).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Installing npm packages …');
  // Not `npm ci`, which would remove everything that is there first.
  if (!run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'])) {
    giveUp('npm install failed; check that the npm registry can be reached, then try again.');
  }
  writeFileSync(stamp, wanted);
}

/** First of these programs that is on PATH. */
export function findProgram(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
      const file = path.join(folder, name);
      if (folder && existsSync(file)) return file;
    }
  }
  return undefined;
}

/**
 * Installs Debian packages for programs that are missing; as an ordinary user it says what to install.
 * `needs`: package name → names of programs, one of which must be there. `optional`: it goes on without them.
 */
export function ensurePrograms(needs, { optional = false } = {}) {
  const missing = Object.entries(needs).filter(([, programs]) => findProgram(...programs) === undefined);
  if (missing.length === 0) return;
  const packages = missing.map(([name]) => name);
  if (!findProgram('apt-get') || process.getuid?.() !== 0) {
    if (optional) return;
    giveUp(
      `These programs are needed for this: ${packages.join(', ')}. Install them (apt-get install ${packages.join(' ')}) and try again.`,
    );
  }
  console.log(`Installing ${packages.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=120'];
  run('apt-get', [...quiet, 'update'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const installed = run('apt-get', [...quiet, 'install', '-y', '--no-install-recommends', ...packages], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (!installed && !optional)
    giveUp(`apt-get could not install ${packages.join(' ')}; install them by hand and try again.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--packages')) ensurePackages();
