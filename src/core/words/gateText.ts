import type { GateReason } from '../facts/gate.ts';

/** Why the gate stopped a program, as a clause. */
export function gateText(reason: GateReason): string {
  switch (reason.kind) {
    case 'notInert':
      return 'it is not known to be inert: it could do anything';
    case 'openLibrary':
      return `it would load ${reason.path}, a library that can be changed without being root`;
    case 'otherUser':
      return 'it runs with the rights of another user';
    case 'readsMachine':
      return 'it reads the process or mount table';
    case 'changedMeanwhile':
      return 'it changed while it was being started';
    case 'unreadable':
      return 'its file cannot be read';
  }
}
