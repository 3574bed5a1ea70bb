import { describeProgram } from '../../../programs/knownPrograms.ts';
import { unwrap } from '../../../programs/wrappers.ts';
import type { Call, Reader } from './call.ts';
import { copyReaders } from './copyReaders.ts';
import { fileReaders } from './fileReaders.ts';
import { git } from './gitReaders.ts';
import { treeReaders } from './treeReaders.ts';

/** Words of the shell itself, and programs that only read or print, whatever their arguments. */
const harmless =
  /^(:|\[|\[\[|test|true|false|echo|printf|cd|pushd|popd|pwd|exit|return|break|continue|shift|wait|read|export|declare|local|readonly|typeset|set|shopt|unset|umask|type|hash|jobs|getopts|let|trap|alias|sleep|ls|cat|head|tail|wc|grep|egrep|fgrep|cut|tr|uniq|seq|date|basename|dirname|realpath|readlink|stat|du|df|diff|cmp|env|id|whoami|uname|which|command)$/;

const table: Readonly<Record<string, Reader>> = {
  ...fileReaders,
  ...copyReaders,
  ...treeReaders((call, tools) => readCall(call, tools)),
  git,
};

/** Whether a program of this name can destroy files and is read by its arguments. */
export function hasReader(name: string): boolean {
  return Object.hasOwn(table, name);
}

/** Reads one call. What only starts another program destroys nothing itself: the other one is a call of its own. */
export const readCall: Reader = async (call, tools) => {
  const read = Object.hasOwn(table, call.name) ? table[call.name] : undefined;
  if (read) return read(call, tools);
  const texts = [call.name, ...call.words.map(({ text }) => text)];
  if (unwrap(texts)) return 'exact';
  if (harmless.test(call.name)) return 'exact';
  return onlyReads(call, texts) ? 'exact' : 'unknown';
};

function onlyReads(call: Call, argv: readonly string[]): boolean {
  const { known, level, effects } = describeProgram(argv, call.cwd);
  return known && level === 'safe' && effects.length === 0;
}
