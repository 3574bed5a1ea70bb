import path from 'node:path';
import type { AssumedPart, AssumptionReason } from '../../../facts/assumption.ts';
import type { NoticeFact } from '../../../facts/notice.ts';
import type { SaidContent } from '../reply/answerForms.ts';
import type { Asked } from './asking.ts';
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

/** What is said to be changed. Of what nobody said, `assumes` has a part each, and `because` says why. */
export interface ImaginedFiles {
  /** Absolute paths; `after` is `null` for what is deleted. */
  changes: { path: string; after: Uint8Array | null; mode?: number }[];
  notes: NoticeFact[];
  assumes: AssumedPart[];
  because?: AssumptionReason;
  /** Absolute paths of files of which it is said that they change, and not to what. */
  unknown: string[];
}

const nothing = new Uint8Array();

/** Begins like a compiled program, so that whoever starts it is stopped at the gate and asked about again. */
const someBinary = Buffer.from('\u007fELF of which nobody knows more\n');

/** Nothing is changed, and nothing is assumed. */
export function noImaginedFiles(): ImaginedFiles {
  return { changes: [], notes: [], assumes: [], unknown: [] };
}

/**
 * Asks what a program or a command has changed. What nobody said stays as it is, or is empty where there is nothing yet
 * (emptying a file would be a claim), and is listed as assumed.
 */
export async function imaginedFiles(options: ImaginedFilesOptions): Promise<ImaginedFiles> {
  const { known, cwd, workspaceFolders, looks } = options;
  const imagined = noImaginedFiles();
  const status = await looks.status();
  if (!status.ok) return { ...imagined, assumes: [{ kind: 'changesNothing' }], because: status.because };
  const where = { cwd, workspaceFolders };
  const { written, deleted, outside, unlisted } = await changedFiles(
    known,
    status.value ?? '',
    where,
    async (title, command) => {
      const found = await looks.files(title, command);
      if (found.ok) return found.value ?? '';
      imagined.because ??= found.because;
      return undefined;
    },
  );
  for (const folder of unlisted) {
    imagined.assumes.push({ kind: 'putsNothingInto', folder: path.relative(cwd, folder) });
    imagined.because ??= { kind: 'folderNotAsked' };
  }
  if (outside[0] !== undefined) imagined.notes.push({ kind: 'outsideWorkspace', path: outside[0] });
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
    imagined.notes.push({ kind: 'binaryFile', file: name });
    if (isLinked || !/\.\w+$/.test(name) || name.endsWith('.out')) {
      imagined.changes.push({ path: place, after: someBinary, mode: 0o755 });
      return;
    }
  }
  imagined.because ??= whyUnsaid(name, asked, said);
  imagined.unknown.push(place);
  const isThere = await options.isThere(place);
  if (!isThere) imagined.changes.push({ path: place, after: nothing });
  imagined.assumes.push({ kind: isThere ? 'leavesAsIs' : 'leavesEmpty', file: name });
}

function whyUnsaid(
  name: string,
  asked: Asked<SaidContent> | undefined,
  said: SaidContent | undefined,
): AssumptionReason {
  if (!asked) return { kind: 'contentsNotAsked', most: mostFiles };
  if (!asked.ok) return asked.because;
  if (said?.kind === 'unread') return { kind: 'contentUnknown', file: name, says: said.said };
  return { kind: 'binaryFile', file: name };
}
