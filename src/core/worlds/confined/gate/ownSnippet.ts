import path from 'node:path';
import { runsOnlyItself } from '../../../programs/code/runsOnlyItself.ts';
import { codeWords } from '../../../programs/known.ts';
import { isOwnCode } from '../../../programs/ownCode.ts';
import type { KnownForm } from '../../../programs/program.ts';
import { programOf } from '../../../programs/programOf.ts';
import type { Gated, Launcher } from '../wire/launcher.ts';
import { namedArgv } from '../wire/runRecord.ts';
import { inputOf } from './inputOf.ts';

/** Most that is read of a pipe and put back there, in bytes: a pipe holds 64 KiB (pipe(7)). */
const mostRead = 60_000;
/** Who writes into it may be slow on a busy machine; each try waits for 200 ms. */
const mostTries = 4;

/**
 * Whether the code that a stopped program of a known form would run stands in the command itself, and runs no other. What came from a
 * file, whether by a substitution, a pipe or the code's own reading, is a program of others.
 */
export function runsOwnCode(
  form: KnownForm,
  gated: Gated,
  launcher: Launcher,
  script: string,
): boolean | Promise<boolean> {
  const argv = namedArgv(gated);
  const language = programOf(argv[0] ?? '')?.language ?? '';
  if (form.fed) return gated.stdin === 'null' || readsOwnCode(language, gated, launcher, script);
  if (!form.runsWords) return true;
  const { codes, options } = codeWords(form, argv);
  if (!codes.every((code) => isOwnCode(code, script, { isRead: false }))) return false;
  // `-MStorable` of Perl is `use Storable`.
  const used = options.map((option) => option.replace(/^-[^A-Z]*[mM](?=[A-Z])/, 'use '));
  return mayRun([...used, ...codes].join('\n'), language, gated, launcher);
}

async function readsOwnCode(language: string, gated: Gated, launcher: Launcher, script: string): Promise<boolean> {
  const { bytes, eof } = await inputOf(launcher, gated, mostTries);
  // Nothing was read: nobody knows whether something is there.
  if (!eof || bytes.length === 0 || bytes.length > mostRead) return false;
  const code = Buffer.from(bytes).toString('utf8');
  if (!isOwnCode(code, script, { isRead: true }) || !(await mayRun(code, language, gated, launcher))) return false;
  launcher.giveBack(gated.token, bytes);
  return true;
}

function mayRun(code: string, language: string, gated: Gated, launcher: Launcher): boolean | Promise<boolean> {
  const reach = runsOnlyItself(code, language);
  if (!reach || reach.data.length === 0) return reach !== undefined;
  // By its name `a.json` is data, but a folder has code of its own, and a link may lead to code.
  return Promise.all(reach.data.map((name) => launcher.stat(path.resolve(gated.cwd, name), 'after'))).then((nodes) =>
    nodes.every((node) => node === undefined || node.type === 'file'),
  );
}
