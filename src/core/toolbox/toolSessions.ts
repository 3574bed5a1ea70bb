import { randomBytes } from 'node:crypto';
import type { Foretell, Session } from '../foretell.ts';

/** A session that an agent goes on with by its handle. */
export interface ToolSession {
  handle: string;
  session: Session;
  /** Where its last command ended; absent before the first. */
  cwd: string | undefined;
  /** How many actions were predicted in it. */
  steps: number;
}

/** The sessions of one agent. Each holds a copy, so there are few. */
export interface ToolSessions {
  open(): ToolSession;
  find(handle: string): ToolSession | undefined;
  /** Does work in a session when everything asked before is done. */
  inTurn<T>(session: ToolSession, work: () => Promise<T>): Promise<T>;
  /** Frees it; false where there is none of that handle. */
  close(handle: string): Promise<boolean>;
  closeAll(): Promise<void>;
}

/** At most so many are open; the one that was not used for the longest time is closed for a new one. */
export const mostSessions = 8;

/** The sessions that `foretell` makes: each command gets a new shell, as from an agent's shell tool. */
export function createToolSessions(foretell: Foretell): ToolSessions {
  /** In the order of their last use. */
  const open = new Map<string, ToolSession>();
  const turns = new WeakMap<ToolSession, Promise<unknown>>();

  async function close(handle: string): Promise<boolean> {
    const session = open.get(handle);
    if (!session) return false;
    open.delete(handle);
    // What is under way in it may end; whoever waits for a turn finds it closed.
    await turns.get(session);
    await session.session.close();
    return true;
  }

  return {
    close,
    open() {
      const [eldest] = open.size >= mostSessions ? open.keys() : [];
      if (eldest !== undefined) void close(eldest);
      // A handle of another process must not be one of ours by chance.
      const handle = `session-${randomBytes(4).toString('hex')}`;
      const session: ToolSession = {
        handle,
        session: foretell.openSession({ newShells: true }),
        cwd: undefined,
        steps: 0,
      };
      open.set(handle, session);
      return session;
    },
    find(handle) {
      const session = open.get(handle);
      if (session) {
        open.delete(handle);
        open.set(handle, session);
      }
      return session;
    },
    inTurn(session, work) {
      const before = turns.get(session) ?? Promise.resolve();
      const done = before.then(work);
      const settled = done.then(
        () => undefined,
        () => undefined,
      );
      turns.set(session, settled);
      return done;
    },
    async closeAll() {
      await Promise.all([...open.keys()].map(close));
    },
  };
}
