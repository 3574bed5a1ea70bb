import { posix } from 'node:path';
import type { EffectFact, LaterRunner } from '../facts/effect.ts';
import { folderReader } from '../loss/bytePath.ts';
import { type IsNamed, namedByRunner, runnerFiles } from '../programs/namedByRunner.ts';
import { runsLater, runsSame } from '../programs/runsLater.ts';
import type { FileChange } from '../view/fileChange.ts';
import type { View } from '../view/view.ts';

/** More of them are not read: they count as changed. */
const mostRead = 200;
const longestText = 1024 * 1024;
/** In so many folders it is looked for who names what changes. */
const mostFolders = 40;

/**
 * What an action writes into files that somebody runs later, one fact for each who does: what stands in them now, and did not
 * before. Contents are compared, so that a new version in a manifest is none, and a new script is one. Never throws.
 */
export async function laterRuns({
  files,
  view,
  signal,
}: {
  files: readonly FileChange[];
  view: View;
  signal: AbortSignal;
}): Promise<EffectFact[]> {
  const found = new Map<LaterRunner, string[]>();
  const runnersAround = createRunners(view);
  const folderAt = folderReader();
  let lastFolder: string | undefined;
  let runners: readonly Runner[] = [];
  let read = 0;
  for (const file of files) {
    if (file.change === 'deleted' || file.type === 'directory' || inGit(file.path)) continue;
    let by = runsLater(file.path);
    if (by === undefined && file.change !== 'mode') {
      const folder = folderAt(file.path);
      if (folder !== lastFolder) [lastFolder, runners] = [folder, await runnersAround(folder)];
      by = runners.length > 0 ? runners.find(({ isNamed }) => isNamed(file.path))?.by : undefined;
    }
    // Whoever may run a hook is all that git asks for besides its name.
    if (by === undefined || (file.change === 'mode' && by !== 'git') || signal.aborted) continue;
    if (file.change !== 'mode' && read < mostRead) {
      read += 1;
      if (await saysSame(file, view)) continue;
    }
    found.set(by, [...(found.get(by) ?? []), file.path]);
  }
  return [...found].flatMap(([by, [first, ...others]]): EffectFact[] =>
    first === undefined ? [] : [{ kind: 'runsLater', by, count: others.length + 1, first }],
  );
}

interface Runner {
  by: LaterRunner;
  isNamed: IsNamed;
}

/** Who runs files of a folder because a makefile or a package.json names it that stands beside it or above it; the nearest ones count. */
function createRunners(view: View): (folder: string) => Promise<readonly Runner[]> {
  const known = new Map<string, Promise<Runner[]>>();
  let folders = 0;
  const runnersIn = async (folder: string): Promise<Runner[]> => {
    if (folders >= mostFolders) return [];
    folders += 1;
    const texts = await Promise.all(runnerFiles.map(({ name }) => readText(view, posix.join(folder, name), 'after')));
    const here = runnerFiles.flatMap(({ by }, at) => {
      const text = texts[at];
      return text === undefined ? [] : [{ by, isNamed: namedByRunner(by, text, folder) }];
    });
    return here.length > 0 || folder === '/' ? here : around(posix.dirname(folder));
  };
  function around(folder: string): Promise<Runner[]> {
    const found = known.get(folder) ?? runnersIn(folder);
    known.set(folder, found);
    return found;
  }
  return around;
}

/** Whether whoever runs it later does what they did with what stood there before; an empty text does nothing. */
async function saysSame({ path, type, content, sizeBytes }: FileChange, view: View): Promise<boolean> {
  if (type !== 'file' || content === 'notAsked' || sizeBytes > longestText) return false;
  const after = await readText(view, path, 'after');
  return after !== undefined && runsSame(path, (await readText(view, path, 'before')) ?? '', after);
}

async function readText(view: View, path: string, moment: 'before' | 'after'): Promise<string | undefined> {
  const bytes = await view.read(path, moment, longestText);
  return bytes && Buffer.from(bytes).toString('utf8');
}

/** Git's own files are told by the effects on git. */
function inGit(path: string): boolean {
  return /(^|\/)\.git(\/|$)/.test(path);
}
