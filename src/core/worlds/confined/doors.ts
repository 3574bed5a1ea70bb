import type { DoorCall } from '../../facts/doubt.ts';
import type { EffectFact } from '../../facts/effect.ts';

/** The mark that a call on something that is the machine's own would leave; `undefined`: none that is known. */
export function markOfDoor(call: DoorCall, path: string): EffectFact | undefined {
  switch (call) {
    case 'writesDevice':
      return { kind: 'writesDevice', path };
    case 'changesNode':
      return { kind: 'changesDeviceNode', path };
    case 'writesKernel':
      return { kind: 'writesKernel', path };
    default:
      return undefined;
  }
}
