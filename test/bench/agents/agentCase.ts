import fs from 'node:fs';
import path from 'node:path';
import type { Files, FileText } from './editInputs.ts';

/** One call, made in a folder of its own. `@/` in arguments stands for that folder. */
export interface AgentCase {
  tool: string;
  name: string;
  files: Files;
  args: Record<string, unknown>;
  /** The agent has read this file before; `@/` as in arguments. */
  reads?: string;
  /** A part of the result is drawn at random. */
  isRandom?: true;
}

/** A case with what the agent really did: a line of `test/fixtures/agentEdits/<agent>@<version>.jsonl`. */
export interface ObservedCase extends Omit<AgentCase, 'reads'> {
  /** What its model was told; `@/` stands for the folder, `@ROOT` for the one above, in which the agent was started. */
  words: string | null;
  isError?: boolean;
  /** Files that differ afterwards; null: gone. */
  changed: Record<string, FileText | null>;
}

/** Makes the files of a case. */
export function placeFiles(folder: string, files: Files): void {
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (typeof content === 'string') fs.writeFileSync(file, content);
    else if ('base64' in content) fs.writeFileSync(file, Buffer.from(content.base64, 'base64'));
    else if ('link' in content) fs.symlinkSync(content.link, file);
    else fs.mkdirSync(file);
  }
}

/** A value of a call, with the folder in place of `@/` and its relative name in place of `@./`. */
export function placed<T>(value: T, folder: string): T {
  if (typeof value === 'string')
    return value.replaceAll('@/', `${folder}/`).replaceAll('@./', `${path.basename(folder)}/`) as T;
  if (Array.isArray(value)) return value.map((one) => placed(one, folder)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, placed(one, folder)])) as T;
}

/** Words of an agent without the folders in them. */
export function unplaced(words: string, folder: string): string {
  const plain = words.replaceAll(`${folder}/`, '@/').replaceAll(path.dirname(folder), '@ROOT');
  return plain.replaceAll(new RegExp(`\\b${path.basename(folder)}/`, 'g'), '@./');
}

/** What differs in a folder from what was put there. */
export function changedIn(folder: string, files: Files): ObservedCase['changed'] {
  const now = new Map<string, FileText>();
  const walk = (at: string) => {
    for (const entry of fs.readdirSync(at, { withFileTypes: true })) {
      const file = path.join(at, entry.name);
      const name = path.relative(folder, file);
      if (entry.isDirectory()) walk(file);
      else if (entry.isSymbolicLink()) now.set(name, { link: fs.readlinkSync(file) });
      else now.set(name, contentOf(fs.readFileSync(file)));
    }
  };
  walk(folder);
  const differs = [...now].filter(([name, content]) => JSON.stringify(content) !== JSON.stringify(files[name]));
  const gone = Object.entries(files).filter(
    ([name, content]) => !now.has(name) && !(typeof content === 'object' && 'folder' in content),
  );
  return Object.fromEntries([...differs, ...gone.map(([name]): [string, null] => [name, null])]);
}

/** Bytes as text, where they are UTF-8 without bytes of zero. */
export function contentOf(bytes: Buffer): FileText {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) && !bytes.includes(0) ? text : { base64: bytes.toString('base64') };
}
