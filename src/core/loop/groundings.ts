import { ownEnvironment, userOf } from '../context/user.ts';
import type { Looker } from '../view/view.ts';
import type { LanguageRequest } from '../worlds/language/imagine/languageRequest.ts';
import { terminalState } from '../worlds/language/prompt/turns/groundingTurns.ts';
import { groundingOf } from '../worlds/language/prompt/turns/trajectory.ts';
import type { Turn } from '../worlds/language/prompt/turns/turn.ts';

const groundingLifeMs = 60_000;
const mostGroundings = 32;

/** What a session in a folder begins with. Both reject where the folder could not be looked at. */
export interface Grounding {
  turns: Promise<readonly Turn[]>;
  /** What the screen of a terminal shows there. */
  state: Promise<string>;
}

/** What was seen of folders. A folder is looked at once a minute at most, so that sessions that begin together begin alike. */
export interface Groundings {
  in(folder: string, domain: 'terminal' | 'swe', dialect: 'qwen' | 'claude'): Grounding;
}

/** `signal` ends looks that are under way. */
export function createGroundings(options: {
  language: Omit<LanguageRequest, 'turn' | 'whole'>;
  looker: Looker;
  now: () => number;
  signal: AbortSignal;
}): Groundings {
  const { language, looker, now, signal } = options;
  const groundings = new Map<string, Grounding & { at: number }>();
  return {
    in(folder, domain, dialect) {
      const key = `${domain} ${dialect} ${folder}`;
      const known = groundings.get(key);
      if (known && now() - known.at < groundingLifeMs) return known;
      const grounds = {
        language: { ...language, dialect },
        action: { kind: 'command' as const, script: 'ls -la', shell: 'bash' as const, cwd: folder },
        looker,
        workspaceFolders: [folder],
        ...userOf(ownEnvironment('')),
        signal,
      };
      const taken = groundingOf(grounds, domain, { cwd: folder });
      const fresh = {
        at: now(),
        turns: taken.then(({ turns }) => turns),
        state: taken.then(({ place }) => terminalState(place)),
      };
      // Whoever awaits them sees the failure; here it must only not go unheard.
      fresh.turns.catch(() => groundings.delete(key));
      fresh.state.catch(() => groundings.delete(key));
      const [oldest] = groundings.keys();
      if (groundings.size >= mostGroundings && oldest !== undefined) groundings.delete(oldest);
      groundings.delete(key);
      groundings.set(key, fresh);
      return fresh;
    },
  };
}
