import { type FSWatcher, watch } from 'node:fs';
import { callLogFolder } from './callLine.ts';
import type { CallReader } from './readCalls.ts';

/** A burst of lines is told of once. In milliseconds. */
const burstMs = 60;
/** Where nothing tells of changes it is looked for them so often. In milliseconds. */
const lookMs = 2_000;

/**
 * Reads on whenever something is kept in `folder` (see `hookFolder`), until `signal` is aborted; `changed` is given the sessions
 * of which something is new. Nothing rejects.
 */
export function followCalls(
  folder: string,
  reader: CallReader,
  changed: (sessions: ReadonlySet<string>) => void,
  signal: AbortSignal,
): void {
  const place = callLogFolder(folder);
  let watcher: FSWatcher | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  let isAsked = false;

  async function read(): Promise<void> {
    if (isReading) {
      isAsked = true;
      return;
    }
    isReading = true;
    do {
      isAsked = false;
      const found = await reader.read().catch(() => new Set<string>());
      if (found.size > 0 && !signal.aborted) changed(found);
    } while (isAsked && !signal.aborted);
    isReading = false;
  }

  function unwatch(): void {
    watcher?.close();
    watcher = undefined;
  }

  /** There may be no folder yet, or no watch left on this machine: then looking now and then has to do. */
  function follow(): void {
    if (watcher) return;
    try {
      watcher = watch(place, () => {
        timer ??= setTimeout(() => {
          timer = undefined;
          void read();
        }, burstMs);
      });
      watcher.on('error', unwatch);
    } catch {
      unwatch();
    }
  }

  const look = setInterval(() => {
    follow();
    void read();
  }, lookMs);
  signal.addEventListener('abort', () => {
    clearInterval(look);
    clearTimeout(timer);
    unwatch();
  });
  follow();
  void read();
}
