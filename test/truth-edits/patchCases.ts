import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { EditAction } from '../../src/core/action/action.ts';
import { patchArgv } from '../../src/core/action/edit/patchCommand.ts';
import { readEdit } from '../../src/core/action/edit/readEdit.ts';
import type { EditCase } from './editCase.ts';
import { type Pair, pairs } from './patchPairs.ts';
import { environmentOf, type Files, runTool, writeFiles } from './place.ts';

type Form = 'git' | 'git without prefixes' | 'plain' | 'mail';

/** The patch between two trees, made by the real git or diff. */
function makePatch(pair: Pair, form: Form, work: string): Buffer {
  const folder = fs.mkdtempSync(path.join(work, 'make-'));
  const env = {
    ...environmentOf(work),
    GIT_AUTHOR_DATE: '2024-06-01T12:00:00Z',
    GIT_COMMITTER_DATE: '2024-06-01T12:00:00Z',
  };
  try {
    if (form === 'plain') {
      for (const [name, files] of [
        ['old', pair.before],
        ['new', pair.after],
      ] as const) {
        fs.mkdirSync(path.join(folder, name));
        writeFiles(path.join(folder, name), files);
      }
      return spawnSync('diff', ['-ruN', '--', 'old', 'new'], { cwd: folder, env, maxBuffer: 1 << 28 }).stdout;
    }
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@x', ...words], {
        cwd: folder,
        env,
        maxBuffer: 1 << 28,
      });
    git('init', '-q');
    writeFiles(folder, pair.before);
    git('add', '-A', '.');
    git('commit', '-q', '-m', 'before');
    for (const name of Object.keys(pair.before)) fs.rmSync(path.join(folder, name), { force: true });
    writeFiles(folder, pair.after);
    git('add', '-A', '.');
    if (form !== 'mail') return git('diff', '--cached', '--binary', '-M', ...(form === 'git' ? [] : ['--no-prefix']));
    git('commit', '-q', '-m', 'Change it\n\nWith a reason.\n---\nnot the patch');
    return git('format-patch', '--stdout', '--binary', '-M', 'HEAD~1');
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

interface Target {
  name: string;
  change(files: Files, pair: Pair): Files | undefined;
  prepare?(folder: string, pair: Pair): void;
  options?: { reverse?: boolean; fuzz?: number; more?: string[] };
  onlyGit?: boolean;
  onlyPatch?: boolean;
  isRepository?: boolean;
}

const firstText = (files: Files) => Object.entries(files).find(([, entry]) => typeof entry === 'string');

function changeText(files: Files, change: (text: string) => string): Files | undefined {
  const first = firstText(files);
  return first && { ...files, [first[0]]: change(first[1] as string) };
}

/** The first text is reached through a symbolic link. */
function behindLink(files: Files): Files | undefined {
  const first = firstText(files);
  return first && { ...files, [first[0]]: { link: 'hidden.dat' }, 'hidden.dat': first[1] };
}

/** What the patch meets. */
const targets: readonly Target[] = [
  { name: 'as made', change: (files) => files },
  { name: 'moved down', change: (files) => changeText(files, (text) => `new 1\nnew 2\nnew 3\n${text}`) },
  {
    name: 'other context',
    change: (files) => changeText(files, (text) => text.replace(/line 17\b/, 'LINE 17').replace(/^a$/m, 'A')),
  },
  {
    name: 'other lines',
    change: (files) =>
      changeText(files, (text) => text.replace(/line (19|20|21|5|30)\b/g, 'other').replace(/^b$/m, 'other')),
  },
  { name: 'done already', change: (_files, pair) => pair.after },
  { name: 'nothing there', change: () => ({ 'unrelated.txt': 'u\n' }) },
  { name: 'backwards', change: (_files, pair) => pair.after, options: { reverse: true } },
  { name: 'behind a link', change: behindLink },
  {
    name: 'with blanks fixed',
    change: (files) => files,
    options: { more: ['--whitespace=fix'] },
    onlyGit: true,
  },
  { name: 'below a folder', change: (files) => files, options: { more: ['--directory=sub'] }, onlyGit: true },
  {
    name: 'with rejects',
    change: (files) => changeText(files, (text) => text.replace(/line 20\b/g, 'other')),
    options: { more: ['--reject'] },
    onlyGit: true,
  },
  {
    name: 'three-way',
    change: (files) => files,
    prepare: (folder) => appendTo(folder),
    options: { more: ['--3way'] },
    onlyGit: true,
    isRepository: true,
  },
  {
    name: 'into the index',
    change: (files) => files,
    options: { more: ['--index'] },
    onlyGit: true,
    isRepository: true,
  },
  { name: 'checked only', change: (files) => files, options: { more: ['--check'] }, onlyGit: true },
  { name: 'with statistics', change: (files) => files, options: { more: ['--stat', '--apply'] }, onlyGit: true },
  {
    name: 'no fuzz',
    change: (files) => changeText(files, (text) => text.replace(/line 17\b/, 'LINE 17')),
    options: { fuzz: 0 },
    onlyPatch: true,
  },
  { name: 'with a backup', change: (files) => files, options: { more: ['-b'] }, onlyPatch: true },
  { name: 'dry', change: (files) => files, options: { more: ['--dry-run'] }, onlyPatch: true },
  { name: 'forward only', change: (_files, pair) => pair.after, options: { more: ['-N'] }, onlyPatch: true },
  { name: 'read-only', change: (files) => files, prepare: (folder, pair) => lock(folder, pair) },
];

function appendTo(folder: string): void {
  const name = fs.readdirSync(folder).find((one) => one.endsWith('.txt'));
  if (name) fs.appendFileSync(path.join(folder, name), 'uncommitted\n');
}

function lock(folder: string, pair: Pair): void {
  for (const [name, entry] of Object.entries(pair.before))
    if (typeof entry === 'string') fs.chmodSync(path.join(folder, name), 0o444);
}

const fewTargets = new Set(['as made', 'backwards', 'nothing there']);

/** Patches of every form, against files of every state, by both tools. `share`: every how many cases are taken. */
export function patchCases(work: string, share: number): EditCase[] {
  const cases: EditCase[] = [];
  for (const pair of pairs) {
    const isLarge = pair.name.includes('5 MB') || pair.name.includes('500');
    for (const form of ['git', 'plain', 'git without prefixes', 'mail'] as const) {
      if (form === 'plain' && pair.onlyGit) continue;
      const patch = makePatch(pair, form, work);
      for (const target of targets) {
        if ((isLarge || form === 'mail' || form.includes('without')) && !fewTargets.has(target.name)) continue;
        if (isLarge && (target.name !== 'as made' || form === 'mail')) continue;
        const files = target.change(pair.before, pair);
        if (!files) continue;
        for (const tool of ['git-apply', 'patch'] as const) {
          if ((tool === 'patch' && target.onlyGit) || (tool === 'git-apply' && target.onlyPatch)) continue;
          cases.push(caseOf(pair, form, target, tool, patch, files));
        }
      }
    }
  }
  return cases.filter((one, index) => index % share === 0 || /5 MB|500|binary/.test(one.name));
}

function caseOf(
  pair: Pair,
  form: Form,
  target: Target,
  tool: 'git-apply' | 'patch',
  patch: Buffer,
  files: Files,
): EditCase {
  const isText = Buffer.from(patch.toString('utf8')).equals(patch);
  const { reverse, fuzz, more } = target.options ?? {};
  const action = (folder: string): EditAction => {
    const options = {
      cwd: folder,
      tool,
      ...(reverse ? { reverse } : {}),
      ...(fuzz === undefined ? {} : { fuzz }),
      ...(more ? { options: more } : {}),
    };
    const read = readEdit(patch.toString(isText ? 'utf8' : 'latin1'), options);
    if ('problem' in read) throw new Error(`${pair.name}, ${form}: ${read.problem}`);
    if (!isText && read.action.patch) Object.assign(read.action.patch, { encoding: 'iso88591' });
    return read.action;
  };
  const { prepare } = target;
  return {
    name: `${tool}, ${form}: ${pair.name}, ${target.name}`,
    files,
    ...(target.isRepository ? { isRepository: true } : {}),
    ...(prepare ? { prepare: (folder: string) => prepare(folder, pair) } : {}),
    edit: action,
    real(folder, home) {
      const edit = action(folder).patch;
      if (!edit) throw new Error('no patch');
      const strip = form === 'git without prefixes' ? 0 : 1;
      if (edit.strip !== strip) throw new Error(`${pair.name}, ${form}: strip ${edit.strip} instead of ${strip}`);
      return runTool(patchArgv(edit), folder, patch, home);
    },
  };
}
