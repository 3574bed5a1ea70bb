import { createHash } from 'node:crypto';
import path from 'node:path';
import { isFields, textIn } from './hookCall.ts';
import { keptFiles } from './hookFolder.ts';

/** How long a denied effect may still be released, and how long a release counts. In milliseconds. */
const offeredMs = 3_600_000;
const releasedMs = 600_000;
/** Several hooks may be told of one call, at nearly the same time. */
const sameCallMs = 5_000;

/** A denied effect that the user may let through once. */
export interface Offer {
  /** Of the effect, see `effectDigest`. */
  digest: string;
  /** The working directory for which it holds. */
  folder: string;
  /** What was denied: the command or the edit, on one line. */
  title: string;
  /** Why: the first line of the verdict. */
  verdict: string;
}

/** Denied effects, and those that the user has let through. `folder`: see `hookFolder`. */
export interface Releases {
  /** The code that releases it; `undefined` where it cannot be kept. The same effect has the same code. */
  offer(offer: Offer, now: number): string | undefined;
  /** Lets through what has this code, once. */
  release(code: string, now: number): Offer | undefined;
  /** Whether an effect was let through; that is used up by it. The same call may ask again at once: several hooks may be told of it. */
  take(digest: string, call: string | undefined, now: number): boolean;
  /** The call has been made: whoever asks now, by the same name too, means another one. Some agents name calls by what they do. */
  made(call: string | undefined): void;
}

/** The store of releases in this folder. */
export function createReleases(folder: string): Releases {
  const offers = keptFiles(path.join(folder, 'offers'));
  const released = keptFiles(path.join(folder, 'released'));
  const usedName = (call: string) => `used-${createHash('sha256').update(call).digest('hex').slice(0, 40)}`;
  const counts = (kept: unknown, lastsMs: number, now: number): boolean => {
    const at = isFields(kept) ? kept['at'] : undefined;
    return typeof at === 'number' && at <= now && now < at + lastsMs;
  };
  return {
    offer(offer, now) {
      offers.forget(offeredMs, now);
      const code = offer.digest.slice(0, 6);
      return offers.write(code, { ...offer, at: now }) ? code : undefined;
    },
    release(code, now) {
      if (!/^[0-9a-f]{6}$/.test(code)) return undefined;
      const kept = offers.read(code);
      if (!isFields(kept) || !counts(kept, offeredMs, now)) return undefined;
      const [digest, place] = [textIn(kept, 'digest'), textIn(kept, 'folder')];
      if (digest === undefined || place === undefined || !/^[0-9a-f]{64}$/.test(digest)) return undefined;
      released.forget(releasedMs, now);
      if (!released.write(digest, { at: now })) return undefined;
      offers.remove(code);
      return { digest, folder: place, title: textIn(kept, 'title') ?? '', verdict: textIn(kept, 'verdict') ?? '' };
    },
    take(digest, call, now) {
      const kept = released.read(digest);
      if (counts(kept, releasedMs, now) && released.remove(digest)) {
        if (call !== undefined) released.write(usedName(call), { at: now, digest });
        return true;
      }
      if (call === undefined) return false;
      const used = released.read(usedName(call));
      return isFields(used) && used['digest'] === digest && counts(used, sameCallMs, now);
    },
    made(call) {
      if (call !== undefined) released.remove(usedName(call));
    },
  };
}
