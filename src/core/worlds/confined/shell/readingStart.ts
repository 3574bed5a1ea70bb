import type { ShellName } from '../../../action/action.ts';
import type { Channel } from '../../../prediction/channel.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';

/** How often it is told that start files are still read, in milliseconds; what is read in less is not worth a word. */
const pauseMs = 300;

/** Waits for what a shell begins with, and says so meanwhile. `undefined` as soon as nobody wants it any more. */
export async function readingStart<T>(
  work: Promise<T>,
  shell: ShellName,
  { channel, signal }: { channel: Channel<FactEvent>; signal: AbortSignal },
): Promise<T | undefined> {
  const startedAtMs = Date.now();
  const timer = setInterval(() => {
    const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
    channel.push({ type: 'progress', text: `reading the start files of ${shell} for ${seconds} s, once` });
  }, pauseMs);
  let leave: (() => void) | undefined;
  const left = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([work, left]);
  } finally {
    clearInterval(timer);
    if (leave) signal.removeEventListener('abort', leave);
  }
}
