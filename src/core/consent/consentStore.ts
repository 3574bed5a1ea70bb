import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { homeFolder } from '../context/user.ts';
import type { Consent, LookKind } from '../facts/consent.ts';
import { inSentence } from '../view/quantity.ts';
import type { KeptConsent, KeptLook } from './keptConsent.ts';

export type { KeptConsent, KeptLook } from './keptConsent.ts';

/** All that is kept. */
interface Kept {
  consents: KeptConsent[];
  looks: KeptLook[];
}

/** What cannot be read or done: one sentence with a next step. */
export interface ConsentProblem {
  problem: string;
}

/** A kept file is small; what is larger is not ours. In bytes. */
const mostBytes = 4 * 1024 ** 2;

/**
 * Where consents are kept: with the settings of the user, never in a workspace (XDG Base Directory Specification; a relative
 * XDG_CONFIG_HOME does not count).
 */
export function consentFile(env: Readonly<Record<string, string | undefined>>): string {
  const configured = env['XDG_CONFIG_HOME'];
  const folder =
    configured !== undefined && path.isAbsolute(configured) ? configured : path.join(homeFolder(env), '.config');
  return path.join(folder, 'foretell', 'consent.json');
}

/** All consents, in the order in which they were given. No file means none; a file that is not ours is a problem, and no consent. */
export function readConsents(file: string): Kept | ConsentProblem {
  const text = readOwnFile(file);
  if (text === undefined) return { consents: [], looks: [] };
  if (typeof text !== 'string') return broken(file, text.because);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return broken(file, 'is not JSON');
  }
  const read = schemas().readStore(value);
  if ('consents' in read) return { consents: read.consents, looks: read.looks ?? [] };
  const { version } = read;
  return broken(
    file,
    version === undefined || version === 1
      ? 'does not hold what Foretell writes'
      : `is of version ${version}, which this Foretell does not know`,
  );
}

/** Loaded where something is kept: whoever starts, and has consented to nothing, does without. */
function schemas(): typeof import('./keptConsent.ts') {
  return require('./keptConsent.ts');
}

function broken(file: string, because: string): ConsentProblem {
  return {
    problem: `The consents in ${inSentence(file)} do not count: the file ${because}; mend it, or delete it and give consent again.`,
  };
}

/** The text of a file that only its user can write; `undefined` where there is none. */
function readOwnFile(file: string): string | undefined | { because: string } {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
    const status = fs.fstatSync(descriptor);
    if (!status.isFile()) return { because: 'is no regular file' };
    if (status.uid !== process.getuid?.()) return { because: 'belongs to somebody else' };
    // What was unpacked, cloned or copied has other permissions than what we write.
    if ((status.mode & 0o777) !== 0o600) return { because: 'has not the permissions 0600 that Foretell gives it' };
    if (status.size > mostBytes) return { because: 'is too large' };
    return fs.readFileSync(descriptor, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { because: code === 'ELOOP' ? 'is a symbolic link' : `cannot be read (${code})` };
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** Which folder is meant: its real path and what tells it from another one at the same path. */
interface FoundFolder {
  folder: string;
  inode: string;
  madeAtNs: string;
}

function findFolder(name: string): FoundFolder | undefined {
  try {
    const folder = fs.realpathSync(name);
    const status = fs.statSync(folder, { bigint: true });
    if (!status.isDirectory()) return undefined;
    return { folder, inode: String(status.ino), madeAtNs: String(status.birthtimeNs) };
  } catch {
    return undefined;
  }
}

/** Whether the folder that consent was given for is still there. */
export function isStillThere(kept: Pick<KeptConsent, 'folder' | 'inode' | 'madeAtNs'>): boolean {
  const found = findFolder(kept.folder);
  return found?.folder === kept.folder && found.inode === kept.inode && found.madeAtNs === kept.madeAtNs;
}

function isBelow(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}

/**
 * The consent that counts for a command in this folder: that of the nearest folder above that has one. `undefined`: none, and
 * none where the kept file cannot be read, with the `problem`.
 */
export function consentFor(file: string, cwd: string): { consent: KeptConsent | undefined; problem?: string } {
  const read = readConsents(file);
  if ('problem' in read) return { consent: undefined, problem: read.problem };
  const real = findFolder(cwd)?.folder;
  if (real === undefined) return { consent: undefined };
  const nearest = read.consents
    .filter(({ folder }) => isBelow(real, folder))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
  // Below a folder that is another one by now nothing counts, not even what was given for one above: somebody chose otherwise here.
  const counts = nearest !== undefined && isStillThere(nearest) && !holdsStore(nearest.folder, file);
  return { consent: counts ? nearest : undefined };
}

/** The kinds of look that the user consented to for a command in this folder; none where the kept file cannot be read. */
export function looksFor(file: string, cwd: string): LookKind[] {
  const read = readConsents(file);
  const real = findFolder(cwd)?.folder;
  if ('problem' in read || real === undefined) return [];
  return [...new Set(read.looks.map(({ look }) => look))].filter((kind) => {
    const nearest = read.looks
      .filter(({ look, folder }) => look === kind && isBelow(real, folder))
      .sort((a, b) => b.folder.length - a.folder.length)[0];
    return nearest !== undefined && isStillThere(nearest) && !holdsStore(nearest.folder, file);
  });
}

/** A folder that holds the kept file could bring its own consent. */
function holdsStore(folder: string, file: string): boolean {
  let at = path.dirname(file);
  for (;;) {
    try {
      return isBelow(fs.realpathSync(at), folder);
    } catch {
      if (at === path.dirname(at)) return false;
      at = path.dirname(at);
    }
  }
}

/** Keeps a consent, in the place of an earlier one for the same folder. `env`: where programs are looked for. */
export function giveConsent(
  file: string,
  folder: string,
  programs: Consent['programs'],
  now: Date,
): { consent: KeptConsent } | ConsentProblem {
  const found = folderToConsentFor(file, folder);
  if ('problem' in found) return found;
  const consent: KeptConsent = { ...found, programs, givenAt: now.toISOString() };
  const problem = change(file, ({ consents, looks }) => ({
    consents: [...consents.filter((one) => one.folder !== found.folder), consent],
    looks,
  }));
  return problem ?? { consent };
}

function folderToConsentFor(file: string, folder: string): FoundFolder | ConsentProblem {
  const found = findFolder(folder);
  if (!found) return { problem: `${inSentence(folder)} is no folder; name one that is there.` };
  if (!holdsStore(found.folder, file)) return found;
  return {
    problem: `${inSentence(found.folder)} holds the file in which consents are kept, so what it holds could consent to itself; name a folder further down.`,
  };
}

/** Keeps a consent to a kind of look, in the place of an earlier one for the same folder. */
export function giveLook(
  file: string,
  folder: string,
  look: LookKind,
  now: Date,
): { consent: KeptLook } | ConsentProblem {
  const found = folderToConsentFor(file, folder);
  if ('problem' in found) return found;
  const consent: KeptLook = { ...found, look, givenAt: now.toISOString() };
  const isOther = (one: KeptLook) => one.folder !== found.folder || one.look !== look;
  return (
    change(file, ({ consents, looks }) => ({ consents, looks: [...looks.filter(isOther), consent] })) ?? { consent }
  );
}

/** Takes the consent of this folder to a kind of look back; of one that is no more, by the path that it had. */
export function takeBackLook(file: string, folder: string, look: LookKind): { taken: KeptLook } | ConsentProblem {
  const read = readConsents(file);
  if ('problem' in read) return read;
  const names = [path.resolve(folder), findFolder(folder)?.folder];
  const taken = read.looks.find((one) => one.look === look && names.includes(one.folder));
  if (!taken)
    return {
      problem: `There is no such consent for ${inSentence(folder)} itself; foretell consent lists those that there are.`,
    };
  const isOther = (one: KeptLook) => one.folder !== taken.folder || one.look !== look;
  return change(file, ({ consents, looks }) => ({ consents, looks: looks.filter(isOther) })) ?? { taken };
}

/** Takes the consent of this folder back; of one that is no more, by the path that it had. */
export function takeBackConsent(file: string, folder: string): { taken: KeptConsent } | ConsentProblem {
  const read = readConsents(file);
  if ('problem' in read) return read;
  const names = [path.resolve(folder), findFolder(folder)?.folder];
  const taken = read.consents.find((one) => names.includes(one.folder));
  if (!taken) {
    const above = consentFor(file, folder).consent;
    return {
      problem:
        above === undefined
          ? `There is no consent for ${inSentence(folder)}; foretell consent lists those that there are.`
          : `${inSentence(folder)} has no consent of its own; that of ${inSentence(above.folder)} covers it, so take that one back.`,
    };
  }
  const isOther = (one: KeptConsent) => one.folder !== taken.folder;
  return change(file, ({ consents, looks }) => ({ consents: consents.filter(isOther), looks })) ?? { taken };
}

/** Writes the kept file anew, all of it or nothing. One that cannot be read stays as it is. */
function change(file: string, edit: (kept: Kept) => Kept): ConsentProblem | undefined {
  const folder = path.dirname(file);
  const aside = path.join(folder, `.consent-${process.pid}-${randomBytes(6).toString('hex')}.json`);
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (;;) {
      const before = readOwnFile(file);
      const read = readConsents(file);
      if ('problem' in read) return read;
      const { consents, looks } = edit(read);
      const kept = { version: 1, consents, ...(looks.length > 0 ? { looks } : {}) };
      const text = `${JSON.stringify(kept, undefined, 2)}\n`;
      write(aside, text);
      // The editor and the command line may write at once.
      if (readOwnFile(file) !== before) continue;
      fs.renameSync(aside, file);
      return undefined;
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    return {
      problem: `The consent cannot be kept in ${inSentence(file)} (${code}); make that folder writable for you.`,
    };
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

function write(file: string, text: string): void {
  const descriptor = fs.openSync(file, 'w', 0o600);
  try {
    fs.fchmodSync(descriptor, 0o600);
    fs.writeSync(descriptor, text);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
