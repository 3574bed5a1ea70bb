import { stat } from 'node:fs/promises';
import { type BytePath, below, isNotText } from '../bytePath.ts';
import type { Destroyed } from '../destroyed.ts';
import type { Repository } from './findRepositories.ts';
import { askGit, endOf, fields, type GitRunner, type RepositorySettings } from './gitPlumbing.ts';
import { versions } from './gitStorage.ts';

/**
 * The filter of each of these paths that has one which is set up (gitattributes(5), `filter`): git has such a file in the form
 * that the filter gives it. Empty where no filter is set up at all; then nobody is asked.
 */
export async function filtersOf(
  runner: GitRunner,
  repository: Repository,
  { filtersOff }: RepositorySettings,
  paths: readonly BytePath[],
): Promise<Map<BytePath, string>> {
  const found = new Map<BytePath, string>();
  if (filtersOff.length === 0 || paths.length === 0) return found;
  const drivers = new Set(filtersOff.map(([key]) => key.replace(/^filter\.(.+)\.[^.]+$/s, '$1')));
  const stdin = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
  const answer = await askGit(runner, repository.root, `g check-attr -z --stdin filter; ${endOf('filters')}`, {
    stdin,
  });
  const parts = fields(answer.sections.get('filters')?.text ?? '');
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [path = '', , driver = ''] = parts.slice(at, at + 3);
    if (drivers.has(driver)) found.set(path, driver);
  }
  return found;
}

/** A file of which git has versions in a form that a filter gave them. */
export interface FilteredFile {
  item: Destroyed;
  path: BytePath;
  versionIds: readonly string[];
}

/**
 * What git has of such files, as far as the form of a version tells: pointers of Git LFS name the digest of the content, which
 * lies beside git's own objects. `same`: the version that is the file; `other`: none is. Absent: nobody knows, because only the filter could say.
 */
export async function comparePointers(
  runner: GitRunner,
  repository: Repository,
  files: readonly FilteredFile[],
): Promise<Map<BytePath, { same: string } | 'other'>> {
  const contents = await versions(
    runner,
    repository,
    files.flatMap(({ versionIds }) => versionIds),
  );
  const pointers = new Map([...contents].flatMap(([id, bytes]) => [[id, pointedAt(bytes)] as const]));
  const pointing = files.filter(
    ({ item, versionIds }) => !isNotText(item.path) && versionIds.some((id) => pointers.get(id)),
  );
  const digests = await digestsOf(runner, repository, pointing);
  const answers = new Map<BytePath, { same: string } | 'other'>();
  for (const { path, versionIds } of pointing) {
    const digest = digests.get(path);
    if (digest === undefined) continue;
    const same = versionIds.find((id) => pointers.get(id) === digest);
    if (same === undefined && versionIds.every((id) => pointers.get(id))) answers.set(path, 'other');
    if (same !== undefined && (await isStored(repository, digest))) answers.set(path, { same });
  }
  return answers;
}

/** The digest that a pointer names (git-lfs, docs/spec.md). */
function pointedAt(bytes: Uint8Array): string | undefined {
  if (bytes.length > 1024) return undefined;
  const text = new TextDecoder().decode(bytes);
  return /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-.*\n)*oid sha256:([0-9a-f]{64})\n/.exec(text)?.[1];
}

async function digestsOf(
  { looker, signal }: GitRunner,
  { root }: Repository,
  files: readonly FilteredFile[],
): Promise<Map<BytePath, string>> {
  const digests = new Map<BytePath, string>();
  for (let at = 0; at < files.length; at += 256) {
    const some = files.slice(at, at + 256);
    const argv = ['sha256sum', '-z', '--', ...some.map(({ item }) => item.path)];
    const { stdout } = await looker.look(argv, { cwd: root, limitMs: 30_000, signal });
    const lines = new TextDecoder().decode(stdout).split('\0');
    const byPath = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
    for (const { item, path } of some) {
      const digest = byPath.get(item.path);
      if (digest !== undefined) digests.set(path, digest);
    }
  }
  return digests;
}

async function isStored({ commonFolder }: Repository, digest: string): Promise<boolean> {
  const file = `lfs/objects/${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}`;
  return (await stat(below(commonFolder, file)).catch(() => undefined))?.isFile() === true;
}
