import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import type { Looker } from '../../view/view.ts';

interface PackedFormat {
  format: string;
  /** Of the path and the first bytes, as Latin-1. */
  is: (path: string, head: string) => boolean;
  /** Words of the command that prints what a file was packed of; absent: no usual program does. */
  command?: string;
  /** Unpacks it here, without that program. */
  here?: (bytes: Buffer, limits: ZlibOptions) => Promise<Buffer>;
}

const beginsWith = (magic: RegExp) => (_: string, head: string) => magic.test(head);

/** How one file is packed by itself; archives are told by `archiveKind`. */
const packedFormats: readonly PackedFormat[] = [
  { format: 'gzip', is: beginsWith(/^\x1f\x8b/), command: 'gzip -dc', here: promisify(gunzip) },
  { format: 'brotli', is: (path) => path.endsWith('.br'), command: 'brotli -dc', here: promisify(brotliDecompress) },
  { format: 'zlib', is: beginsWith(/^\x78[\x01\x5e\x9c\xda]/), here: promisify(inflate) },
  { format: 'xz', is: beginsWith(/^\xfd7zXZ\0/), command: 'xz -dc' },
  { format: 'bzip2', is: beginsWith(/^BZh[1-9]/), command: 'bzip2 -dc' },
  { format: 'zstd', is: beginsWith(/^\x28\xb5\x2f\xfd/), command: 'zstd -dcq' },
  { format: 'lz4', is: beginsWith(/^\x04\x22\x4d\x18/), command: 'lz4 -dcq' },
  { format: 'lzip', is: beginsWith(/^LZIP/), command: 'lzip -dc' },
  { format: 'lzma', is: beginsWith(/^\x5d\0\0/), command: 'xz -dc' },
];

/** A file that may be packed. */
export interface Packed {
  path: string;
  bytes: Buffer;
  /** More is not unpacked. */
  leftBytes: number;
}

/** A usual program unpacks files that begin so. */
export function isPacked(path: string, head: Buffer): boolean {
  return formatOf(path, head)?.command !== undefined;
}

/** The command that prints what a file of this format was packed of, without the file; `undefined` where no usual program does. */
export function unpackingCommand(format: string): string | undefined {
  return packedFormats.find((one) => one.format === format)?.command;
}

/** What it was packed of, without archives; `undefined` where it is not packed, or cannot be unpacked here. */
export async function unpack(
  { path, bytes, leftBytes }: Packed,
  { inView, signal }: { inView?: Looker | undefined; signal: AbortSignal },
): Promise<{ bytes: Buffer; format: string } | undefined> {
  const { format, command, here } = formatOf(path, bytes) ?? {};
  if (format === undefined) return undefined;
  if (here) {
    try {
      return { bytes: await here(bytes, { maxOutputLength: leftBytes }), format };
    } catch {
      // It only looked like this format, is damaged, or unpacks to more than may be unpacked: it holds nothing.
      return undefined;
    }
  }
  if (command === undefined || !inView) return undefined;
  const argv = [...command.split(' '), '--', path];
  const result = await inView.look(argv, { cwd: '/', signal, limitMs: 30_000 });
  if (result.exitCode !== 0) return undefined;
  return { bytes: Buffer.from(result.stdout.buffer, result.stdout.byteOffset, result.stdout.byteLength), format };
}

function formatOf(path: string, bytes: Buffer): PackedFormat | undefined {
  const head = bytes.toString('latin1', 0, 8);
  return packedFormats.find(({ is }) => is(path, head));
}
