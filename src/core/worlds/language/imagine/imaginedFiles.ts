import path from 'node:path';
import type { AssumptionCause, ReplyFault } from '../../../prediction/replyFault.ts';
import type { SaidContent } from '../reply/answerForms.ts';
import type { Asked } from './ask.ts';
import { changedFiles, type KnownChanges, mostFiles } from './imaginedChanges.ts';

/** Asks for looks at the state afterwards, as further turns of the same trajectory. */
export interface FileLooks {
  /** What `changesCommand` prints. */
  status(): Promise<Asked<string>>;
  /** What a `find` prints. */
  files(title: string, command: string): Promise<Asked<string>>;
  content(place: string): Promise<Asked<SaidContent>>;
}

/** Whose changes are asked for. */
export interface ImaginedFilesOptions {
  known: KnownChanges;
  cwd: string;
  workspaceFolders: readonly string[];
  /** A compiled program that is told to be written there, absolute. */
  linked?: string | undefined;
  /** Whether there is a file before. */
  isThere(place: string): Promise<boolean>;
  looks: FileLooks;
}

/** Why something about files is not known. */
export interface NotSaid {
  why: string;
  cause: AssumptionCause;
  fault?: ReplyFault;
}

/** What is said to be changed. Of what nobody said, `assumed` has a clause each, and `because` says why. */
export interface ImaginedFiles {
  /** Absolute paths; `after` is `null` for what is deleted. */
  changes: { path: string; after: Uint8Array | null; mode?: number }[];
  /** Sentences for the reader. */
  notes: string[];
  assumed: string[];
  because?: NotSaid;
  /** Absolute paths of files of which it is said that they change, and not to what. */
  unknown: string[];
}

const nothing = new Uint8Array();

/** Begins like a compiled program, so that whoever starts it is stopped at the gate and asked about again. */
const someBinary = Buffer.from('\u007fELF of which nobody knows more\n');

/** Nothing is changed, and nothing is assumed. */
export function noImaginedFiles(): ImaginedFiles {
  return { changes: [], notes: [], assumed: [], unknown: [] };
}

/** Why an answer is missing, for an assumption. */
export function notSaid(asked: Asked<unknown> & { ok: false }): NotSaid {
  const { code, message, why = message, fault } = asked;
  if (fault) return { why, cause: 'model-unusable', fault };
  return { why, cause: code === 'unknown' ? 'model-unknown' : 'model-failed' };
}

/**
 * Asks what a program or a command has changed. What nobody said stays as it is, or is empty where there is nothing yet
 * (emptying a file would be a claim), and is listed as assumed.
 */
export async function imaginedFiles(options: ImaginedFilesOptions): Promise<ImaginedFiles> {
  const { known, cwd, workspaceFolders, looks } = options;
  const imagined = noImaginedFiles();
  const status = await looks.status();
  if (!status.ok) return { ...imagined, assumed: ['changes nothing'], because: notSaid(status) };
  const where = { cwd, workspaceFolders };
  const { written, deleted, outside, unlisted } = await changedFiles(
    known,
    status.value ?? '',
    where,
    async (title, command) => {
      const found = await looks.files(title, command);
      if (found.ok) return found.value ?? '';
      imagined.because ??= notSaid(found);
      return undefined;
    },
  );
  for (const folder of unlisted) {
    imagined.assumed.push(`puts nothing into ${path.relative(cwd, folder)}`);
    imagined.because ??= { why: 'the model was not asked what is in it', cause: 'model-failed' };
  }
  if (outside.length > 0)
    imagined.notes.push(`The model says that ${outside[0]} changes too, which is outside the workspace.`);
  for (const place of deleted) imagined.changes.push({ path: place, after: null });
  for (const [index, place] of written.entries()) {
    const asked = index < mostFiles ? await looks.content(place) : undefined;
    await addContent(imagined, options, place, asked);
  }
  return imagined;
}

async function addContent(
  imagined: ImaginedFiles,
  options: ImaginedFilesOptions,
  place: string,
  asked: Asked<SaidContent> | undefined,
): Promise<void> {
  const name = path.relative(options.cwd, place);
  const said = asked?.ok ? asked.value : undefined;
  const isLinked = options.linked === place;
  if (said?.kind === 'text' && !isLinked) {
    imagined.changes.push({ path: place, after: Buffer.from(said.text) });
    return;
  }
  if (isLinked || said?.kind === 'binary') {
    imagined.notes.push(`${name} is a binary file; what stands in it is not predicted.`);
    if (isLinked || !/\.\w+$/.test(name) || name.endsWith('.out')) {
      imagined.changes.push({ path: place, after: someBinary, mode: 0o755 });
      return;
    }
  }
  imagined.because ??= whyUnsaid(name, asked, said);
  imagined.unknown.push(place);
  const isThere = await options.isThere(place);
  if (!isThere) imagined.changes.push({ path: place, after: nothing });
  imagined.assumed.push(isThere ? `leaves ${name} as it is` : `leaves ${name} empty`);
}

function whyUnsaid(name: string, asked: Asked<SaidContent> | undefined, said: SaidContent | undefined): NotSaid {
  if (!asked) return { why: `the contents of at most ${mostFiles} files are asked for`, cause: 'model-failed' };
  if (!asked.ok) return notSaid(asked);
  if (said?.kind === 'unread') return { why: `the model says of ${name}: ${said.said}`, cause: 'model-unknown' };
  return { why: `${name} is a binary file, which no model can show`, cause: 'model-unknown' };
}
