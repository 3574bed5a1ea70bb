import { posix } from 'node:path';
import { secretFormOf } from '../secrets/secretFiles.ts';
import { type Candidate, worth } from './candidate.ts';
import { needOf } from './chosen.ts';
import { outline } from './focus.ts';
import type { GatherPlace } from './gatherAction.ts';
import { filesBelow, readPlainFile } from './plainFiles.ts';

const sourceEnds =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?|go|rs|rb|php|java|kts?|scala|swift|cs|fs|c|h|cc|cpp|hpp|cxx|hh|m|mm|ex|exs|erl|hs|ml|lua|pl|pm|r|jl|dart|sh|bash|zsh|fish|sql|proto|graphql|html?|s?css|less|jsonc?|ya?ml|toml|ini|cfg|tf|cmake|mk|gradle)$/i;
/** Sources without an ending: what builds, packs or starts the others. */
const sourceNames =
  /(?:^|\/)(?:Dockerfile(?:\.\w+)?|Containerfile|[Mm]akefile|GNUmakefile|[A-Z][a-z]+file|\.(?!git)\w+ignore)$/;
const generated = /(?:\.min\.\w+|\.map|\.lock|-lock\.\w+|\.snap|\.d\.ts|_pb2?\.\w+|\.pb\.go|\.generated\.\w+)$/i;
const largest = 128 * 1024;
const mostRead = 400;
/** Less is not worth reading for. */
const leastTokens = 400;

/** What is known before the rest is looked for. */
export interface RestOptions {
  folders: readonly string[];
  /** Shown already, or of no use: files, and folders with all below them. */
  without: ReadonlySet<string>;
  /** Folders that the action is about. */
  near: readonly string[];
  /** What is left of the budget. */
  freeTokens: number;
}

/** The other sources of the repository, nearest first, as many as the budget may have room for; long ones by their outline. */
export async function restOfSources(options: RestOptions, place: GatherPlace): Promise<Candidate[]> {
  if (options.freeTokens < leastTokens) return [];
  const paths = await sourcePaths(options, place);
  const candidates: Candidate[] = [];
  let free = options.freeTokens;
  for (let at = 0; at < Math.min(paths.length, mostRead) && free > 0 && !place.signal.aborted; at += 16) {
    const some = paths.slice(at, at + 16);
    const read = await Promise.all(
      some.map(({ path }) => readPlainFile(path, { maxBytes: largest, readBytes: place.readBytes })),
    );
    for (const [index, file] of read.entries()) {
      const { path, distance } = some[index] ?? { path: '', distance: 0 };
      if (!file.ok || file.text === '' || file.missingBytes > 0) continue;
      const candidate: Candidate = {
        look: { kind: 'read', path },
        text: file.text,
        why: 'it is a source of the same repository',
        volatility: 3,
        worth: worth.rest - Math.min(distance, 50) / 10,
        part: 'action',
        path,
        focus: outline,
      };
      candidates.push(candidate);
      free -= needOf(candidate);
    }
  }
  return candidates;
}

async function sourcePaths(
  { folders, without, near }: RestOptions,
  place: GatherPlace,
): Promise<{ path: string; distance: number }[]> {
  const isWithout = (path: string) => {
    for (let at = path; at.length > 1; at = posix.dirname(at)) if (without.has(at)) return true;
    return false;
  };
  const found: { path: string; distance: number }[] = [];
  for (const folder of folders) {
    for (const path of await filesBelow(folder, place)) {
      if (
        !(sourceEnds.test(path) || sourceNames.test(path)) ||
        generated.test(path) ||
        secretFormOf(path) !== undefined
      )
        continue;
      if (isWithout(path)) continue;
      found.push({ path, distance: Math.min(...near.map((one) => distanceOf(posix.dirname(path), one))) });
    }
  }
  return found.sort((a, b) => a.distance - b.distance || (a.path < b.path ? -1 : 1));
}

/** Steps from one folder to another: up and down. */
function distanceOf(one: string, other: string): number {
  const a = one.split('/');
  const b = other.split('/');
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same += 1;
  return a.length - same + (b.length - same);
}
