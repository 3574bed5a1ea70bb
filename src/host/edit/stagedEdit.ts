import path from 'node:path';
import type { ContentChange, EditAction } from '../../core/action/action.ts';
import { countOf } from '../../core/view/quantity.ts';
import type { Looker } from '../../core/view/view.ts';

/** More staged files than this are not read one by one. */
const mostFiles = 500;
const atOnce = 8;

/** What is staged, as two edits: back to the last commit, and from there to what is staged. */
export interface StagedEdit {
  folder: string;
  back: EditAction;
  staged: EditAction;
  title: string;
}

interface Entry {
  path: string;
  before: Side;
  after: Side;
}

interface Side {
  mode: string;
  object: string;
}

/** Reads what is staged in the repository of a folder, through look mode: git runs no hooks and no filters of it. */
export async function stagedEdit(looker: Looker, folder: string): Promise<StagedEdit | { problem: string }> {
  const git = (args: string[], cwd = folder) => looker.look(['git', ...args], { cwd });
  const top = await git(['rev-parse', '--show-toplevel']);
  if (top.exitCode !== 0) return { problem: `There is no git repository in ${folder}.` };
  const root = Buffer.from(top.stdout).toString('utf8').trimEnd();
  const listed = await git(['diff-index', '--cached', '--raw', '-z', '--no-renames', '--no-abbrev', 'HEAD'], root);
  if (listed.exitCode !== 0) return { problem: 'What is staged could not be read; is there a first commit?' };
  const entries = entriesOf(Buffer.from(listed.stdout).toString('utf8'));
  if (entries.length === 0) return { problem: 'Nothing is staged.' };
  if (entries.length > mostFiles)
    return { problem: `More than ${mostFiles} files are staged; predict a patch instead.` };
  const blob = async ({ mode, object }: Side, file: string): Promise<ContentChange | { problem: string }> => {
    if (mode === '000000') return { path: file, after: null };
    if (mode === '160000') return { problem: `${file} is a submodule, which is not predicted.` };
    const read = await git(['cat-file', 'blob', object], root);
    if (read.exitCode !== 0) return { problem: `What is staged of ${file} could not be read.` };
    const bytes = Buffer.from(read.stdout);
    if (mode === '120000') return { path: file, after: bytes.toString('utf8'), isSymlink: true };
    return { path: file, ...contentOf(bytes), mode: mode === '100755' ? '0755' : '0644' };
  };
  const back: ContentChange[] = [];
  const staged: ContentChange[] = [];
  for (let start = 0; start < entries.length; start += atOnce) {
    const sides = await Promise.all(
      entries.slice(start, start + atOnce).map(async (entry) => {
        const file = path.join(root, entry.path);
        return [await blob(entry.before, file), await blob(entry.after, file)] as const;
      }),
    );
    for (const [before, after] of sides) {
      if ('problem' in before) return before;
      if ('problem' in after) return after;
      back.push(before);
      staged.push(after);
    }
  }
  return {
    folder: root,
    back: { kind: 'edit', changes: back, cwd: root },
    staged: { kind: 'edit', changes: staged, cwd: root },
    title: `${countOf(entries.length, 'staged file')}, compared with the last commit`,
  };
}

function contentOf(bytes: Buffer): Pick<ContentChange, 'after' | 'encoding'> {
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return { after: text };
  return { after: bytes.toString('base64'), encoding: 'base64' };
}

/** The output of `git diff-index --raw -z`: `:mode mode object object status\0path\0`. */
export function entriesOf(raw: string): Entry[] {
  const parts = raw.split('\0');
  const entries: Entry[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [before = '', after = '', from = '', to = ''] = (parts[index] ?? '').slice(1).split(' ');
    const name = parts[index + 1] ?? '';
    if (name !== '') {
      entries.push({ path: name, before: { mode: before, object: from }, after: { mode: after, object: to } });
    }
  }
  return entries;
}
