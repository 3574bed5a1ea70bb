import path from 'node:path';
import {
  type ConsentProblem,
  consentFile,
  consentFor,
  giveConsent,
  isStillThere,
  type KeptConsent,
  readConsents,
  takeBackConsent,
} from '../core/consent/consentStore.ts';
import { findPrograms } from '../core/consent/findPrograms.ts';
import type { Consent } from '../core/facts/consent.ts';
import { inSentence } from '../core/view/quantity.ts';
import { consentQuestion, programsText } from '../core/words/consentText.ts';
import { type Flags, helpFlag, optionsText } from './helpText.ts';
import { readWord } from './readArguments.ts';

/** What `foretell consent` needs of the process around it. */
export interface ConsentProcess {
  /** The working directory; empty where there is none. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output. */
  say(text: string): Promise<unknown>;
  /** Writes one line to standard error. */
  tell(line: string): void;
  /** Asks a person at the terminal; absent where nobody is there. */
  ask?(question: string): Promise<boolean>;
}

const words = ['give', 'take-back'];

const flags = {
  programs: {
    type: 'string',
    value: 'NAMES',
    help: 'give: only these programs, and what they start (names or paths, with commas between; default: every program)',
  },
  yes: { type: 'boolean', help: 'give: do not ask at the terminal' },
  json: { type: 'boolean', help: 'one JSON object instead of text' },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell consent                         (lists what you consented to)
       foretell consent give [--programs NAMES] [FOLDER]
       foretell consent take-back [FOLDER]

Consent is given once for a folder (default: the current one) and what is below: from then on the programs that a predicted
command starts there really run, confined, without network, on a copy, so that foretell 'npm test' shows what it prints.
Without it only programs that are known to be harmless run, and --open-gate lets every program run once. Consents are kept
with your settings (XDG_CONFIG_HOME, else ~/.config), never in the folder, and count for the editor as well.

${optionsText({ Options: flags })}
Exit status
  0 done   1 not given   3 it could not be done   64 wrong usage
`;

/** Whether the arguments of the command line ask for consents, not for a program that is called so. */
export function asksForConsent([first, ...rest]: readonly string[]): boolean {
  return first === 'consent' && rest.every((one, at) => one.startsWith('-') || (at === 0 ? words.includes(one) : true));
}

/** Runs `foretell consent …`; `args` come after `consent`. Gives the exit status. */
export async function runConsent(args: string[], around: ConsentProcess): Promise<number> {
  const read = await readWord(args, flags, { word: 'foretell consent', usage }, around);
  if ('status' in read) return read.status;
  const { values, positionals, wrong } = read;
  const [word, named, ...more] = positionals;
  if (word !== undefined && !words.includes(word))
    return wrong(`consent takes give or take-back, not ${word}; see foretell consent --help.`);
  if (more.length > 0) return wrong(`consent ${word} takes one FOLDER; see foretell consent --help.`);
  if (values.programs !== undefined && word !== 'give')
    return wrong('--programs is for give; say foretell consent give --programs NAMES.');
  const file = consentFile(around.env);
  const isJson = values.json === true;
  if (word === undefined) return list(file, isJson, around);
  if (around.cwd === '' && !path.isAbsolute(named ?? ''))
    return wrong('The current folder does not exist any more; name one: foretell consent give /absolute/path.');
  const folder = path.resolve(around.cwd, named ?? '');
  if (word === 'take-back') return takeBack(file, folder, isJson, around);
  const programs = programsOf(values.programs, folder, around.env['PATH'] ?? '');
  if ('problem' in programs) return wrong(programs.problem);
  return give(file, folder, programs.programs, { ...around, isJson, ...(values.yes ? { ask: undefined } : {}) });
}

function programsOf(
  names: string | undefined,
  folder: string,
  searchPath: string,
): { programs: Consent['programs'] } | ConsentProblem {
  if (names === undefined) return { programs: 'all' };
  const wanted = names.split(',').filter((name) => name !== '');
  if (wanted.length === 0) return { problem: '--programs takes names with commas between, such as npm,node.' };
  return findPrograms(wanted, folder, searchPath);
}

async function give(
  file: string,
  folder: string,
  programs: Consent['programs'],
  {
    isJson,
    say,
    tell,
    ask,
  }: Omit<ConsentProcess, 'ask'> & { isJson: boolean; ask?: ConsentProcess['ask'] | undefined },
): Promise<number> {
  const { question, details } = consentQuestion({ folder, programs }, file);
  if (!isJson) await say(`${question}\n\n${details.join('\n\n')}\n\n`);
  if (ask && !(await ask('Give this consent? [y/N] '))) {
    tell('Not given.');
    return 1;
  }
  const given = giveConsent(file, folder, programs, new Date());
  if ('problem' in given) return cannot(given, tell);
  const take = 'Take it back with: foretell consent take-back';
  if (isJson) await say(`${JSON.stringify({ version: 1, file, given: shown(given.consent) })}\n`);
  else await say(`Given for ${inSentence(given.consent.folder)}. ${take} ${inSentence(given.consent.folder)}\n`);
  return 0;
}

async function takeBack(file: string, folder: string, isJson: boolean, { say, tell }: ConsentProcess): Promise<number> {
  const answer = takeBackConsent(file, folder);
  if ('problem' in answer) return cannot(answer, tell);
  const { taken } = answer;
  if (isJson) await say(`${JSON.stringify({ version: 1, file, takenBack: shown(taken) })}\n`);
  else await say(`Taken back for ${inSentence(taken.folder)}: its programs are not rehearsed any more.\n`);
  return 0;
}

async function list(file: string, isJson: boolean, { cwd, say, tell }: ConsentProcess): Promise<number> {
  const read = readConsents(file);
  if ('problem' in read) return cannot(read, tell);
  const here = cwd === '' ? undefined : consentFor(file, cwd).consent;
  if (isJson) {
    const consents = read.consents.map(shown);
    await say(`${JSON.stringify({ version: 1, file, here: here ? shown(here) : null, consents })}\n`);
    return 0;
  }
  const lines = [
    here
      ? `Here: ${programsText(here.programs)} may be rehearsed (consent for ${inSentence(here.folder)}).`
      : 'Here: no consent, so only programs that are known to be harmless run. Give it with: foretell consent give',
    ...(read.consents.length > 0 ? ['', `All of them, kept in ${inSentence(file)}:`] : []),
    ...read.consents.map(lineOf),
  ];
  await say(`${lines.join('\n')}\n`);
  return 0;
}

function lineOf(kept: KeptConsent): string {
  const gone = isStillThere(kept) ? '' : ' (another folder is there now, or none: it does not count)';
  return `  ${inSentence(kept.folder)}  ${programsText(kept.programs)}, since ${kept.givenAt.slice(0, 10)}${gone}`;
}

function shown(kept: KeptConsent): object {
  const { folder, programs, givenAt } = kept;
  return { folder, programs, givenAt, counts: isStillThere(kept) };
}

function cannot({ problem }: ConsentProblem, tell: ConsentProcess['tell']): number {
  tell(`foretell: ${problem}`);
  return 3;
}

/** The consent that counts in a folder, as a request has it; a kept file that cannot be read is told, and means none. */
export function consentIn(cwd: string, { env, tell }: Pick<ConsentProcess, 'env' | 'tell'>): { consent?: Consent } {
  const { consent, problem } = consentFor(consentFile(env), cwd);
  if (problem !== undefined) tell(`foretell: ${problem}`);
  return consent ? { consent } : {};
}
