import type { Consent } from '../facts/consent.ts';
import { inSentence } from '../view/quantity.ts';

/** Words of a consent before it is given: a question, and what a careful person has to know to answer it. */
export interface ConsentQuestion {
  question: string;
  /** One paragraph each. */
  details: string[];
}

/** What is asked before consent is given; `keptIn`: the file in which it will be kept. */
export function consentQuestion({ folder, programs }: Consent, keptIn: string): ConsentQuestion {
  const which =
    programs === 'all'
      ? 'the programs that it starts there (npm, python, compilers, scripts of the project)'
      : `${programsText(programs)}, and what they start,`;
  return {
    question: `Always rehearse ${programs === 'all' ? 'the programs' : programsText(programs)} of ${inSentence(folder)}?`,
    details: [
      `Whenever a command is predicted in ${inSentence(folder)} or below, ${which} really run: confined, without network, on a copy. What they change is shown and then thrown away; your files, other processes and other machines are not touched.`,
      'They can read what you can read, and use the processor and memory up to the limits of a prediction. Programs that need the network, and those that run with the rights of another user, are still not run.',
      `The consent is kept for you on this machine, in ${inSentence(keptIn)} and not in the project, and counts for the editor (in trusted workspaces only) and the command line. It can be taken back at any time.`,
    ],
  };
}

/** Which programs a consent is for: `every program`, `npm (/usr/lib/node_modules/npm/bin/npm-cli.js) and node (/usr/bin/node)`. */
export function programsText(programs: Consent['programs']): string {
  if (programs === 'all') return 'every program';
  const named = programs.map(({ name, file }) => (name === file ? inSentence(file) : `${name} (${inSentence(file)})`));
  return named.length < 2 ? (named[0] ?? 'no program') : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}
