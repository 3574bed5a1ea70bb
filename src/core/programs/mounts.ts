import { posix } from 'node:path';
import type { Mount } from '../shell/evaluated.ts';

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

/**
 * A call inside a container, with the names that its files have on this machine; `undefined` where one of its words, or the
 * folder that it runs in, may be the container's own. `isLost`: that folder is not known.
 */
export function throughMounts(
  { argv, cwd, isLost }: { argv: readonly string[]; cwd: string; isLost?: boolean | undefined },
  mounts: readonly Mount[],
): { argv: string[]; cwd: string } | undefined {
  const [program = '', ...words] = argv;
  const here = isLost ? undefined : outside(cwd, mounts);
  const mapped = words.map((word) => {
    if (word.startsWith('-')) return word;
    if (!word.startsWith('/')) return here === undefined ? undefined : word;
    return outside(word, mounts);
  });
  if (!words.some((word) => !word.startsWith('-')) || mapped.includes(undefined)) return undefined;
  return { argv: [program, ...mapped.flatMap((word) => word ?? [])], cwd: here ?? '/' };
}

function outside(path: string, mounts: readonly Mount[]): string | undefined {
  const inner = posix.normalize(path);
  const fitting = mounts.filter(({ to }) => to === '/' || inner === to || inner.startsWith(`${to}/`));
  // The innermost mount is the one that is seen.
  const [mount] = fitting.sort((a, b) => b.to.length - a.to.length);
  return mount && posix.join(mount.from, inner.slice(mount.to === '/' ? 0 : mount.to.length));
}
