import type { Program } from './program.ts';
import { programOf } from './programOf.ts';

// Where systems keep their programs.
const ofSystem =
  /^(\/(usr\/(local\/)?)?s?bin|\/opt|\/snap|\/nix|\/usr\/(games|lib|libexec|local|share)|\/var\/lib\/snapd|\/home\/linuxbrew|\/Applications|\/etc\/init\.d)\//;
// What people install for themselves lies in a folder of programs below a hidden one of their home, or in one of these.
const ofHome =
  /^(~|\$HOME|\$\{HOME\}|(?:\/var)?\/home\/[^/]+|\/root|\/Users\/[^/]+)\/(\.[^/]+\/(.+\/)?(bin|shims)|go\/bin|bin|((mini|ana)conda|miniforge|mambaforge)\d*\/(envs\/[^/]+\/)?bin|\.dotnet|Library\/pnpm|google-cloud-sdk\/bin|flutter\/bin)\/[^/]+$/;
// Tools that projects installed for themselves.
const ofProject = /(^|\/)(node_modules\/\.bin|\.?v?env[\w.-]*\/bin|\.[tn]ox\/[^/]+\/bin|vendor\/bin)\//;

/**
 * Whether a word names a program by a path where anybody could have put one: it only has the name of a known one. Not what
 * projects carry with them under this name, by the table.
 */
export function isOutOfPlace(word: string): boolean {
  if (!word.includes('/') || /^[^/]*[$`]/.test(word.replace(/^\$(HOME|\{HOME\})(?=\/)/, '~'))) return false;
  if (ofProject.test(word) || ofSystem.test(word) || ofHome.test(word)) return false;
  return programOf(word)?.carried !== true;
}

/** The row of a program as it is called; `undefined` also where it only has the name of one. */
export function programInPlace(word: string): Program | undefined {
  return isOutOfPlace(word) ? undefined : programOf(word);
}
