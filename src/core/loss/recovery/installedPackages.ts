import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { below, folderOf, onDisk } from '../bytePath.ts';
import type { Reproduction } from './reproduction.ts';

/** So many bytes of installed files are compared with what their package says of them, in all; of more only the length is. */
const mostHashed = 64 * 1024 * 1024;

/** Longer lists are not read, in bytes. */
const longestList = 8 * 1024 * 1024;

interface Installed {
  /** `sha256=` and the digest; absent of files that are written when a package is installed. */
  digest?: string;
  sizeBytes?: number;
  how: Reproduction;
}

/** Says of files of virtual environments of Python how they are installed again. */
export interface InstalledPackages {
  /** Whether a folder belongs to one. */
  isIn(folder: string): boolean;
  find(path: string): Promise<Reproduction | undefined>;
}

/**
 * Makes a reader of the lists that installers leave in `*.dist-info/RECORD`. Only what still is as its package says can be
 * installed again, and only what came from an index: `direct_url.json` names a folder or an address.
 */
export function installedPackages(): InstalledPackages {
  const environments = new Map<string, string | undefined>();
  const lists = new Map<string, Promise<Map<string, Installed>>>();
  let leftBytes = mostHashed;

  // Asked of each of thousands of folders, one after the other: whoever waits for a thread each time takes ten times as long.
  function environmentOf(folder: string): string | undefined {
    if (environments.has(folder)) return environments.get(folder);
    const isHere = existsSync(onDisk(below(folder, 'pyvenv.cfg')));
    const found = isHere ? folder : folder === '/' ? undefined : environmentOf(folderOf(folder));
    environments.set(folder, found);
    return found;
  }

  return {
    isIn: (folder) => environmentOf(folder) !== undefined,
    async find(path) {
      const environment = environmentOf(folderOf(path));
      if (environment === undefined) return undefined;
      let list = lists.get(environment);
      if (!list) {
        list = listOf(environment);
        lists.set(environment, list);
      }
      const known = (await list).get(path);
      if (!known) return undefined;
      const status = await stat(onDisk(path)).catch(() => undefined);
      if (!status?.isFile()) return undefined;
      if (known.sizeBytes !== undefined && status.size !== known.sizeBytes) return undefined;
      if (known.digest === undefined || status.size > leftBytes) return known.how;
      leftBytes -= status.size;
      const content = await readFile(onDisk(path)).catch(() => undefined);
      const digest = content && createHash('sha256').update(content).digest('base64url');
      return digest === known.digest ? known.how : undefined;
    },
  };
}

async function listOf(environment: string): Promise<Map<string, Installed>> {
  const found = new Map<string, Installed>();
  const settings = below(environment, 'pyvenv.cfg');
  const made = { by: '`python3 -m venv`', from: settings, made: environment };
  const scripts = await namesIn(below(environment, 'bin'));
  // What the environment consists of without a package.
  for (const name of scripts.filter((one) => /^activate(\.\w+)?$/i.test(one)))
    found.set(below(environment, `bin/${name}`), { how: made });
  found.set(settings, { how: made });
  for (const version of await namesIn(below(environment, 'lib'))) {
    const packages = below(environment, `lib/${version}/site-packages`);
    for (const name of (await namesIn(packages)).filter((one) => one.endsWith('.dist-info')))
      await addPackage(packages, name, found);
  }
  return found;
}

async function addPackage(packages: string, name: string, found: Map<string, Installed>): Promise<void> {
  const folder = below(packages, name);
  const names = await namesIn(folder);
  const record = below(folder, 'RECORD');
  if (names.includes('direct_url.json') || !names.includes('RECORD') || !names.includes('INSTALLER')) return;
  if (((await stat(onDisk(record)).catch(() => undefined))?.size ?? longestList + 1) > longestList) return;
  // `name-version.dist-info`: neither has a hyphen.
  const [, title, version] = /^([^-]+)-([^-]+)\.dist-info$/.exec(name) ?? [];
  if (title === undefined || version === undefined) return;
  const command = `pip install ${title}==${version}`;
  const how = { by: `\`${command}\``, from: record, made: packages };
  for (const line of (await readFile(onDisk(record), 'utf8')).split('\n')) {
    const entry = /^(?:"((?:[^"]|"")*)"|([^,]*)),(?:sha256=([\w-]+)=*)?,(\d*)\r?$/.exec(line);
    const written = entry?.[1]?.replaceAll('""', '"') ?? entry?.[2];
    if (!entry || written === undefined || written === '') continue;
    const [digest, size] = [entry[3], entry[4]];
    found.set(resolve(packages, written), {
      how,
      ...(digest === undefined ? {} : { digest }),
      ...(size ? { sizeBytes: Number(size) } : {}),
    });
  }
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(onDisk(folder)).then(
    (names) => names.map(String),
    () => [],
  );
}
