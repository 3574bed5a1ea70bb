/**
 * Whether a line has a number by which an overlay names a file: it puts the number of the file system above that of the inode, in the
 * highest bits of 64 (`xino`, Documentation/filesystems/overlayfs.rst). The real file has only the lower part. Programs that show
 * inodes by trade are told the real ones; what others make of stat(2) is seen here. Without a sign or with one, and rounded where
 * it was a floating-point number.
 */
export function namesOverlayNode(line: string): boolean {
  for (const [digits] of line.matchAll(/(?<![\d.])-?\d{18,20}(?![\d.])/g)) {
    const number = BigInt.asUintN(64, BigInt(digits));
    if (number >> inodeBits !== 0n && (number & ((1n << inodeBits) - 1n)) < mostInodes) return true;
  }
  return false;
}

/** At most seven bits are of the file system: an overlay of ours has few layers. */
const inodeBits = 57n;
/** Numbers of inodes are smaller. */
const mostInodes = 1n << 40n;
