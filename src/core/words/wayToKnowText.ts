import type { WayToKnow } from '../facts/assumption.ts';

/** What would make something known, for who uses the command line: as a clause with what to type. */
export function wayToKnowText(way: WayToKnow): string {
  switch (way) {
    case 'rehearse':
      return 'rehearse it (foretell consent give, or once --open-gate)';
    case 'askLocalhost':
      return 'ask the server as a look (foretell consent give --look localhost)';
    case 'askGithub':
      return 'ask GitHub as a look (foretell consent give --look github)';
    case 'connectModel':
      return 'connect a model (--model-url URL)';
  }
}
