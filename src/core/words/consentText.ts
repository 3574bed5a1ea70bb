import type { Consent, LookKind } from '../facts/consent.ts';
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

/** What is asked before consent to a kind of look is given; `keptIn`: the file in which it will be kept. */
export function lookQuestion(look: LookKind, folder: string, keptIn: string): ConsentQuestion {
  const where = inSentence(folder);
  return {
    question:
      look === 'localhost' ? `Ask servers of this machine for ${where}?` : `Ask GitHub through gh for ${where}?`,
    details: [
      ...(look === 'localhost' ? askingServers(where) : askingGithub(where)),
      `It is asked only where you predict a command yourself, never for what an agent calls or where a line is held at Enter. The consent is kept for you on this machine, in ${inSentence(keptIn)} and not in the project, and counts for the editor (in trusted workspaces only) and the command line. It can be taken back at any time.`,
    ],
  };
}

function askingServers(where: string): string[] {
  return [
    `Whenever you predict a command in ${where} or below that would only read from a server of this machine (curl or wget with GET or HEAD, to localhost, 127.0.0.1 or [::1]), this request is really made, once. Its answer is shown as what the server said then, never as certain. It reaches that one port of this machine and nothing else, and the program can change no file.`,
    'The server sees the request and may count it, log it, or do what it was built to do when it is asked: a GET is meant to read, and nobody can check that it does. What sends data, follows redirects, uses a proxy or settings of curl, or names another machine is not asked, and nothing is asked behind what would change files, processes or servers first.',
  ];
}

function askingGithub(where: string): string[] {
  return [
    `Whenever you predict a command in ${where} or below that would only read by gh (such as gh pr view, gh issue list, gh run list, gh api with GET), it is really run, once: with the network, and as the account that gh is signed in with. Its answer is shown as what GitHub said then, never as certain. It can change no file, starts nothing but what only reads, and reaches servers at port 443 alone.`,
    'What gh sends is encrypted, so that nobody can check that it only reads: this rests on the words of the command and on gh being what the system installed. GitHub sees the requests and counts them. What it answers may be private; it is part of the prediction, and of what a connected model is told.',
  ];
}

/** What a kind of look asks, as a clause: `servers of this machine`. */
export function lookText(look: LookKind): string {
  return lookTexts[look];
}

const lookTexts: Readonly<Record<LookKind, string>> = {
  localhost: 'servers of this machine',
  github: 'GitHub through gh',
};

/** Every kind of look. */
export const lookKinds = Object.keys(lookTexts) as LookKind[];
