/** A clause of ours as the beginning of a sentence. */
export function capital(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** A sentence of ours that goes on behind a colon. A name at its beginning stays as it is. */
export function afterColon(sentence: string): string {
  return sentence.replace(/^(It|The|A|An|They|Only|What|Whether) /, (word) => word.toLowerCase());
}

/** With a full stop, where it has no end. */
export function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** A clause as a sentence of its own. */
export function asSentence(text: string): string {
  return capital(text).replace(/[.!?]?$/, '.');
}
