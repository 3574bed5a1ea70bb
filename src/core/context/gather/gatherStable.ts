import { posix } from 'node:path';
import type { Looker } from '../../view/view.ts';
import { type Candidate, worth } from './candidate.ts';
import type { GatherPlace } from './gatherAction.ts';
import { askAll, type LookAnswer } from './lookBatch.ts';
import { compileGlob } from './pathPattern.ts';
import { findCommand, listingText, readFolder, readPlainFile, walkFolder } from './plainFiles.ts';

// In the order of their worth: what decides how the workspace is built and run comes first.
const manifests =
  'package.json pyproject.toml Cargo.toml go.mod Makefile pom.xml build.gradle build.gradle.kts Gemfile composer.json CMakeLists.txt deno.json mix.exs requirements.txt setup.cfg setup.py tsconfig.json Dockerfile docker-compose.yml docker-compose.yaml compose.yml compose.yaml .gitignore .tool-versions .nvmrc .node-version .python-version .ruby-version rust-toolchain.toml .npmrc .env .envrc justfile tox.ini pytest.ini README.md .github/workflows/*.yml .github/workflows/*.yaml .gitlab-ci.yml'.split(
    ' ',
  );
const treeEntries = 300;
const mostPackages = 150;
const mostManifestBytes = 24 * 1024;

/** What hardly changes and does not depend on the action: listing, tree, manifests, versions of installed packages. */
export async function gatherStable(folder: string, place: GatherPlace): Promise<Candidate[]> {
  const top = (await readFolder(folder)).filter((entry) => !place.excludedBy(posix.join(folder, entry.name)));
  const candidates: Candidate[] = [];
  const why = 'it describes the workspace';
  if (top.length > 0) {
    candidates.push(stable({ kind: 'list', path: folder }, listingText(top), 'the workspace', 1, worth.stable + 4));
  }
  const [read, tree] = await Promise.all([
    readManifests(
      folder,
      top.map((entry) => entry.name),
      place,
    ),
    readTree(folder, place),
  ]);
  for (const [index, { path, text }] of read.entries()) {
    const value = worth.stable + 3 - index / 100;
    candidates.push({ ...stable({ kind: 'read', path }, text, why, 1, value), path });
  }
  if (tree) candidates.push(tree);
  const manifest = read.find(({ path }) => path === posix.join(folder, 'package.json'));
  const versions = manifest ? await packageVersions(folder, manifest.text) : undefined;
  if (versions) candidates.push(versions);
  candidates.push(...(await pythonPackages(folder)));
  return candidates;
}

function stable(look: Candidate['look'], text: string, why: string, volatility: number, value: number): Candidate {
  return { look, text, why, volatility, worth: value, part: 'stable', focus: { patterns: [], ranges: [] } };
}

async function readManifests(
  folder: string,
  names: readonly string[],
  place: GatherPlace,
): Promise<{ path: string; text: string }[]> {
  const there = new Set(names);
  const wanted: string[] = [];
  for (const name of manifests) {
    if (!name.includes('/')) {
      if (there.has(name)) wanted.push(posix.join(folder, name));
      continue;
    }
    if (!there.has(name.split('/')[0] ?? '')) continue;
    const parent = posix.join(folder, posix.dirname(name));
    const pattern = compileGlob(posix.basename(name));
    for (const entry of await readFolder(parent))
      if (pattern.test(entry.name)) wanted.push(posix.join(parent, entry.name));
  }
  const read = await Promise.all(
    wanted.slice(0, 30).map(async (path) => ({
      path,
      file:
        place.excludedBy(path) === undefined
          ? await readPlainFile(path, { maxBytes: mostManifestBytes, readBytes: place.readBytes })
          : undefined,
    })),
  );
  return read.flatMap(({ path, file }) => (file?.ok && file.text !== '' ? [{ path, text: file.text }] : []));
}

/** As deep as a few hundred names go. */
async function readTree(folder: string, place: GatherPlace): Promise<Candidate | undefined> {
  const skip = (path: string) => place.excludedBy(path) !== undefined;
  const { entries, cut, notEntered } = await walkFolder(folder, {
    mostEntries: treeEntries,
    mostFolders: 200,
    skip,
    signal: place.signal,
  });
  const depthOf = (path: string) => path.slice(folder.length).split('/').length - 1;
  const deepest = Math.max(0, ...entries.map((entry) => depthOf(entry.path)));
  const depth = cut ? deepest - 1 : deepest;
  if (depth < 2) return undefined;
  const shown = entries
    .filter((entry) => depthOf(entry.path) <= depth)
    .map((entry) => `.${entry.path.slice(folder.length)}`);
  shown.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const command = findCommand('.', notEntered, depth);
  return stable(
    { kind: 'run', command, cwd: folder, exitCode: 0 },
    `${shown.join('\n')}\n`,
    'the workspace',
    1,
    worth.stable - 2,
  );
}

async function packageVersions(folder: string, manifest: string): Promise<Candidate | undefined> {
  let names: string[] = [];
  try {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(manifest) as Record<
      string,
      Record<string, string> | undefined
    >;
    names = Object.keys({ ...dependencies, ...devDependencies }).slice(0, 40);
  } catch {
    return undefined;
  }
  const lines = await Promise.all(
    names.map(async (name) => {
      const path = `node_modules/${name}/package.json`;
      const file = await readPlainFile(posix.join(folder, path), { maxBytes: 64 * 1024 });
      return file.ok ? versionLines(file.text).map((line) => `${path}:${line}`) : [];
    }),
  );
  const text = lines
    .flat()
    .map((line) => `${line}\n`)
    .join('');
  if (text === '') return undefined;
  const command = `${versionCommand} ${names.map((name) => `node_modules/${name}/package.json`).join(' ')}`;
  return stable(
    { kind: 'run', command, cwd: folder, exitCode: 0 },
    text,
    'versions of what is installed',
    1,
    worth.stable - 1,
  );
}

/** What tells the version in a `package.json`, whether it has one line or many. */
export const versionCommand = `grep -o -m 1 '"version": *"[^"]*"'`;

/** What that command prints of a text. */
export function versionLines(manifest: string): string[] {
  const line = manifest.split('\n').find((one) => /"version": *"[^"]*"/.test(one));
  return line?.match(/"version": *"[^"]*"/g) ?? [];
}

/** The Python of a project's virtual environment, and names and versions of what that holds. */
async function pythonPackages(folder: string): Promise<Candidate[]> {
  for (const environment of ['.venv', 'venv', 'env']) {
    const libraries = posix.join(folder, environment, 'lib');
    for (const { name } of await readFolder(libraries)) {
      const place = posix.join(environment, 'lib', name, 'site-packages');
      const packages = (await readFolder(posix.join(folder, place)))
        .map((entry) => entry.name)
        .filter((entry) => entry.endsWith('.dist-info'))
        .slice(0, mostPackages);
      if (packages.length === 0) continue;
      const text = packages.map((entry) => `${place}/${entry}\n`).join('');
      const look = { kind: 'run', command: `ls -d ${place}/*.dist-info`, cwd: folder, exitCode: 0 } as const;
      const path = posix.join(folder, environment, 'pyvenv.cfg');
      const settings = await readPlainFile(path, { maxBytes: 4 * 1024 });
      const why = 'versions of what is installed';
      const list = stable(look, text, why, 1, worth.stable - 1);
      if (!settings.ok) return [list];
      return [{ ...stable({ kind: 'read', path }, settings.text, why, 1, worth.stable - 0.9), path }, list];
    }
  }
  return [];
}

// Only inert programs and files: what a version would be asked of a program that is not inert, its package tells.
const machineCommands: readonly string[] = [
  'uname -sm; uname -ro; id; nproc; getconf LONG_BIT; echo "$HOME"; pwd',
  'cat /etc/os-release',
  'bash --version | head -n 1; git --version; ls --version | head -n 1; grep --version | head -n 1; awk -W version 2>&1 | head -n 1',
  'ls -d /usr/bin/python3* /usr/local/bin/* 2>/dev/null | head -n 40',
  "which bash sh python3 node npm docker make gcc cargo go java; dpkg-query -W -f='${Package} ${Version}\\n' nodejs golang-go gcc make docker.io default-jdk-headless 2>/dev/null; dpkg-query -W -f='Python ${source:Upstream-Version}\\n' python3 2>/dev/null",
];

/** The machine: its system, who the user is, which programs there are. Taken once for a looker. */
export async function gatherMachine(looker: Looker, cwd: string, signal: AbortSignal): Promise<Candidate[]> {
  const answers = await askAll(
    looker,
    machineCommands.map((command) => ({ command, cwd })),
    { limitMs: 4_000, signal },
  );
  return answers.map((answer, index) => machineCandidate(answer, index));
}

function machineCandidate({ command, cwd, text, exitCode }: LookAnswer, index: number): Candidate {
  return stable({ kind: 'run', command, cwd, exitCode }, text, 'the machine', 0, worth.stable + 5 - index / 10);
}
