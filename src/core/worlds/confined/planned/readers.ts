import { describeProgram } from '../../../programs/describeProgram.ts';
import type { PlannedReader } from '../../../programs/program.ts';
import { programNamed } from '../../../programs/programOf.ts';
import { startedBy } from '../../../programs/startedBy.ts';
import type { Call, Reader } from './call.ts';
import { copyReaders } from './copyReaders.ts';
import { fileReaders } from './fileReaders.ts';
import { git } from './gitReaders.ts';
import { treeReaders } from './treeReaders.ts';

const readers: Readonly<Record<PlannedReader, Reader>> = {
  ...fileReaders,
  ...copyReaders,
  ...treeReaders((call, tools) => readCall(call, tools)),
  git,
};

function readerOf(name: string): Reader | undefined {
  const planned = programNamed(name)?.planned;
  return planned === undefined || planned === 'nothing' ? undefined : readers[planned];
}

/** Whether a program of this name can destroy files and is read by its arguments. */
export function hasReader(name: string): boolean {
  return readerOf(name) !== undefined;
}

/** Reads one call. What only starts another program destroys nothing itself: the other one is a call of its own. */
export const readCall: Reader = async (call, tools) => {
  const read = readerOf(call.name);
  if (read) return read(call, tools);
  const texts = [call.name, ...call.words.map(({ text }) => text)];
  if (startedBy(texts).length > 0) return 'exact';
  if (programNamed(call.name)?.planned === 'nothing') return 'exact';
  return onlyReads(call, texts) ? 'exact' : 'unknown';
};

function onlyReads(call: Call, argv: readonly string[]): boolean {
  const { known, level, effects } = describeProgram(argv, call.cwd);
  return known && level === 'safe' && effects.length === 0;
}
