import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  type ModificationOptions,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser';
import { isFields } from '../hookCall.ts';
import type { AgentSettings, HookEntry } from './agentSettings.ts';

/** Settings that cannot be changed: what is wrong with the file, as a clause whose subject it is. */
export interface SettingsProblem {
  because: string;
}

/** What of ours is in a settings file. `other`: of another place or version. */
export type Installed = 'no' | 'yes' | 'other';

/** Editors of Windows begin a file with it. */
const orderMark = '\ufeff';

/** A call of ours, whatever stands before it: the program of its own, the word of the command line, or the script. */
const ours = /(?:\bforetell-hook\b|\bforetell(?:'|")? hook\b|[\\/]hook\.js\b)/;

function isOurs(value: unknown): boolean {
  if (!isFields(value)) return false;
  return [value['command'], value['bash']].some((line) => typeof line === 'string' && ours.test(line));
}

/** Whether an entry is ours as a whole, or has handlers of ours in it. */
function oursIn(entry: unknown): 'all' | 'some' | 'none' {
  if (isOurs(entry)) return 'all';
  const handlers = isFields(entry) && Array.isArray(entry['hooks']) ? entry['hooks'] : [];
  const count = handlers.filter(isOurs).length;
  return count === 0 ? 'none' : count === handlers.length ? 'all' : 'some';
}

/**
 * The settings with our hooks in them, everything else as it was. `text`: as it stands, `undefined` where there is no file;
 * `program`: how the hook is called. The same text where they are there already.
 */
export function withHooks(
  settings: AgentSettings,
  text: string | undefined,
  program: string,
): { text: string } | SettingsProblem {
  if (settings.content) return { text: settings.content(program) };
  if (text?.startsWith(orderMark)) {
    const changed = withHooks(settings, text.slice(1), program);
    return 'text' in changed ? { text: `${orderMark}${changed.text}` } : changed;
  }
  const entries = settings.entries?.(program) ?? [];
  if (text === undefined || text.trim() === '') {
    const hooks: Record<string, unknown[]> = {};
    for (const { event, value } of entries) hooks[event] = [...(hooks[event] ?? []), value];
    return { text: `${JSON.stringify({ ...settings.head, hooks }, undefined, 2)}\n` };
  }
  const read = treeOf(text);
  if ('because' in read) return read;
  if (installed(settings, text, program) === 'yes') return { text };
  const cleared = withoutHooks(settings, text);
  if ('because' in cleared) return cleared;
  const base = cleared.text ?? JSON.stringify(settings.head);
  const laidOut = inserted(base, entries, true);
  if ('because' in laidOut) return laidOut;
  const back = withoutHooks(settings, laidOut.text);
  // Laying out what is new may lay out what is beside it too; then it is put in as it comes.
  return 'text' in back && back.text === base ? laidOut : inserted(base, entries, false);
}

function inserted(base: string, entries: readonly HookEntry[], isLaidOut: boolean): { text: string } | SettingsProblem {
  let changed = base;
  for (const { event, value } of entries) {
    const there = treeOf(changed);
    const list = 'because' in there ? undefined : findNodeAtLocation(there.tree, ['hooks', event]);
    if (list && list.type !== 'array') return { because: `has something else than a list at hooks.${event}` };
    changed = list
      ? change(changed, ['hooks', event, list.children?.length ?? 0], value, { isLaidOut, isArrayInsertion: true })
      : change(changed, ['hooks', event], [value], { isLaidOut });
  }
  return { text: changed };
}

/** The settings without our hooks, everything else as it was; `undefined`: nothing is left, so the file can go. */
export function withoutHooks(settings: AgentSettings, text: string): { text: string | undefined } | SettingsProblem {
  if (settings.content) return { text: undefined };
  if (text.startsWith(orderMark)) {
    const changed = withoutHooks(settings, text.slice(1));
    return 'text' in changed && changed.text !== undefined ? { text: `${orderMark}${changed.text}` } : changed;
  }
  const read = treeOf(text);
  if ('because' in read) return read;
  let changed = text;
  const hooks = findNodeAtLocation(read.tree, ['hooks']);
  const events = hooks?.type === 'object' ? Object.keys(getNodeValue(hooks) as object) : [];
  let isRemoved = false;
  for (const event of events) {
    const value: unknown = valueAt(changed, ['hooks', event]);
    if (!Array.isArray(value)) continue;
    const kinds = value.map(oursIn);
    if (kinds.every((kind) => kind === 'none')) continue;
    isRemoved = true;
    if (kinds.every((kind) => kind === 'all')) {
      changed = without(changed, ['hooks', event]);
      continue;
    }
    for (let at = value.length - 1; at >= 0; at--) {
      if (kinds[at] === 'all') changed = without(changed, ['hooks', event, at]);
      if (kinds[at] === 'some') changed = withoutHandlers(changed, event, at, value[at]);
    }
  }
  if (!isRemoved) return { text };
  const left = valueAt(changed, ['hooks']);
  if (isFields(left) && Object.keys(left).length === 0) changed = without(changed, ['hooks']);
  const isBare = JSON.stringify(valueAt(changed, [])) === JSON.stringify(settings.head) && !/\/[/*]/.test(changed);
  return { text: isBare ? undefined : changed };
}

function withoutHandlers(text: string, event: string, at: number, entry: unknown): string {
  const handlers = isFields(entry) && Array.isArray(entry['hooks']) ? entry['hooks'] : [];
  let changed = text;
  for (let one = handlers.length - 1; one >= 0; one--)
    if (isOurs(handlers[one])) changed = without(changed, ['hooks', event, at, 'hooks', one]);
  return changed;
}

/** What of ours is in the settings. */
export function installed(settings: AgentSettings, text: string | undefined, program: string): Installed {
  if (text === undefined) return 'no';
  if (settings.content) return text === settings.content(program) ? 'yes' : 'other';
  const plain = text.startsWith(orderMark) ? text.slice(1) : text;
  const read = treeOf(plain);
  if ('because' in read) return 'no';
  const entries = settings.entries?.(program) ?? [];
  const lists = entries
    .map(({ event }) => valueAt(plain, ['hooks', event]))
    .map((list) => (Array.isArray(list) ? list : []));
  const isThere = entries.every(({ value }, at) =>
    lists[at]?.some((one) => JSON.stringify(one) === JSON.stringify(value)),
  );
  if (isThere) return 'yes';
  return lists.some((list) => list.some((entry) => oursIn(entry) !== 'none')) ? 'other' : 'no';
}

function treeOf(text: string): { tree: Node } | SettingsProblem {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  if (!tree || errors.length > 0) return { because: 'is not JSON' };
  if (tree.type !== 'object') return { because: 'is no JSON object' };
  const hooks = findNodeAtLocation(tree, ['hooks']);
  if (hooks && hooks.type !== 'object') return { because: 'has something else than an object at hooks' };
  // Agents read the last one, and an editor of settings finds the first.
  const twice = nameGivenTwice(tree, ['hooks']) ?? nameGivenTwice(hooks);
  return twice === undefined ? { tree } : { because: `has ${twice} twice` };
}

/** A name that an object has more than once; `among`: only these count. */
function nameGivenTwice(object: Node | undefined, among?: readonly string[]): string | undefined {
  const names = (object?.children ?? []).map((property): unknown => property.children?.[0]?.value);
  const found = names.find((name, at) => names.indexOf(name) !== at && (among?.includes(String(name)) ?? true));
  return found === undefined ? undefined : String(found);
}

function valueAt(text: string, at: (string | number)[]): unknown {
  const read = treeOf(text);
  const node = 'because' in read ? undefined : findNodeAtLocation(read.tree, at);
  return node && (getNodeValue(node) as unknown);
}

const commaBehind = /^((?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*),/;

/** A text without one property or element, and the comma that parted it from its neighbour. */
function without(text: string, at: (string | number)[]): string {
  const read = treeOf(text);
  const node = 'because' in read ? undefined : findNodeAtLocation(read.tree, at);
  const child = node?.parent?.type === 'property' ? node.parent : node;
  const children = child?.parent?.children ?? [];
  const index = child ? children.indexOf(child) : -1;
  if (!child || index < 0) return text;
  const [before, behind] = [children[index - 1], children[index + 1]];
  const start = before ? before.offset + before.length : child.offset;
  const end = before || !behind ? child.offset + child.length : behind.offset;
  // A comma behind the last one needs something before it.
  const isOnly = !before && !behind;
  return text.slice(0, start) + (isOnly ? text.slice(end).replace(commaBehind, '$1') : text.slice(end));
}

interface ChangeOptions {
  /** With line feeds and indents, as the text has them. */
  isLaidOut?: boolean;
  isArrayInsertion?: boolean;
}

function change(
  text: string,
  at: (string | number)[],
  value: unknown,
  { isLaidOut = false, isArrayInsertion = false }: ChangeOptions = {},
): string {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const options: ModificationOptions = { isArrayInsertion, ...(isLaidOut ? { formattingOptions } : {}) };
  return applyEdits(text, modify(text, at, value, options));
}
