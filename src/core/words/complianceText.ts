import type { Compliance } from '../facts/compliance.ts';

/** Whether a reply complies with a condition, in few words behind its title. */
export function complianceText(how: Compliance['how']): string {
  switch (how) {
    case 'complies':
      return 'shown';
    case 'departs':
      return 'missing in the reply';
    case 'notMet':
      return 'not met by this action';
  }
}
