import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileChange } from '../../view/fileChange.ts';
import type { Repository } from './findRepositories.ts';
import type { StorageChange } from './repositoryTask.ts';

const looseObject = /^([0-9a-f]{2})\/([0-9a-f]{38}(?:[0-9a-f]{24})?)$/;

/** Reads from the list of changes what the action does to the storage of a repository. */
export function storageChange(
  repository: Repository,
  files: readonly FileChange[],
  deleted: ReadonlySet<string>,
): StorageChange {
  const objects = `${repository.commonFolder}/objects/`;
  const addedIds = new Set<string>();
  let removesObjects = false;
  for (const change of files) {
    if (!change.path.startsWith(objects)) continue;
    const name = change.path.slice(objects.length);
    if (change.change === 'deleted') {
      if (change.type !== 'directory' && !name.startsWith('info/')) removesObjects = true;
      continue;
    }
    const parts = looseObject.exec(name);
    if (parts) addedIds.add(`${parts[1]}${parts[2]}`);
  }
  return {
    destroyed: deleted.has(repository.commonFolder) || deleted.has(`${repository.commonFolder}/objects`),
    addedIds,
    removesObjects,
    indexChanged: files.some(({ path }) => path === `${repository.gitFolder}/index`),
    removesRemote: (address) => isRemovedRemote(address, repository.root, deleted),
  };
}

/** The folder that a remote's address names, where it is one of this machine. */
export function localFolder(address: string, root: string): string | undefined {
  if (address.startsWith('file://')) {
    try {
      return fileURLToPath(address);
    } catch {
      return undefined;
    }
  }
  return address.startsWith('/') || address.startsWith('.') ? resolve(root, address) : undefined;
}

/** The address of a remote names a folder of this machine that the action deletes too. */
export function isRemovedRemote(address: string, root: string, deleted: ReadonlySet<string>): boolean {
  const folder = localFolder(address, root);
  return folder !== undefined && (deleted.has(folder) || deleted.has(`${folder}/objects`));
}
