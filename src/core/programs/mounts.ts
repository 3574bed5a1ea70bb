import { posix } from 'node:path';
import type { Mount, Started, StaticField, StaticProgram } from '../shell/evaluated.ts';
import { escapePattern } from '../shell/glob.ts';
import { programName } from './programName.ts';
import { programNamed } from './programOf.ts';
import { readArguments } from './programPattern.ts';

/**
 * What options of a container show it: `-v /home/me/app:/app`, `-v ./src:/src:ro`,
 * `--mount type=bind,source=/home/me/app,target=/app`. A name without a slash is a volume of the engine's own, and a variable
 * may be anything; what has no name is made for it.
 */
export function mountsOf(values: readonly string[]): Mount[] {
  return values.flatMap((value) => {
    const mount = value.includes('=') ? longForm(value) : shortForm(value);
    return mount ? [{ ...mount, to: posix.normalize(mount.to) }] : [];
  });
}

function shortForm(value: string): Mount | undefined {
  const [from = '', to = '', flags = ''] = value.split(':');
  if (!to.startsWith('/')) return undefined;
  const isReadOnly = flags.split(',').includes('ro');
  return { ...(/^[./]/.test(from) ? { from } : {}), to, ...(isReadOnly ? { isReadOnly } : {}) };
}

function longForm(value: string): Mount | undefined {
  const parts = new Map(value.split(',').map((part) => (part.includes('=') ? split(part) : [part, 'true'])));
  const first = (...names: string[]) => names.map((name) => parts.get(name)).find((one) => one !== undefined);
  const from = first('source', 'src');
  const to = first('target', 'destination', 'dst');
  const isReadOnly = ['true', '1'].includes(first('readonly', 'ro') ?? '');
  if (!to?.startsWith('/') || parts.get('type') === 'tmpfs' || !from) return undefined;
  return { ...(parts.get('type') === 'bind' ? { from } : {}), to, ...(isReadOnly ? { isReadOnly } : {}) };
}

function split(part: string): [string, string] {
  const at = part.indexOf('=');
  return [part.slice(0, at), part.slice(at + 1)];
}

/** A call inside a container, as the words of the script tell it. */
type Inside = Pick<StaticProgram, 'argv' | 'fields' | 'cwd' | 'isLost'>;

/**
 * A call inside a container, with the names that its files have on this machine; `undefined` where one of its paths, or the
 * folder that it runs in, may be the container's own. `isLost`: that folder is not known.
 */
export function throughMounts<Call extends Inside>(call: Call, mounts: readonly Mount[]): Call | undefined {
  const folder = folderOption(call.argv);
  const inner = folder ?? (call.isLost ? undefined : call.cwd);
  const here = inner === undefined ? undefined : outside(inner, mounts);
  const paths = pathsOf(call.argv);
  const words = call.argv.slice(1);
  if (!words.some((word, at) => paths.has(at) && !word.startsWith('-'))) return undefined;
  const isKnown = words.every((word, at) => !paths.has(at) || word.startsWith('/') || here !== undefined);
  const fields = call.fields.slice(1).map((field) => fieldOutside(field, mounts));
  if (!isKnown || fields.includes(undefined)) return undefined;
  const mapped = [...call.fields.slice(0, 1), ...fields.flatMap((field) => field ?? [])];
  const { isLost: _, ...rest } = call;
  const argv = mapped.map(({ text }) => text);
  return { ...(rest as Call), argv, fields: mapped, cwd: here ?? '/' };
}

/**
 * Whether nothing lasts of what a call inside a container does to the files that its words name: they are those of a place that
 * was made for it (`isFresh`), or may only be read there.
 */
export function leavesNothing(call: Inside, { mounts = [], isFresh }: Pick<Started, 'mounts' | 'isFresh'>): boolean {
  if (isFresh && mounts.length === 0) return true;
  const effect = programNamed(programName(call.argv[0] ?? ''))?.does?.effect;
  if (effect !== 'files' && effect !== 'permission') return false;
  const paths = pathsOf(call.argv);
  // Values of options may be paths as well: `mv x -t /y`.
  const named = call.fields.slice(1).filter(({ text }, at) => paths.has(at) || /^\/|=\//.test(text));
  return named.length > 0 && named.every((field) => staysThere(field, call, mounts, isFresh === true));
}

/** Whether what a call in a container writes to a path there stays there, or is refused. */
export function staysThere(
  { text, isOpen, pattern }: StaticField,
  { cwd, isLost }: Pick<Inside, 'cwd' | 'isLost'>,
  mounts: readonly Mount[],
  isFresh: boolean,
): boolean {
  if (isFresh && mounts.length === 0) return true;
  if ((isOpen && pattern === undefined) || (isLost && !text.startsWith('/')) || /[$`]/.test(text)) return false;
  const path = posix.resolve(cwd, text);
  // Of a pattern that is known which stands before it.
  const stem = pattern === undefined ? path : path.replace(/\/?[^/]*[*?[].*$/, '') || '/';
  const within = mountOf(stem, mounts);
  const below = mounts.filter(({ to }) => to !== within?.to && (stem === '/' || to.startsWith(`${stem}/`)));
  if (!below.every(({ isReadOnly }) => isReadOnly)) return false;
  return within ? within.isReadOnly === true : isFresh;
}

/** Where a path of a container lies on this machine; `undefined` where that is the container's own, or may only be read. */
export function writtenOutside(path: string, mounts: readonly Mount[]): string | undefined {
  return mountOf(posix.normalize(path), mounts)?.isReadOnly ? undefined : outside(path, mounts);
}

/** The absolute folder in which an option says to work: `git -C /w`, `tar -C /w`. */
function folderOption([name = '', ...words]: readonly string[]): string | undefined {
  const options = programNamed(programName(name))?.worksIn?.options.split(' ') ?? [];
  const at = words.findLastIndex((word) => options.includes(word));
  const value = at < 0 ? undefined : words[at + 1];
  return value?.startsWith('/') ? value : undefined;
}

/** Which of the words behind the name may be paths: not the values of its options, nor what says how. */
function pathsOf(argv: readonly string[]): ReadonlySet<number> {
  const [name = '', ...words] = argv;
  const { valued = '', oneDash = false, oldOptions = false, how } = programNamed(programName(name))?.does ?? {};
  const operands = [...readArguments(words, new Set(valued.split(' ')), oneDash).words];
  // `tar xf a.tar`
  if (oldOptions && /^[A-Za-z]+$/.test(operands[0] ?? '')) operands.shift();
  if (how && (how.is?.test(operands[0] ?? '') ?? true)) operands.shift();
  const paths = new Set<number>();
  for (const [at, word] of words.entries()) {
    if (operands[0] !== word) continue;
    operands.shift();
    // Operators of `find`.
    if (!oneDash || !/^[()!,;+]$/.test(word)) paths.add(at);
  }
  return paths;
}

function fieldOutside(field: StaticField, mounts: readonly Mount[]): StaticField | undefined {
  if (!field.text.startsWith('/')) return field;
  const mount = mountOf(posix.normalize(field.text), mounts);
  const text = outside(field.text, mounts);
  if (!mount || text === undefined) return undefined;
  if (field.pattern === undefined) return { ...field, text };
  // A pattern that begins before the mounted folder ends may mean others.
  if (mount.from === undefined || mount.to === '/' || !field.pattern.startsWith(`${mount.to}/`)) return undefined;
  return { ...field, text, pattern: escapePattern(mount.from) + field.pattern.slice(mount.to.length) };
}

function outside(path: string, mounts: readonly Mount[]): string | undefined {
  const inner = posix.normalize(path);
  const mount = mountOf(inner, mounts);
  return mount?.from && posix.join(mount.from, inner.slice(mount.to === '/' ? 0 : mount.to.length));
}

/** The innermost mount is the one that is seen. */
function mountOf(inner: string, mounts: readonly Mount[]): Mount | undefined {
  const fitting = mounts.filter(({ to }) => to === '/' || inner === to || inner.startsWith(`${to}/`));
  return fitting.sort((a, b) => b.to.length - a.to.length)[0];
}
