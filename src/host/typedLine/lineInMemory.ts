import type { ShellName } from '../../core/action/action.ts';
import { openShellMemory, type ShellMemory } from './shellMemory.ts';

/** What the line editor of a shell holds: the line, or why there is none to be read. */
export type EditedLine = { line: Buffer } | { problem: 'running' | 'continued' | 'searching' };

/** A longer line is not typed by anybody. */
const longestBytes = 4 * 1024 ** 2;

type Reader = (memory: ShellMemory) => Promise<EditedLine | undefined>;
const readers: Partial<Record<ShellName, Reader>> = { bash: readBash, zsh: readZsh };

/**
 * Reads the line from the memory of the shell that runs, whatever its keys mean by now: nothing is typed, and nothing
 * changes. `undefined`: that is not possible here.
 */
export async function lineInMemory(processId: number, shell: ShellName): Promise<EditedLine | undefined> {
  const read = readers[shell];
  const memory = read && (await openShellMemory(processId));
  if (!read || !memory) return undefined;
  try {
    let before: EditedLine | undefined;
    // A key may be pressed between two reads of it: only what is read twice is true.
    for (let tries = 0; tries < 20; tries += 1) {
      const now = await read(memory).catch(() => undefined);
      if (now && before && isSame(now, before)) return now;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return undefined;
  } finally {
    await memory.close();
  }
}

function isSame(one: EditedLine, other: EditedLine): boolean {
  if ('line' in one && 'line' in other) return one.line.equals(other.line);
  return 'problem' in one && 'problem' in other && one.problem === other.problem;
}

/** readline.h: `RL_STATE_TERMPREPPED` and `RL_STATE_READCMD`, `RL_STATE_ISEARCH` and `RL_STATE_NSEARCH`. */
const readlineStates = { prepared: 0x4, readsKey: 0x8, searches: 0x180 };

async function readBash(memory: ShellMemory): Promise<EditedLine | undefined> {
  const needed = ['rl_line_buffer', 'rl_end', 'rl_readline_state', 'executing_builtin', 'current_prompt_string'];
  if (!memory.has(...needed, 'ps1_prompt')) return undefined;
  const state = await memory.word('rl_readline_state');
  const isEditing = (state & readlineStates.prepared) !== 0;
  // `read -e` edits a line as well, but none that is run.
  if (!isEditing || (await memory.integer('executing_builtin')) !== 0) return { problem: 'running' };
  if ((state & readlineStates.readsKey) === 0) {
    return (state & readlineStates.searches) !== 0 ? { problem: 'searching' } : undefined;
  }
  const isFirstLine = (await memory.word('current_prompt_string')) === (await memory.word('ps1_prompt'));
  if (!isFirstLine) return { problem: 'continued' };
  const [address, length] = [await memory.word('rl_line_buffer'), await memory.integer('rl_end')];
  if (length < 0 || length > longestBytes) return undefined;
  return { line: length === 0 ? Buffer.alloc(0) : await memory.bytes(address, length) };
}

/** zsh.h: `ZLCON_LINE_START`, `ZLCON_LINE_CONT`. */
const zleContexts = { start: 0, continued: 1 };

async function readZsh(memory: ShellMemory): Promise<EditedLine | undefined> {
  if (!memory.has('zleactive', 'zleline', 'zlell', 'zlemetaline', 'zlecontext', 'isearch_active')) return undefined;
  if ((await memory.integer('zleactive')) === 0) return { problem: 'running' };
  const context = await memory.integer('zlecontext');
  if (context === zleContexts.continued) return { problem: 'continued' };
  // `vared` and `select` edit a line as well, but none that is run.
  if (context !== zleContexts.start) return { problem: 'running' };
  if ((await memory.integer('isearch_active')) !== 0) return { problem: 'searching' };
  // While it completes, the line is elsewhere for a moment.
  if ((await memory.word('zlemetaline')) !== 0) return undefined;
  const [address, length] = [await memory.word('zleline'), await memory.integer('zlell')];
  if (length < 0 || length > longestBytes / 4) return undefined;
  if (length === 0) return { line: Buffer.alloc(0) };
  // An array of `wchar_t`: four bytes for each character.
  const wide = await memory.bytes(address, length * 4);
  let text = '';
  for (let at = 0; at < wide.length; at += 4) {
    const point = wide.readUInt32LE(at);
    // What was no character of UTF-8 stands there as a number that is none either.
    text += point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? '\ufffd' : String.fromCodePoint(point);
  }
  return { line: Buffer.from(text) };
}
