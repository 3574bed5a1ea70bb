import { posix } from 'node:path';
import type { Mount, StaticField, StaticProgram } from '../shell/evaluated.ts';
import { escapePattern } from '../shell/glob.ts';
import { programName } from './programName.ts';
import { programNamed } from './programOf.ts';
import { readArguments } from './programPattern.ts';

/**
 * The folders of this machine that options of a container give it to write to: `-v /home/me/app:/app`, `-v ./src:/src:rw`,
 * `--mount type=bind,source=/home/me/app,target=/app`. A name without a slash is a volume of the engine's own, and what may
 * only be read cannot be lost.
 */
export function mountsOf(values: readonly string[]): Mount[] {
  return values.flatMap((value) => {
    const mount = value.includes('=') ? longForm(value) : shortForm(value);
    return mount ? [{ from: mount.from, to: posix.normalize(mount.to) }] : [];
  });
}

function shortForm(value: string): Mount | undefined {
  const [from = '', to = '', flags = ''] = value.split(':');
  if (!/^[./]/.test(from) || !to.startsWith('/') || flags.split(',').includes('ro')) return undefined;
  return { from, to };
}

function longForm(value: string): Mount | undefined {
  const parts = new Map(value.split(',').map((part) => (part.includes('=') ? split(part) : [part, 'true'])));
  const first = (...names: string[]) => names.map((name) => parts.get(name)).find((one) => one !== undefined);
  const from = first('source', 'src');
  const to = first('target', 'destination', 'dst');
  const isReadOnly = ['true', '1'].includes(first('readonly', 'ro') ?? '');
  if (parts.get('type') !== 'bind' || !from || !to?.startsWith('/') || isReadOnly) return undefined;
  return { from, to };
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
  const here = call.isLost ? undefined : outside(call.cwd, mounts);
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

/** Which of the words behind the name may be paths: not the values of its options, nor what says how. */
function pathsOf(argv: readonly string[]): ReadonlySet<number> {
  const [name = '', ...words] = argv;
  const { valued = '', oneDash = false, how } = programNamed(programName(name))?.does ?? {};
  const operands = [...readArguments(words, new Set(valued.split(' ')), oneDash).words];
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
  if (mount.to === '/' || !field.pattern.startsWith(`${mount.to}/`)) return undefined;
  return { ...field, text, pattern: escapePattern(mount.from) + field.pattern.slice(mount.to.length) };
}

function outside(path: string, mounts: readonly Mount[]): string | undefined {
  const inner = posix.normalize(path);
  const mount = mountOf(inner, mounts);
  return mount && posix.join(mount.from, inner.slice(mount.to === '/' ? 0 : mount.to.length));
}

/** The innermost mount is the one that is seen. */
function mountOf(inner: string, mounts: readonly Mount[]): Mount | undefined {
  const fitting = mounts.filter(({ to }) => to === '/' || inner === to || inner.startsWith(`${to}/`));
  return fitting.sort((a, b) => b.to.length - a.to.length)[0];
}
