import path from 'node:path';
import type { AssumedPart, AssumptionReason } from '../../../facts/assumption.ts';
import type { NoticeFact } from '../../../facts/notice.ts';
import type { SaidContent } from '../reply/answerForms.ts';
import type { Asked } from './asking.ts';
import { type CountedFolder, changedFiles, type KnownChanges, mostFiles } from './imaginedChanges.ts';

/** Asks for looks at the state afterwards, as further turns of the same trajectory. */
export interface FileLooks {
  /** What `changesCommand` prints. */
  status(): Promise<Asked<string>>;
  /** What a `find` prints. */
  files(title: string, command: string): Promise<Asked<string>>;
  /** The contents of files, in the same order. */
  contents(places: readonly string[]): Promise<Asked<SaidContent>[]>;
}

/** Whose changes are asked for. */
export interface ImaginedFilesOptions {
  known: KnownChanges;
  cwd: string;
  workspaceFolders: readonly string[];
  /** A compiled program that is told to be written there, absolute. */
  linked?: string | undefined;
  /** A file before, up to `maxBytes`; undefined: there is none. */
  readFile(place: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Nothing that follows reads the content of any file: it is not asked for where nothing else needs it. Default false. */
  isLast?: boolean;
  looks: FileLooks;
}

/** A file or folder that is said to be changed. */
export interface SaidChange {
  /** Absolute. */
  path: string;
  /** `null`: it is deleted. */
  after: Uint8Array | null;
  mode?: number;
  /** A folder is there, and what is in it is only counted. */
  isFolder?: true;
  /** Nobody was asked what is in it: `after` stands for that, and is no word of the model. */
  isUnasked?: true;
}

/** What is said to be changed. Of what nobody said, `assumes` has a part each, and `because` says why. */
export interface ImaginedFiles {
  changes: SaidChange[];
  notes: NoticeFact[];
  assumes: AssumedPart[];
  because?: AssumptionReason;
  /** Absolute paths of files of which it is said that they change, and not to what. */
  unknown: string[];
  counted: CountedFolder[];
}

const nothing = new Uint8Array();

/** Begins like a compiled program, so that whoever starts it is stopped at the gate and asked about again. */
const someBinary = Buffer.from('\u007fELF of which nobody knows more\n');

/** Stands at the end of a file of which the model was not asked what is in it. */
const unasked = Buffer.from('[The model says that this file changes. It was not asked what is in it.]\n');
/** Of a file whose content is not asked for, at most this is kept, in bytes. */
const mostKept = 1024 ** 2;

/** Nothing is changed, and nothing is assumed. */
export function noImaginedFiles(): ImaginedFiles {
  return { changes: [], notes: [], assumes: [], unknown: [], counted: [] };
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
  const { written, clean, deleted, outside, unlisted, counted } = await changedFiles(
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
  for (const { path: place, files } of counted) {
    imagined.notes.push({ kind: 'countedFolder', folder: path.relative(cwd, place), files });
    imagined.changes.push({ path: place, after: nothing, isFolder: true });
  }
  imagined.counted = counted;
  for (const place of deleted) imagined.changes.push({ path: place, after: null });
  await addContents(imagined, options, written, clean);
  return imagined;
}

/** Asks for the contents of the files that somebody needs, at once; the others are told apart by a sentence in their place. */
async function addContents(
  imagined: ImaginedFiles,
  options: ImaginedFilesOptions,
  written: readonly string[],
  clean: ReadonlySet<string>,
): Promise<void> {
  const { isLast = false, readFile, looks, linked } = options;
  const wanted: string[] = [];
  for (const place of written) {
    const before = isLast && place !== linked ? await readFile(place, mostKept + 1) : undefined;
    // What git does not have would be lost, or not: that depends on what stands there afterwards.
    const isHeld = !before || (clean.has(place) && before.length <= mostKept);
    if (!isLast || !isHeld || place === linked) wanted.push(place);
    else imagined.changes.push({ path: place, after: Buffer.concat([before ?? nothing, unasked]), isUnasked: true });
  }
  const asked = await looks.contents(wanted.filter((place) => place !== linked).slice(0, mostFiles));
  let next = 0;
  for (const place of wanted) await addContent(imagined, options, place, place === linked ? undefined : asked[next++]);
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
  const isThere = (await options.readFile(place, 1)) !== undefined;
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
