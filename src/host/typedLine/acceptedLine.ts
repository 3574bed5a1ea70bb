import { openShellMemory } from './shellMemory.ts';

/** A longer line is not typed by anybody. */
const longestBytes = 64 * 1024;
/** readline.h: `RL_STATE_TERMPREPPED`, while a line is edited. */
const prepared = 0x4;

/**
 * The line that a bash has taken last, read from its memory. `told`: its first command, as the shell calls it. `undefined`: it cannot be
 * read, or what is there is not certainly that line.
 */
export async function acceptedLine(processId: number, told: string): Promise<string | undefined> {
  const memory = await openShellMemory(processId);
  if (!memory) return undefined;
  try {
    if (!memory.has('rl_line_buffer', 'rl_readline_state', 'rl_line_buffer_len')) return undefined;
    const read = async () => {
      const length = Math.min(await memory.integer('rl_line_buffer_len'), longestBytes);
      const bytes = await memory.bytes(await memory.word('rl_line_buffer'), length);
      return { bytes, isEditing: ((await memory.word('rl_readline_state')) & prepared) !== 0 };
    };
    // A key may be pressed between two reads: only what is read twice is true.
    const [once, again] = [await read(), await read()];
    if (once.isEditing !== again.isEditing || !once.bytes.equals(again.bytes)) return undefined;
    return lineOf(again.bytes, told, again.isEditing);
  } catch {
    return undefined;
  } finally {
    await memory.close();
  }
}

/**
 * The line in a buffer of readline, if it begins with `told`. Where the next line is edited already and nothing is typed, the buffer has a
 * NUL in place of its first byte, and the rest of the line before.
 */
export function lineOf(buffer: Buffer, told: string, isEditing: boolean): string | undefined {
  const isEmptied = buffer[0] === 0;
  // Somebody has begun to type.
  if (isEditing !== isEmptied) return undefined;
  const start = isEmptied ? 1 : 0;
  const end = buffer.indexOf(0, start);
  if (end < 0) return undefined;
  const rest = buffer.toString('utf8', start, end);
  const line = isEmptied ? `${told.slice(0, 1)}${rest}` : rest;
  // Bash puts its own blanks around what it redirects.
  return bare(told) !== '' && bare(line).startsWith(bare(told)) ? line : undefined;
}

const bare = (text: string) => text.replaceAll(/\s/g, '');
