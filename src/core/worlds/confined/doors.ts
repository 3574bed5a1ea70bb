import type { DoorCall } from '../../facts/doubt.ts';
import type { EffectFact } from '../../facts/effect.ts';
import type { LauncherEffect } from './wire/launcher.ts';

/** What a call on something that is the machine's own is, and the mark that it would leave. */
export interface Door {
  effect?: EffectFact;
  call: DoorCall;
}

/** Reads an effect of kind 19; the numbers are those of the launcher's protocol. */
export function readDoor({ detail: path, number }: LauncherEffect): Door {
  switch (number) {
    case 1:
      return { effect: { kind: 'writesDevice', path }, call: 'writesDevice' };
    case 2:
      return { effect: { kind: 'changesDeviceNode', path }, call: 'changesNode' };
    case 3:
      return { effect: { kind: 'writesKernel', path }, call: 'writesKernel' };
    case 4:
      return { call: 'writesProcess' };
    case 5:
      return { call: 'readsUnknown' };
    case 6:
      return { call: 'opensPipe' };
    case 7:
      return { call: 'breaksLease' };
    case 8:
      return { call: 'locks' };
    default:
      return { call: 'waitsForLock' };
  }
}
