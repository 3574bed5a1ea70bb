import type { Condition, Program } from './program.ts';
import { programName } from './programName.ts';
import { archives } from './table/archives.ts';
import { builds } from './table/builds.ts';
import { cloud } from './table/cloud.ts';
import { containers } from './table/containers.ts';
import { databases } from './table/databases.ts';
import { disks } from './table/disks.ts';
import { files } from './table/files.ts';
import { keys } from './table/keys.ts';
import { languages } from './table/languages.ts';
import { listings } from './table/listings.ts';
import { media } from './table/media.ts';
import { network } from './table/network.ts';
import { packages } from './table/packages.ts';
import { permissions } from './table/permissions.ts';
import { processes } from './table/processes.ts';
import { runners } from './table/runners.ts';
import { shells } from './table/shells.ts';
import { starters } from './table/starters.ts';
import { system } from './table/system.ts';
import { systemPackages } from './table/systemPackages.ts';
import { text } from './table/text.ts';
import { versionControl } from './table/versionControl.ts';
import { versionManagers } from './table/versionManagers.ts';
import { windows } from './table/windows.ts';

/** Every program that something is known of. No name stands in two rows. */
export const programs: readonly Program[] = [
  shells,
  starters,
  runners,
  files,
  listings,
  permissions,
  text,
  archives,
  versionControl,
  languages,
  builds,
  packages,
  versionManagers,
  systemPackages,
  processes,
  system,
  disks,
  network,
  keys,
  containers,
  cloud,
  databases,
  media,
  windows,
].flat();

let byName: Map<string, Program> | undefined;

function rowsByName(): Map<string, Program> {
  byName ??= new Map(programs.flatMap((program) => program.names.split(' ').map((name) => [name, program] as const)));
  return byName;
}

/** The row of exactly this name. */
export function programNamed(name: string): Program | undefined {
  return rowsByName().get(name);
}

/** A word of the shell, which nobody starts. */
export function isOfShell({ builtIn, planned }: Program): boolean {
  return builtIn === true || planned === 'nothing';
}

/**
 * The row of a program as it is called: by a path, with a version (`python3.11`, `clang-14`), in capitals (as Windows allows),
 * or with `.exe`. `undefined`: nothing is known of it.
 */
export function programOf(word: string): Program | undefined {
  const name = programName(word);
  const versionless = name.replace(/(?<=[a-z+])-?\d+(?:\.\d+)*[wm]?$/, '');
  const rows = rowsByName();
  return rows.get(name) ?? rows.get(versionless) ?? rows.get(name.toLowerCase()) ?? fileSystemMaker(name);
}

function fileSystemMaker(name: string): Program | undefined {
  return name.startsWith('mkfs.') ? rowsByName().get('mkfs') : undefined;
}

/** Whether a condition of a row holds for these arguments. */
export function holds(condition: Condition | undefined, words: readonly string[]): boolean {
  return condition === true || (condition !== undefined && words.some((word) => condition.test(word)));
}

let logFolders: readonly string[] | undefined;

/** Whether a file is a log of its runs that a program keeps in the user's home, and deletes by itself after a while. */
export function isOwnLog(file: string, home: string): boolean {
  logFolders ??= programs.flatMap(({ keepsLogs }) => (keepsLogs === undefined ? [] : [keepsLogs]));
  return logFolders.some((folder) => file.startsWith(`${home === '/' ? '' : home}/${folder}/`));
}
