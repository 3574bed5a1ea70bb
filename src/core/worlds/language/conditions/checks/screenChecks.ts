import type { screenConditions } from '../screenConditions.ts';
import type { Check, ConditionedReply } from './check.ts';

const quotes: Readonly<Record<string, string>> = { '’': "'", '‘': "'", '“': '"', '”': '"', '…': '...' };

/** What stands on a screen, whichever quotation marks it is written with. */
function screenText({ observation }: Pick<ConditionedReply, 'observation'>): string {
  return observation.replace(/[’‘“”…]/g, (mark) => quotes[mark] ?? mark).toLowerCase();
}

/** Every one of these labels stands on the screen, whatever the action is. */
function labelled(...labels: string[]): Check {
  return {
    shows(reply) {
      const text = screenText(reply);
      return labels.every((label) => text.includes(label));
    },
    meets: () => true,
  };
}

/** How each condition of browsers, phones and desktops is found on a screen. */
export const screenChecks: Readonly<Record<(typeof screenConditions)[number]['id'], Check>> = {
  offline: {
    shows(reply) {
      const text = screenText(reply);
      return (
        text.includes('err_internet_disconnected') ||
        (text.includes('no internet connection') && text.includes('retry'))
      );
    },
    meets: () => true,
  },
  loading: labelled('loading...'),
  'session-expired': labelled('session has expired', 'password', 'sign in'),
  'consent-banner': labelled('cookie', 'accept all', 'reject all'),
  'form-refused': {
    shows: labelled('this entry is not valid').shows,
    // Whether another action has to do with a form, its words do not tell.
    meets: ({ action }) => /\b(?:type|fill|select|input|submit)\b/i.test(JSON.stringify(action)),
  },
  'permission-question': labelled('while using the app', 'only this time', "don't allow"),
  'not-responding': labelled("isn't responding", 'close', 'wait'),
  'battery-low': labelled('battery low', '5%', 'battery saver', 'dismiss'),
  'storage-full': labelled('not enough space', 'free up space'),
  landscape: { shows: ({ observation }) => /\[0, ?0\] ?\[2400, ?1080\]/.test(observation), meets: () => true },
  'unsaved-question': labelled('save', "don't save", 'cancel'),
  'password-question': labelled('authentication required', 'password', 'cancel', 'authenticate'),
  'read-only': labelled('[read-only]'),
};
