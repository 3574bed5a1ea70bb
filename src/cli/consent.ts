import path from 'node:path';
import {
  type ConsentProblem,
  consentFile,
  consentFor,
  giveConsent,
  giveLook,
  isStillThere,
  type KeptConsent,
  type KeptLook,
  looksFor,
  readConsents,
  takeBackConsent,
  takeBackLook,
} from '../core/consent/consentStore.ts';
import { findPrograms } from '../core/consent/findPrograms.ts';
import { type Consent, LookKind } from '../core/facts/consent.ts';
import { inSentence } from '../core/view/quantity.ts';
import {
  type ConsentQuestion,
  consentQuestion,
  lookQuestion,
  lookText,
  programsText,
} from '../core/words/consentText.ts';
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
  look: {
    type: 'string',
    value: 'KIND',
    help: 'give, take-back: another consent, to ask servers of this machine (localhost) or GitHub through gh (github), only to read',
  },
  yes: { type: 'boolean', help: 'give: do not ask at the terminal' },
  json: { type: 'boolean', help: 'one JSON object instead of text' },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell consent                         (lists what you consented to)
       foretell consent give [--programs NAMES] [FOLDER]
       foretell consent give --look KIND [FOLDER]
       foretell consent take-back [--look KIND] [FOLDER]

Consent is given once for a folder (default: the current one) and what is below: from then on the programs that a predicted
command starts there really run, confined, without network, on a copy, so that foretell 'npm test' shows what it prints.
Without it only programs that are known to be harmless run, and --open-gate lets every program run once. Two more consents,
which this one does not include, let what only reads from a server of this machine or from GitHub (curl, wget, gh) really
ask once, as a look: the answer is shown as seen then. Consents are kept
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
  if (values.look !== undefined && word === undefined)
    return wrong('--look is for give and take-back; say foretell consent give --look localhost.');
  if (values.look !== undefined && values.programs !== undefined)
    return wrong('--look and --programs are consents of their own; give one after the other.');
  const look = LookKind.safeParse(values.look).data;
  if (values.look !== undefined && look === undefined)
    return wrong(`--look takes localhost or github, not ${values.look}.`);
  const file = consentFile(around.env);
  const isJson = values.json === true;
  if (word === undefined) return list(file, isJson, around);
  if (around.cwd === '' && !path.isAbsolute(named ?? ''))
    return wrong('The current folder does not exist any more; name one: foretell consent give /absolute/path.');
  const folder = path.resolve(around.cwd, named ?? '');
  const asking = { ...around, isJson, ...(values.yes ? { ask: undefined } : {}) };
  if (word === 'take-back') return takeBack(file, folder, look, isJson, around);
  if (look) return giveLookFor(file, folder, look, asking);
  const programs = programsOf(values.programs, folder, around.env['PATH'] ?? '');
  if ('problem' in programs) return wrong(programs.problem);
  return give(file, folder, programs.programs, asking);
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

type Asking = Omit<ConsentProcess, 'ask'> & { isJson: boolean; ask?: ConsentProcess['ask'] | undefined };

/** Says what is consented to, and asks where somebody is there. */
async function isGiven({ question, details }: ConsentQuestion, { isJson, say, tell, ask }: Asking): Promise<boolean> {
  if (!isJson) await say(`${question}\n\n${details.join('\n\n')}\n\n`);
  if (!ask || (await ask('Give this consent? [y/N] '))) return true;
  tell('Not given.');
  return false;
}

async function give(file: string, folder: string, programs: Consent['programs'], asking: Asking): Promise<number> {
  if (!(await isGiven(consentQuestion({ folder, programs }, file), asking))) return 1;
  const given = giveConsent(file, folder, programs, new Date());
  if ('problem' in given) return cannot(given, asking.tell);
  return tellGiven(file, given.consent, asking);
}

async function giveLookFor(file: string, folder: string, look: LookKind, asking: Asking): Promise<number> {
  if (!(await isGiven(lookQuestion(look, folder, file), asking))) return 1;
  const given = giveLook(file, folder, look, new Date());
  if ('problem' in given) return cannot(given, asking.tell);
  return tellGiven(file, given.consent, asking);
}

async function tellGiven(file: string, given: KeptConsent | KeptLook, { isJson, say }: Asking): Promise<number> {
  const where = inSentence(given.folder);
  const option = 'look' in given ? `--look ${given.look} ` : '';
  if (isJson) await say(`${JSON.stringify({ version: 1, file, given: shown(given) })}\n`);
  else await say(`Given for ${where}. Take it back with: foretell consent take-back ${option}${where}\n`);
  return 0;
}

async function takeBack(
  file: string,
  folder: string,
  look: LookKind | undefined,
  isJson: boolean,
  { say, tell }: ConsentProcess,
): Promise<number> {
  const answer = look ? takeBackLook(file, folder, look) : takeBackConsent(file, folder);
  if ('problem' in answer) return cannot(answer, tell);
  const { taken } = answer;
  const what =
    'look' in taken ? `no prediction asks ${lookText(taken.look)} any more` : 'its programs are not rehearsed any more';
  if (isJson) await say(`${JSON.stringify({ version: 1, file, takenBack: shown(taken) })}\n`);
  else await say(`Taken back for ${inSentence(taken.folder)}: ${what}.\n`);
  return 0;
}

async function list(file: string, isJson: boolean, { cwd, say, tell }: ConsentProcess): Promise<number> {
  const read = readConsents(file);
  if ('problem' in read) return cannot(read, tell);
  const here = cwd === '' ? undefined : consentFor(file, cwd).consent;
  const looksHere = cwd === '' ? [] : looksFor(file, cwd);
  if (isJson) {
    const [consents, looks] = [read.consents.map(shown), read.looks.map(shown)];
    await say(`${JSON.stringify({ version: 1, file, here: here ? shown(here) : null, consents, looksHere, looks })}\n`);
    return 0;
  }
  const lines = [
    here
      ? `Here: ${programsText(here.programs)} may be rehearsed (consent for ${inSentence(here.folder)}).`
      : 'Here: no consent, so only programs that are known to be harmless run. Give it with: foretell consent give',
    ...looksHere.map((look) => `Here: ${lookText(look)} may be asked, only to read.`),
    ...(read.consents.length + read.looks.length > 0 ? ['', `All of them, kept in ${inSentence(file)}:`] : []),
    ...read.consents.map((kept) => lineOf(kept, programsText(kept.programs))),
    ...read.looks.map((kept) => lineOf(kept, `asks ${lookText(kept.look)}`)),
  ];
  await say(`${lines.join('\n')}\n`);
  return 0;
}

function lineOf(kept: KeptConsent | KeptLook, what: string): string {
  const gone = isStillThere(kept) ? '' : ' (another folder is there now, or none: it does not count)';
  return `  ${inSentence(kept.folder)}  ${what}, since ${kept.givenAt.slice(0, 10)}${gone}`;
}

function shown(kept: KeptConsent | KeptLook): object {
  const { folder, givenAt } = kept;
  const what = 'look' in kept ? { look: kept.look } : { programs: kept.programs };
  return { folder, ...what, givenAt, counts: isStillThere(kept) };
}

function cannot({ problem }: ConsentProblem, tell: ConsentProcess['tell']): number {
  tell(`foretell: ${problem}`);
  return 3;
}

/** What counts in a folder, as a request has it; a kept file that cannot be read is told, and means none. */
export function consentIn(
  cwd: string,
  { env, tell }: Pick<ConsentProcess, 'env' | 'tell'>,
): { consent?: Consent; looks?: LookKind[] } {
  const { consent, problem } = consentFor(consentFile(env), cwd);
  if (problem !== undefined) tell(`foretell: ${problem}`);
  const looks = looksFor(consentFile(env), cwd);
  return { ...(consent ? { consent } : {}), ...(looks.length > 0 ? { looks } : {}) };
}
