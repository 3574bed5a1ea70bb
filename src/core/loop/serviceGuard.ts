import { createHash, timingSafeEqual } from 'node:crypto';
import type http from 'node:http';
import { type Answer, failed } from './serviceAnswer.ts';

/** Who is let in, and what they ask for. */
export interface Guard {
  /** The path without its query and without the token, or why nobody is answered; before anything is read. */
  enter(request: http.IncomingMessage): { route: string; isKnown: boolean } | Answer;
  listensAt(port: number): void;
  close(): void;
  isClosing(): boolean;
}

/**
 * Lets in who knows the token, asks this machine itself, and is no page of a browser. The token is in the header, or the
 * first part of the path, for clients that know nothing but an address. `names`: further names of this service, as a proxy
 * before it has them; any port.
 */
export function createGuard(token: string, names: readonly string[]): Guard {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  const isToken = (text: string | undefined) => text !== undefined && timingSafeEqual(digest(text), expected);
  const known = new Set(names.map((name) => name.toLowerCase()));
  let isClosing = false;
  let hosts: ReadonlySet<string> = new Set();
  return {
    enter(request) {
      const { host, origin, authorization } = request.headers;
      const name = host?.toLowerCase() ?? '';
      if (!hosts.has(name) && !known.has(name.replace(/:\d+$/, '')))
        return failed(
          403,
          'forbidden',
          'This service answers on the loopback interface only, or under names that it was started with (--name).',
        );
      if (origin !== undefined || request.headers['sec-fetch-site'] !== undefined)
        return failed(403, 'forbidden', 'This service does not answer pages of a browser.');
      const path = (request.url ?? '').split('?')[0] ?? '';
      const [, first, ...rest] = path.split('/');
      const isInPath = rest.length > 0 && isToken(first);
      const route = isInPath ? `/${rest.join('/')}` : path;
      const isKnown = isInPath || isToken(/^Bearer (.+)$/.exec(authorization ?? '')?.[1]);
      // Whoever looks whether it lives learns that it does, and nothing more.
      if (!isKnown && !(route === '/health' && authorization === undefined))
        return failed(
          401,
          'unauthorized',
          'Send the token that was printed at the start: Authorization: Bearer TOKEN.',
        );
      if (isClosing) return { ...failed(503, 'closing', 'The service ends; start it again.'), retryAfterSeconds: 5 };
      return { route, isKnown };
    },
    listensAt(port) {
      hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
    },
    close() {
      isClosing = true;
    },
    isClosing: () => isClosing,
  };
}
