import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isPrivateFolder } from '../../view/statusIfKnown.ts';
import type { HookAgentName } from '../hookCall.ts';
import { type AgentCall, type CallBook, createCallBook } from './agentCall.ts';
import { CallLine, callLogFolder } from './callLine.ts';

/** One session of an agent, and its calls in the folders that were asked for. */
export interface CallSession {
  /** The same as long as the session is kept. */
  id: string;
  agent: HookAgentName;
  /** The agent's own name for it, where it has one. */
  name?: string | undefined;
  /** Oldest first; at least one. */
  calls: readonly AgentCall[];
}

/** Reads what agents' hooks keep, and each time only what is new of it. */
export interface CallReader {
  /** Reads on. Gives the sessions of which something is new, and those that are gone. */
  read(): Promise<ReadonlySet<string>>;
  /** The one with the latest call first. */
  sessions(): CallSession[];
}

/** Of more sessions only the latest are read. */
const mostLogs = 200;
/** So many lines are read at once, then others have their turn. */
const linesAtOnce = 200;

interface Log {
  session: string;
  /** Read so far, in bytes; lines are read whole. */
  offset: number;
}

/** `folder`: see `hookFolder`; `isWanted`: whether calls that are made in this folder (absolute) are. */
export function createCallReader(folder: string, isWanted: (cwd: string) => boolean): CallReader {
  const place = callLogFolder(folder);
  /** By what a file is, whatever it is called by now: a log that is put aside is read on. */
  const logs = new Map<string, Log>();
  const books = new Map<string, CallBook>();

  async function readOn(file: string, log: Log, size: number): Promise<boolean> {
    if (size <= log.offset) return false;
    let isNew = false;
    for await (const line of linesOf(file, log, size)) {
      const read = parsed(line);
      if (!read || (read.is === 'asked' && !isWanted(read.cwd))) continue;
      const book = books.get(log.session) ?? createCallBook();
      books.set(log.session, book);
      if (book.take(read)) isNew = true;
    }
    return isNew;
  }

  // One after the other: no line is taken twice.
  let last: Promise<unknown> = Promise.resolve();

  async function readAll(): Promise<ReadonlySet<string>> {
    const changed = new Set<string>();
    const found = isPrivateFolder(place) ? await logsIn(place) : [];
    const there = new Set(found.map(({ id }) => id));
    for (const [id, { session }] of logs) {
      if (there.has(id)) continue;
      logs.delete(id);
      if ([...logs.values()].some((one) => one.session === session)) continue;
      if (books.delete(session)) changed.add(session);
    }
    for (const { id, file, session, size } of found) {
      const log = logs.get(id) ?? { session, offset: 0 };
      if (size < log.offset) log.offset = 0;
      logs.set(id, log);
      if (await readOn(file, log, size).catch(() => false)) changed.add(session);
    }
    return changed;
  }

  return {
    read() {
      const next = last.then(readAll);
      last = next.catch(() => undefined);
      return next;
    },
    sessions() {
      const found = [...books].flatMap(([id, book]): CallSession[] => {
        const calls = book.calls();
        const last = calls.at(-1)?.asked;
        return last ? [{ id, agent: last.agent, name: last.session, calls }] : [];
      });
      const lastOf = ({ calls }: CallSession) => calls.at(-1)?.asked.at ?? '';
      return found.sort((one, other) => (lastOf(one) < lastOf(other) ? 1 : lastOf(one) > lastOf(other) ? -1 : 0));
    },
  };
}

/** Whether a call that is made in `cwd` belongs to one of these folders: it is one, or is below. All are absolute. */
export function isMadeIn(cwd: string, folders: readonly string[]): boolean {
  return folders.some((folder) => cwd === folder || cwd.startsWith(folder.endsWith('/') ? folder : `${folder}/`));
}

/** The logs that are there: the latest sessions, of each the part that was put aside first. */
async function logsIn(place: string): Promise<{ id: string; file: string; session: string; size: number }[]> {
  const names = (await readdir(place).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
  const found = await Promise.all(
    names.map(async (name) => {
      const file = path.join(place, name);
      const status = await lstat(file, { bigint: true }).catch(() => undefined);
      if (!status?.isFile()) return undefined;
      const session = name.replace(/(?:\.old)?\.jsonl$/, '');
      const id = `${status.dev} ${status.ino} ${status.birthtimeNs}`;
      return { id, file, session, isOld: name.endsWith('.old.jsonl'), size: Number(status.size), at: status.mtimeNs };
    }),
  );
  return found
    .filter((one) => one !== undefined)
    .sort((one, other) => (one.at < other.at ? 1 : -1))
    .slice(0, mostLogs)
    .sort((one, other) => Number(other.isOld) - Number(one.isOld));
}

/** Whole lines behind what was read, up to this size; a line that is still written is left for the next time. */
async function* linesOf(file: string, log: Log, size: number): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  let count = 0;
  for await (const chunk of createReadStream(file, { start: log.offset, end: size - 1 })) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    let from = 0;
    for (let end = rest.indexOf(10, from); end >= 0; end = rest.indexOf(10, from)) {
      const line = rest.toString('utf8', from, end);
      log.offset += end + 1 - from;
      from = end + 1;
      yield line;
      count += 1;
      if (count % linesAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    rest = rest.subarray(from);
  }
}

function parsed(line: string): CallLine | undefined {
  try {
    const read = CallLine.safeParse(JSON.parse(line));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
