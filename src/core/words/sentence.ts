/** A clause of ours as the beginning of a sentence. */
export function capital(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** Where a sentence of ours stands: alone, or behind a colon. */
export type Standing = 'alone' | 'behindColon';

/** The word that such a sentence begins with. A name keeps its letters: it is not given to this. */
export function opening(word: string, standing: Standing): string {
  return standing === 'alone' ? capital(word) : word;
}

/** A clause of ours as a sentence. */
export function asSentence(clause: string): string {
  return `${capital(clause)}.`;
}

/** What somebody else says, where a sentence ends with it: with a full stop, unless it brings an end of its own. */
export function withStop(said: string): string {
  if (said.endsWith(':')) return `${said} …`;
  return '.!?…'.includes(said.slice(-1)) && said !== '' ? said : `${said}.`;
}
