import path from 'node:path';
import { printable } from '../core/prediction/text/printable.ts';
import { compareKept, type NodeNow } from '../core/safetyNet/compareKept.ts';
import { type KeptEntry, listEntries, readEntry } from '../core/safetyNet/keptEntry.ts';
import { netFolder, usualNetBytes } from '../core/safetyNet/netUse.ts';
import { type Restored, restoreKept } from '../core/safetyNet/restore.ts';
import { countOf, inSentence } from '../core/view/quantity.ts';
import { keptCountText, keptForText, keptStateText, notKeptText, notPutText } from '../core/words/keptText.ts';
import { type Flags, helpFlag, optionsText } from './helpText.ts';
import { readWord } from './readArguments.ts';

/** What `foretell restore` needs of the process around it. */
export interface RestoreProcess {
  /** The working directory; empty where there is none. */
  cwd: string;
  /** See `launcherPath`. */
  launcher: string;
  env: Readonly<Record<string, string | undefined>>;
  say(text: string): Promise<unknown>;
  tell(line: string): void;
  /** Asks a person at the terminal; absent where nobody is there. */
  ask?(question: string): Promise<boolean>;
}

const flags = {
  list: { type: 'boolean', help: 'list what is kept; with ID, its paths and how they are now' },
  newer: {
    type: 'boolean',
    help: 'replace what has changed since as well (without it you are asked, or it is left)',
  },
  json: { type: 'boolean', help: 'one JSON object instead of text' },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell restore [--list]              (lists what is kept)
       foretell restore ID [PATH…]            (restores all of it, or these paths; ID: from the list, or last)
       foretell restore --list ID             (its paths, and how they are now)

Before a command is run for real in the editor, before an agent's call that the hook lets pass, and before a predicted result
is applied, Foretell keeps what would be lost: contents, permissions, times, links and folders, for a week. It is kept with
your own state (XDG_STATE_HOME, else ~/.local/state), readable by you alone. Nothing else is touched, each file is put back as
a whole, and what is replaced is kept in its turn.

${optionsText({ Options: flags })}
Exit status
  0 done   1 some of it was left   3 there is no such ID, or it could not be done   64 wrong usage
`;

const isId = (word: string) => word === 'last' || /^[0-9a-f]{6,8}$/.test(word);

/** Whether the arguments of the command line ask for what is kept, not for a program that is called so. */
export function asksForRestore([first, ...rest]: readonly string[]): boolean {
  const [id] = rest.filter((word) => !word.startsWith('--'));
  return first === 'restore' && (id === undefined || id === '-h' || isId(id));
}

/** Runs `foretell restore …`; `args` come after `restore`. Gives the exit status. */
export async function runRestore(args: string[], around: RestoreProcess): Promise<number> {
  const { env, say, tell } = around;
  const read = await readWord(args, flags, { word: 'foretell restore', usage }, { say, tell });
  if ('status' in read) return read.status;
  const { values, positionals } = read;
  const folder = netFolder(env);
  const [named, ...paths] = positionals;
  if (named === undefined) return listAll(folder, around, values.json === true);
  const entry = named === 'last' ? listEntries(folder, Date.now())[0] : readEntry(folder, named);
  if (!entry) {
    tell(`foretell: There is nothing kept as ${inSentence(named)}; foretell restore --list shows what is.`);
    return 3;
  }
  const wanted = paths.map((one) => path.resolve(around.cwd, one));
  const missing = wanted.find(
    (one) => !entry.nodes.some((node) => node.path === one || node.path.startsWith(`${one}/`)),
  );
  if (missing !== undefined) {
    tell(
      `foretell: ${inSentence(missing)} is not kept as ${entry.id}; foretell restore --list ${entry.id} shows what is.`,
    );
    return 3;
  }
  const now = await compareKept(folder, entry, wanted);
  if (values.list) return listOne(entry, now, around, values.json === true);
  return restoreOne(entry, now, folder, around, { isJson: values.json === true, takesNewer: values.newer === true });
}

async function listAll(folder: string, { say }: RestoreProcess, isJson: boolean): Promise<number> {
  const entries = listEntries(folder, Date.now());
  if (isJson) {
    const kept = entries.map(({ nodes, notKept, ...entry }) => ({
      ...entry,
      paths: nodes.map((node) => node.path),
      notKept,
    }));
    await say(`${JSON.stringify({ version: 1, folder, kept })}\n`);
    return 0;
  }
  const lines = entries.map(
    (entry) =>
      `${entry.id}  ${entry.at.slice(0, 16).replace('T', ' ')}  ${keptCountText(entry)}, ${keptForText(entry.for)}: ${inSentence(entry.title.split('\n')[0] ?? '', 80)}`,
  );
  await say(lines.length === 0 ? 'Nothing is kept.\n' : `${lines.join('\n')}\n`);
  return 0;
}

async function listOne(
  entry: KeptEntry,
  now: readonly NodeNow[],
  { say }: RestoreProcess,
  isJson: boolean,
): Promise<number> {
  if (isJson) {
    const { nodes: _, ...said } = entry;
    const paths = now.map(({ node, state }) => ({ ...node, state }));
    await say(`${JSON.stringify({ version: 1, ...said, paths })}\n`);
    return 0;
  }
  const lines = now.map(({ node, state }) => `${shown(node.path)}  (${keptStateText(state)})`);
  const missing = entry.notKept.map((one) => `${shown(one.path)}  (not kept: ${notKeptText(one.because)})`);
  await say(`${[...lines, ...missing].join('\n')}\n`);
  return 0;
}

async function restoreOne(
  entry: KeptEntry,
  now: readonly NodeNow[],
  folder: string,
  { say, ask, launcher }: RestoreProcess,
  { isJson, takesNewer }: { isJson: boolean; takesNewer: boolean },
): Promise<number> {
  const newer = now.filter(({ state }) => state === 'newer');
  let replacesNewer = takesNewer;
  if (newer.length > 0 && !takesNewer && ask && !isJson) {
    const names = newer.slice(0, 10).map(({ node }) => `  ${shown(node.path)}\n`);
    const more = newer.length > names.length ? `  and ${countOf(newer.length - names.length, 'more', 'more')}\n` : '';
    await say(`${names.join('')}${more}`);
    replacesNewer = await ask(
      `${countOf(newer.length, 'path has', 'paths have')} changed since. Replace ${newer.length === 1 ? 'it' : 'them'} as well (what stands there is kept)? [y/N] `,
    );
  }
  const use = { folder, mostBytes: usualNetBytes, launcher };
  const result = await restoreKept(entry, now, { use, replacesNewer, now: Date.now() });
  await say(isJson ? `${JSON.stringify({ version: 1, id: entry.id, ...result })}\n` : `${resultText(result)}\n`);
  return result.failed.length > 0 ? 3 : result.newer.length > 0 ? 1 : 0;
}

function resultText({ restored, same, newer, failed, apart, keptAs }: Restored): string {
  const lines = [`Restored ${countOf(restored.length, 'path')}.`];
  if (same.length > 0) lines.push(`${countOf(same.length, 'path was', 'paths were')} there already.`);
  if (newer.length > 0)
    lines.push(
      `Left ${countOf(newer.length, 'path')} that changed since (--newer replaces what stands there):`,
      ...newer.map((one) => `  ${shown(one)}`),
    );
  for (const file of apart) lines.push(`${shown(file)} had further names; it is a file of its own now.`);
  for (const { path: file, code } of failed) lines.push(`Not restored: ${shown(file)} (${notPutText(code)})`);
  if (keptAs !== undefined) lines.push(`What was replaced is kept: foretell restore ${keptAs}`);
  return lines.join('\n');
}

function shown(file: string): string {
  return inSentence(printable(file), 400);
}
