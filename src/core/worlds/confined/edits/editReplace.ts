import type { SearchReplace } from '../../../action/action.ts';
import { compileReplace, type ReplacedText } from '../../../action/edit/searchReplace.ts';
import { decodeText, encodeText } from '../../../action/edit/textBytes.ts';
import type { ToolWrite } from '../../../action/edit/toolOutcome.ts';
import { compileGlob } from '../../../context/gather/pathPattern.ts';
import type { NoticeFact } from '../../../facts/notice.ts';
import type { Launcher } from '../wire/launcher.ts';
import { streamBytes } from '../wire/runRecord.ts';
import { fileState, runQuietly } from './editFiles.ts';

/** Most files that are read for one search-and-replace. */
const mostFiles = 20_000;
const notEntered = ['.git', '.hg', '.svn', 'node_modules'];

/** What a search-and-replace writes, file by file; nothing is written yet. */
export async function replaceInFiles(
  launcher: Launcher,
  replace: SearchReplace,
  signal: AbortSignal,
): Promise<{ writes: ToolWrite[]; notices: NoticeFact[] } | { problem: string }> {
  const compiled = compileReplace(replace);
  if ('problem' in compiled) return compiled;
  const names = notEntered.flatMap((name) => ['-name', name, '-o']).slice(0, -1);
  const find = ['find', '.', '(', ...names, ')', '-prune', '-o', '-type', 'f', '-size', '-16M', '-print0'];
  const record = await runQuietly(launcher, find, replace.folder);
  if (record.finished?.how !== 'exited')
    return { problem: `${replace.folder} cannot be listed; choose another folder.` };
  const files = streamBytes(record, 'stdout')
    .toString('utf8')
    .split('\0')
    .map((name) => name.slice(2))
    .filter((name) => name !== '' && isWanted(name, replace))
    .sort();
  const writes: ToolWrite[] = [];
  let found = 0;
  for (const name of files.slice(0, mostFiles)) {
    if (signal.aborted) break;
    const path = `${replace.folder === '/' ? '' : replace.folder}/${name}`;
    const state = await fileState(launcher, path);
    const decoded = state.kind === 'file' ? decodeText(state.bytes) : undefined;
    if (!decoded) continue;
    let changed: ReplacedText | undefined;
    try {
      changed = compiled.apply(decoded.text);
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
    if (!changed) continue;
    found += changed.count;
    if (changed.text === decoded.text) continue;
    writes.push({ path, bytes: encodeText(changed.text, decoded.encoding), makesFolders: false });
  }
  const notices: NoticeFact[] = [{ kind: 'replaces', matches: found, files: writes.length }];
  if (files.length > mostFiles) notices.push({ kind: 'searchCut', files: mostFiles });
  return { writes, notices };
}

function isWanted(name: string, { include = [], exclude = [] }: SearchReplace): boolean {
  const fits = (glob: string) => {
    const anywhere = glob.includes('/') ? glob : `**/${glob}`;
    return compileGlob(anywhere, { dotFiles: true }).test(name);
  };
  return (include.length === 0 || include.some(fits)) && !exclude.some(fits);
}
