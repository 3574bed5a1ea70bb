import fs from 'node:fs';
import * as vscode from 'vscode';
import type { CallOutcome } from '../../core/facts/callOutcome.ts';
import type { AgentCall } from '../../core/hooks/calls/agentCall.ts';
import type { CallDetails } from '../../core/hooks/calls/callDetails.ts';
import type { CallReader, CallSession } from '../../core/hooks/calls/readCalls.ts';
import { localFolders } from '../predict/selection.ts';
import { type AgentsCore, loadAgentsCore } from './agentsCore.ts';

/** A call as it stands in its session. */
export interface FoundCall {
  session: CallSession;
  call: AgentCall;
  /** From 0. */
  index: number;
  outcome: CallOutcome;
}

/** Calls of agents in the folders of this window. */
export interface AgentsSource extends vscode.Disposable {
  /** The one with the latest call first. */
  sessions(): Promise<readonly CallSession[]>;
  /** Among the sessions that were last told. */
  find(key: string): FoundCall | undefined;
  /** Reads what is new at once. */
  look(): Promise<void>;
  details(key: string): CallDetails | undefined;
  title(session: CallSession): string;
  /** Everything that is kept of a call, as a text. */
  text(found: FoundCall): string;
  core(): Promise<AgentsCore>;
  /** Whether it looks for what is new. */
  follow(isFollowed: boolean): void;
  forget(): Promise<number>;
  /** Told the ids of the sessions of which something is new. */
  onDidChange: vscode.Event<ReadonlySet<string>>;
}

/** What agents ask is kept by their hooks; here it is only read. */
export function createAgentsSource(): AgentsSource {
  const changed = new vscode.EventEmitter<ReadonlySet<string>>();
  let core: AgentsCore | undefined;
  let reader: CallReader | undefined;
  let reading: Promise<unknown> | undefined;
  let following: AbortController | undefined;
  let isFollowed = false;
  /** By the key of the call, as the sessions were last told. */
  let places = new Map<string, { session: CallSession; index: number }>();

  async function load(): Promise<AgentsCore> {
    core ??= await loadAgentsCore();
    return core;
  }

  async function readerNow(): Promise<CallReader> {
    const loaded = await load();
    if (!reader) {
      const folders = localFolders().flatMap((folder) => [folder, ...realPath(folder)]);
      reader = loaded.createCallReader(folderOf(loaded), (cwd) => loaded.isMadeIn(cwd, folders));
      reading = reader.read().catch(() => undefined);
    }
    await reading;
    return reader;
  }

  async function restart(): Promise<void> {
    following?.abort();
    following = undefined;
    if (!isFollowed) return;
    const abort = new AbortController();
    following = abort;
    const [loaded, found] = [await load(), await readerNow()];
    if (!abort.signal.aborted) loaded.followCalls(folderOf(loaded), found, (ids) => changed.fire(ids), abort.signal);
  }

  const outcome = (session: CallSession, index: number): CallOutcome => {
    const call = session.calls[index];
    if (!call || !core) return { kind: 'unpredicted' };
    return core.outcomeOf(call, Date.now(), core.isAwaited(session.calls, index));
  };
  const details = (key: string) => core?.readCallDetails(folderOf(core), key);
  const folders = vscode.workspace.onDidChangeWorkspaceFolders(() => {
    reader = undefined;
    void restart();
    changed.fire(new Set());
  });
  return {
    async sessions() {
      const sessions = (await readerNow()).sessions();
      places = new Map(
        sessions.flatMap((session) =>
          session.calls.map(({ asked }, index) => [asked.key, { session, index }] as const),
        ),
      );
      return sessions;
    },
    find(key) {
      const place = places.get(key);
      const call = place?.session.calls[place.index];
      return place && call ? { ...place, call, outcome: outcome(place.session, place.index) } : undefined;
    },
    details,
    async look() {
      const ids = await (await readerNow()).read().catch(() => new Set<string>());
      await this.sessions();
      if (ids.size > 0) changed.fire(ids);
    },
    title: ({ agent }) => core?.agentSettings[agent].title ?? agent,
    text({ call, session, index }) {
      if (!core) return '';
      const awaited = core.isAwaited(session.calls, index);
      return core.callText(call, { now: Date.now(), awaited, details: details(call.asked.key) });
    },
    core: load,
    follow(wanted) {
      if (wanted === isFollowed) return;
      isFollowed = wanted;
      void restart();
    },
    async forget() {
      const loaded = await load();
      const count = loaded.forgetCalls(folderOf(loaded));
      await reader?.read().catch(() => undefined);
      changed.fire(new Set());
      return count;
    },
    onDidChange: changed.event,
    dispose() {
      following?.abort();
      folders.dispose();
      changed.dispose();
    },
  };
}

function folderOf({ hookFolder }: AgentsCore): string {
  return hookFolder(process.env);
}

/** Agents name folders as the system does, with links followed. */
function realPath(folder: string): string[] {
  try {
    return [fs.realpathSync(folder)];
  } catch {
    return [];
  }
}
