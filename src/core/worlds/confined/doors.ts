import type { EffectFact } from '../../facts/effect.ts';
import type { LauncherEffect } from './wire/launcher.ts';

/** What a call on something that is the machine's own means to the reader, and why nothing certain can be said after it. */
export interface Door {
  effect?: EffectFact;
  reason: string;
}

/** Reads an effect of kind 19; the numbers are those of the launcher's protocol. */
export function describeDoor({ detail: path, number }: LauncherEffect): Door {
  switch (number) {
    case 1:
      return {
        effect: { kind: 'writesDevice', path },
        reason: `It writes to the device ${path}; in a rehearsal nothing of it arrives there.`,
      };
    case 2:
      return {
        effect: { kind: 'changesDeviceNode', path },
        reason: `It changes ${path}, the node of a device; a rehearsal leaves it as it is.`,
      };
    case 3:
      return {
        effect: { kind: 'writesKernel', path },
        reason: `It writes to ${path}, which belongs to the kernel; in a rehearsal nothing of it arrives there.`,
      };
    case 4:
      return { reason: `It writes to ${path}; in a rehearsal nothing of it arrives there.` };
    case 5:
      return { reason: `It reads ${path}, which a rehearsal does not touch; what it would read is unknown.` };
    case 6:
      return { reason: `It opens ${path}, whose other end is a real program; a rehearsal does not disturb that.` };
    case 7:
      return { reason: `Another program holds a lease on ${path} and would be asked to give it up.` };
    case 8:
      return { reason: `It locks ${path}; a rehearsal does not take the lock, so whether it is free is unknown.` };
    default:
      return { reason: `Another program holds a lock on ${path}; whether it would have to wait is unknown.` };
  }
}
