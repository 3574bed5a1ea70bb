// Builds the launcher (src/native) into dist/native/confine-linux-x64 and confine-linux-arm64, and the client of the resident service
// (src/native/client) into client-linux-x64 and client-linux-arm64, static, with the C compiler that comes
// from npm. Sources that did not change are not built again (a stamp beside the binaries).
//   node src/tools/buildNative.mjs            FORETELL_CC=cc: only this machine's binary, with the system's compiler
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const machines = [
  { arch: 'x64', zigTarget: 'x86_64-linux-musl', extra: ['-fno-jump-tables', '-flto'] },
  { arch: 'arm64', zigTarget: 'aarch64-linux-musl', extra: ['-moutline', '-flto'] },
];
const isSource = (name) => /\.(c|h|inc)$/.test(name);
/** By what their binaries are called: where their sources lie, and what they share of the launcher's. */
const programs = {
  confine: { folder: '', shared: [] },
  client: { folder: 'client', shared: ['sha256.c', 'sha256.h'] },
};

// -O2 is for the compiler's own memset, memcpy and memcmp: with -Os they go byte by byte, which cost half of each stop. What is ours
// is built for its size all the same, over all files at once; for arm64, whose instructions are longer, with more shared pieces,
// and for x64 with comparisons in the place of tables of jumps.
const options = [
  ...['-O2', ...(process.env.FORETELL_CC ? [] : ['-Xclang', '-Oz']), '-static', '-s', '-std=gnu11', '-Wall', '-Wextra'],
  ...['-fno-asynchronous-unwind-tables', '-fno-unwind-tables', '-fno-stack-protector', '-fomit-frame-pointer'],
  ...['-ffunction-sections', '-fdata-sections', '-Wl,--gc-sections'],
];

/** Hash of everything that the binary depends on. */
async function hashOf(files, how) {
  const hash = createHash('sha256').update(JSON.stringify([how, options]));
  for (const file of files)
    hash
      .update(path.basename(file))
      .update('\0')
      .update(await readFile(file));
  return hash.digest('hex');
}

async function isCurrent(stamp, binary, hash) {
  try {
    await readFile(binary);
    return (await readFile(stamp, 'utf8')) === hash;
  } catch {
    return false;
  }
}

/**
 * Builds what is missing or out of date. `quick`: only the binary of this machine.
 * Rejects with the compiler's messages.
 */
export async function buildNative({ root, quick = false }) {
  const source = path.join(root, 'src/native');
  const out = path.join(root, 'dist/native');
  const compiler = process.env.FORETELL_CC;
  await mkdir(out, { recursive: true });
  const targets = Object.entries(programs).flatMap(([program, parts]) =>
    machines.map((machine) => ({ ...machine, ...parts, name: `${program}-linux-${machine.arch}` })),
  );
  for (const { name, folder, shared, arch, zigTarget, extra } of targets) {
    if ((compiler || quick) && arch !== process.arch) continue;
    const own = (await readdir(path.join(source, folder))).filter(isSource).sort();
    const files = [...own.map((file) => path.join(folder, file)), ...shared].map((file) => path.join(source, file));
    const binary = path.join(out, name);
    const stamp = path.join(out, `.${name}.stamp`);
    const hash = await hashOf(files, compiler ?? [zigTarget, ...extra]);
    if (await isCurrent(stamp, binary, hash)) continue;
    const temporary = `${binary}.${process.pid}.new`;
    const inputs = files.filter((file) => file.endsWith('.c'));
    const command = compiler
      ? [compiler]
      : [path.join(root, 'node_modules/.bin/zig'), 'cc', '-target', zigTarget, ...extra];
    await run(command[0], [...command.slice(1), ...options, '-o', temporary, ...inputs], { maxBuffer: 16 << 20 }).catch(
      (error) => {
        throw new Error(`${name}: ${error.stderr || error.message}`);
      },
    );
    await chmod(temporary, 0o755);
    await rename(temporary, binary);
    await writeFile(stamp, hash);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
  await buildNative({ root, quick: process.argv.includes('--quick') });
}
