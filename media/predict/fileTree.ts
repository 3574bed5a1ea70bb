import type { Basis } from '../../src/core/view/basis.ts';
import type { FileChange } from '../../src/core/view/fileChange.ts';
import { shownPath } from '../shared/format.ts';
import type { TreeNode } from '../shared/tree.ts';

/** A changed file together with where the fact comes from, as `fold` keeps it. */
export type BasedChange = FileChange & { basis: Basis };

/** How many of each change. */
export type ChangeCounts = Record<BasedChange['change'], number>;

/** How many of each change, files and folders together, and what the files weigh. */
export interface ChangeTotals extends ChangeCounts {
  /** Those that are folders. */
  ofFolders: ChangeCounts;
  files: number;
  folders: number;
  sizeBytes: number;
}

/** One folder or file of the tree of changes. */
export interface FileNode extends TreeNode {
  children: FileNode[];
  /** Absolute path. */
  path: string;
  /** `root`: a workspace folder or the place outside of all; `git`: the inside of a `.git` folder. */
  kind: 'folder' | 'file' | 'root' | 'git';
  /** The place lies outside of the workspace. */
  outside: boolean;
  change?: BasedChange;
  /** Of everything below, without the node itself. */
  below: ChangeTotals;
}

/** A tree that grows while files come in. `all` counts without the insides of `.git`, which `git` counts. */
export interface FileTree {
  folders: readonly string[];
  home: string | undefined;
  nodes: Map<string, FileNode>;
  roots: Map<string, FileNode>;
  all: ChangeTotals;
  git: ChangeTotals;
  /** Counts insertions, so that what is derived can be kept. */
  version: number;
}

function noTotals(): ChangeTotals {
  const none = { created: 0, modified: 0, deleted: 0, renamed: 0, mode: 0 };
  return { ...none, ofFolders: { ...none }, files: 0, folders: 0, sizeBytes: 0 };
}

/** An empty tree. `folders` are the absolute roots of the workspace, those within others first. */
export function createFileTree(folders: readonly string[], home?: string): FileTree {
  return { folders, home, nodes: new Map(), roots: new Map(), all: noTotals(), git: noTotals(), version: 0 };
}

/** Puts one change into the tree. Cost: the depth of its path. */
export function insertChange(tree: FileTree, change: BasedChange): void {
  tree.version += 1;
  const known = tree.nodes.get(change.path);
  // The same path twice (a replaced node, a repeated event) is one row: the later fact counts.
  if (known?.change) count(tree, known, known.change, -1);
  const node = known ?? addNode(tree, change.path);
  if (node.kind === 'file' && change.type === 'directory') node.kind = folderKind(node.label);
  node.change = change;
  count(tree, node, change, 1);
}

function count(tree: FileTree, node: FileNode, change: BasedChange, by: 1 | -1): void {
  let inGit = false;
  for (let parent = parentOf(tree, node); parent; parent = parentOf(tree, parent)) {
    add(parent.below, change, by);
    inGit ||= parent.kind === 'git';
  }
  add(inGit ? tree.git : tree.all, change, by);
}

function add(totals: ChangeTotals, change: BasedChange, by: 1 | -1): void {
  totals[change.change] += by;
  if (change.type === 'directory') {
    totals.folders += by;
    totals.ofFolders[change.change] += by;
  } else {
    totals.files += by;
    totals.sizeBytes += by * change.sizeBytes;
  }
}

function rootOf(tree: FileTree, path: string): string {
  let best = '/';
  for (const folder of tree.folders) {
    if ((path === folder || path.startsWith(`${folder}/`)) && folder.length > best.length) best = folder;
  }
  return best;
}

function parentOf(tree: FileTree, node: FileNode): FileNode | undefined {
  if (node.kind === 'root') return undefined;
  const parent = node.path.slice(0, node.path.lastIndexOf('/')) || '/';
  return tree.nodes.get(parent);
}

function addRoot(tree: FileTree, path: string): FileNode {
  const outside = path === '/' && !tree.folders.includes('/');
  const label = outside ? 'outside the workspace' : shownPath(path, tree.folders, tree.home);
  const root: FileNode = {
    key: path,
    label,
    path,
    kind: 'root',
    outside,
    children: [],
    below: noTotals(),
    startsOpen: true,
  };
  tree.roots.set(path, root);
  tree.nodes.set(path, root);
  return root;
}

function folderKind(label: string): 'git' | 'folder' {
  return label === '.git' ? 'git' : 'folder';
}

function addNode(tree: FileTree, path: string): FileNode {
  const rootPath = rootOf(tree, path);
  const root = tree.roots.get(rootPath) ?? addRoot(tree, rootPath);
  if (path === rootPath) return root;
  const start = rootPath === '/' ? 1 : rootPath.length + 1;
  let parent = root;
  for (let at = start; ; ) {
    const slash = path.indexOf('/', at);
    const end = slash < 0 ? path.length : slash;
    const nodePath = path.slice(0, end);
    let node = tree.nodes.get(nodePath);
    if (!node) {
      const label = path.slice(at, end);
      const isFolder = slash >= 0;
      node = {
        key: nodePath,
        label,
        path: nodePath,
        kind: isFolder ? folderKind(label) : 'file',
        outside: root.outside,
        children: [],
        below: noTotals(),
      };
      tree.nodes.set(nodePath, node);
      parent.children.push(node);
    } else if (slash >= 0 && node.kind === 'file') {
      node.kind = folderKind(node.label);
    }
    if (slash < 0) return node;
    parent = node;
    at = slash + 1;
  }
}

/** A row of the shown tree: chains of folders with nothing else in them are one row, `src/core/view`. */
export interface ShownFile extends TreeNode {
  /** Sorted when they are read for the first time: most folders are never unfolded. */
  readonly children: ShownFile[];
  node: FileNode;
}

/**
 * The tree as it is shown: sorted (folders first, insides of `.git` last), chains joined, roots only where there is more
 * than one place. Folders that hold much start folded; so does everything that is deleted or created as a whole.
 */
export function shownFiles(tree: FileTree): ShownFile[] {
  const roots = [...tree.roots.values()].sort((a, b) => Number(a.outside) - Number(b.outside) || compareNames(a, b));
  const total = tree.all.files + tree.all.folders;
  const single = roots.length === 1 ? roots[0] : undefined;
  if (single && !single.outside && tree.folders.length === 1 && !single.change) {
    return shownChildren(single, total, 1, tree);
  }
  return roots.flatMap((root) =>
    root.outside && !root.change ? shownChildren(root, total, 1, tree) : [shown(root, total, 1, tree)],
  );
}

function shownChildren(node: FileNode, total: number, level: number, tree: FileTree): ShownFile[] {
  return [...node.children].sort(compareNodes).map((child) => shown(child, total, level, tree));
}

function shown(first: FileNode, total: number, level: number, tree: FileTree): ShownFile {
  let node = first;
  let label = first.label;
  while (node.kind === 'folder' && !node.change && node.children.length === 1) {
    const only = node.children[0];
    if (!only || (only.kind !== 'folder' && !first.outside)) break;
    node = only;
    label = `${label}/${only.label}`;
    if (node.kind !== 'folder') break;
  }
  if (first.outside && level === 1) label = shownPath(node.path, [], tree.home);
  let children: ShownFile[] | undefined;
  return {
    key: node.key,
    label,
    node,
    expandable: node.children.length > 0,
    get children() {
      children ??= shownChildren(node, total, level + 1, tree);
      return children;
    },
    startsOpen: startsOpen(node, total, level),
  };
}

function startsOpen(node: FileNode, total: number, level: number): boolean {
  if (node.kind === 'git') return false;
  if (node.kind === 'root') return true;
  const inside = node.below.files + node.below.folders;
  const whole = node.change?.change === 'deleted' || node.change?.change === 'created';
  if (whole) return inside <= 8;
  return total <= 60 || (inside <= 40 && level <= 3) || (level === 1 && node.children.length <= 20);
}

function compareNodes(a: FileNode, b: FileNode): number {
  return order(a) - order(b) || compareNames(a, b);
}

function order(node: FileNode): number {
  if (node.kind === 'git') return 2;
  return node.children.length > 0 || node.change?.type === 'directory' ? 0 : 1;
}

function compareNames(a: FileNode, b: FileNode): number {
  return a.label < b.label ? -1 : a.label > b.label ? 1 : 0;
}
