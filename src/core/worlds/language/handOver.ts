import path from 'node:path';
import { redactForPrompt } from '../../context/redactForPrompt.ts';
import type { LeftOut, Redacted } from '../../context/workspaceContext.ts';
import type { PredictionEvent } from '../../prediction/event.ts';
import type { ProgramOutcome, StoppedProgram } from '../../prediction/worldModel.ts';
import { describeProgram } from '../../verdict/knownPrograms.ts';
import type { FileChange } from '../../view/fileChange.ts';
import { type Asked, type Asker, createAsker } from './ask.ts';
import {
  addScriptChanges,
  changedFiles,
  changesCommand,
  type KnownChanges,
  mostFiles,
  realChanges,
  statusCommand,
  statusText,
} from './imaginedChanges.ts';
import { redactInput } from './redactInput.ts';
import { pathsOfChanges } from './session.ts';
import { type Grounding, type Grounds, groundingOf } from './trajectory.ts';
import type { Dialect, Turn } from './turn.ts';
import { parseShellReply, renderShellReply } from './turnTextShell.ts';
import { parseReadReply, readAction, shellAction, shellWord } from './turnTextTools.ts';

/** Longest standard input that is shown to the model, in characters. */
const mostInput = 16_384;
const nothing = new Uint8Array();

/**
 * Answers for programs that may not run by asking a language world model: what the program prints and how it ends; then,
 * as further turns of the same trajectory, what a look would show afterwards (`git status`, new folders, contents), which
 * becomes its changes. What the model cannot know is assumed, and says so.
 *
 * Programs of one prediction are asked about one after the other, each with what the earlier ones were said to do.
 */
export function createHandOver(grounds: Grounds): (program: StoppedProgram) => Promise<ProgramOutcome> {
  /** Of the programs that were answered for, as earlier turns of the ones that follow. */
  const told: Turn[] = [];
  let asker: Asker | undefined;
  let tell: (event: PredictionEvent) => void = () => {};
  let queue: Promise<unknown> = Promise.resolve();
  return (program) => {
    tell = program.tell;
    asker ??= createAsker(grounds.language, (event) => tell(event));
    const imagining = createImagining(grounds, asker, program, told);
    const answer = queue.then(imagining, imagining);
    queue = answer.catch(() => {});
    return answer;
  };
}

function createImagining(
  grounds: Grounds,
  asker: Asker,
  program: StoppedProgram,
  told: Turn[],
): () => Promise<ProgramOutcome> {
  const dialect: Dialect = grounds.language.dialect ?? 'qwen';
  const label = program.argv.map(shellWord).join(' ');
  let title = program.argv[0] ?? '';
  const turns: Turn[] = [];
  const secrets: Redacted[] = [];
  const leftOut: LeftOut[] = [];
  let grounding: Grounding;

  async function ask(purpose: 'output' | 'changes' | 'content', what: string, sampled: boolean): Promise<Asked> {
    return asker.ask({
      program: program.id,
      purpose,
      title: `${title}: ${what}`,
      domain: 'swe',
      turns: [...grounding.turns, ...told, ...turns],
      leftOut: [...grounding.context.leftOut, ...leftOut],
      redacted: [...grounding.context.redacted, ...secrets],
      sampled,
      signal: program.signal,
    });
  }

  /** Asks for one more look of the same trajectory. */
  async function look(purpose: 'changes' | 'content', what: string, action: Turn['action']): Promise<Asked> {
    turns.push({ action, part: 'action', note: what });
    const asked = await ask(purpose, what, false);
    if (asked.ok) settle(asked.observation);
    else turns.pop();
    return asked;
  }

  /** What was asked is history now. */
  function settle(observation: string): void {
    const last = turns.at(-1);
    if (last) Object.assign(last, { observation, part: 'history' });
  }

  async function redacted(text: string, where: string): Promise<string> {
    const result = await redactForPrompt(text);
    for (const { kind, count } of result.found) secrets.push({ where, kind, count });
    return result.text;
  }

  /** The program as a command line: what differs in its environment, its words, its standard input. */
  async function commandLine(): Promise<string> {
    const { bytes } = await program.readStdin(mostInput);
    const named = ownVariables(program.env, grounds.env).map(([name, value]) => `${name}=${shellWord(value)}`);
    const words = [...named, label].join(' ');
    if (bytes.length === 0) return redacted(words, 'the command');
    const text = Buffer.from(bytes).toString('utf8');
    if (text.includes('\0') || text.includes('\ufffd')) {
      leftOut.push({ what: 'standard input', why: `${bytes.length} bytes that are no text` });
      return redacted(words, 'the command');
    }
    const shown = text.slice(0, mostInput);
    if (shown.length < text.length) leftOut.push({ what: 'the end of standard input', why: 'it is long' });
    const script = grounds.action.kind === 'command' ? grounds.action.script : '';
    const input = await redactInput(shown, script);
    for (const { kind, count } of input.found) secrets.push({ where: 'standard input', kind, count });
    const mark = input.text.includes('\nEOF\n') ? 'END_OF_INPUT' : 'EOF';
    const line = await redacted(words, 'the command');
    return `${line} <<'${mark}'\n${input.text}${input.text.endsWith('\n') ? '' : '\n'}${mark}`;
  }

  /** What the script did before this program, as a look that shows it. */
  async function earlierChanges(known: KnownChanges, changes: readonly FileChange[]): Promise<Turn[]> {
    for (const step of grounds.session?.steps ?? []) addScriptChanges(known, step.changes);
    addScriptChanges(known, changes);
    // What an earlier program was said to write may be gone again.
    if (known.byScript.size === 0 && told.length === 0) return [];
    const stdout = await redacted(statusText(known, 200), 'names of files');
    const observation = renderShellReply(dialect, { command: statusCommand, cwd: program.cwd, stdout, exitCode: 0 });
    const note = 'what the script has changed already';
    return [{ action: shellAction(dialect, statusCommand, program.cwd), observation, part: 'history', note }];
  }

  async function changesOf(known: KnownChanges): Promise<Imagined> {
    const asked = await look('changes', 'what changed', shellAction(dialect, changesCommand, program.cwd));
    if (!asked.ok) return { changes: [], notes: [], assumed: ['changes nothing'], why: asked.message };
    const { stdout } = parseShellReply(dialect, asked.observation);
    const where = { cwd: program.cwd, workspaceFolders: grounds.workspaceFolders };
    const { written, deleted, outside } = await changedFiles(known, stdout, where, async (what, command) => {
      const found = await look('changes', what, shellAction(dialect, command, program.cwd));
      return found.ok ? parseShellReply(dialect, found.observation).stdout : undefined;
    });
    const imagined: Imagined = { changes: [], notes: [], assumed: [] };
    if (outside.length > 0)
      imagined.notes.push(`The model says that ${outside[0]} changes too, which is outside the workspace.`);
    for (const place of deleted) imagined.changes.push({ path: place, after: null });
    for (const [index, place] of written.entries()) {
      const why = `the contents of at most ${mostFiles} files are asked for`;
      await addContent(imagined, place, index < mostFiles ? await contentOf(place) : { ok: false, why });
    }
    return imagined;
  }

  /** What nobody said stays as it is, or is empty where there is nothing yet: emptying a file would be a claim. */
  async function addContent(imagined: Imagined, place: string, content: Content) {
    const { changes, notes, assumed } = imagined;
    if (content.ok) {
      changes.push({
        path: place,
        after: content.bytes,
        ...(content.mode === undefined ? {} : { mode: content.mode }),
      });
      if (content.note !== undefined) notes.push(content.note);
      return;
    }
    imagined.why ??= content.why;
    const name = path.relative(program.cwd, place);
    const isThere = (await program.readFile(place, 1)) !== undefined;
    if (!isThere) changes.push({ path: place, after: nothing });
    assumed.push(isThere ? `leaves ${name} as it is` : `leaves ${name} empty`);
  }

  async function contentOf(place: string): Promise<Content> {
    const name = path.relative(program.cwd, place);
    const asked = await look('content', name, readAction(dialect, place));
    if (!asked.ok) return { ok: false, why: asked.message };
    const reply = asked.observation;
    const isShort = reply.trim().split('\n').length <= 2;
    const isBinary = isShort && /\bbinary file\b/i.test(reply);
    if (isBinary || linksTo(program.argv, program.cwd) === place) {
      const note = `${name} is a binary file; what stands in it is not predicted.`;
      const isProgram = !/\.\w+$/.test(name) || name.endsWith('.out');
      return isProgram ? { ok: true, bytes: someBinary, mode: 0o755, note } : { ok: true, bytes: nothing, note };
    }
    const read = parseReadReply(reply);
    if (!read && isShort) return { ok: false, why: `the model says of ${name}: ${reply.trim()}` };
    const text = read?.text ?? reply;
    const bytes = Buffer.from(text === '' || text.endsWith('\n') ? text : `${text}\n`);
    return { ok: true, bytes, ...(read?.isCut ? { note: `Only a part of ${name} is predicted.` } : {}) };
  }

  return async () => {
    const { argv, cwd, readFile, signal } = program;
    const changes = await program.changes();
    const changed = pathsOfChanges(changes);
    grounding = await groundingOf(grounds, 'swe', { cwd, program: { argv, cwd }, readFile, changed });
    const known = await realChanges(grounds.looker, cwd, signal, grounding.context.observations);
    turns.push(...(await earlierChanges(known, changes)));
    const command = await commandLine();
    title = (await redactForPrompt(label)).text;
    turns.push({ action: shellAction(dialect, command, cwd), part: 'action', note: title });
    const asked = await ask('output', 'what it prints', true);
    if (!asked.ok) return assumed(asked.message);
    settle(asked.observation);
    const reply = parseShellReply(dialect, asked.observation);
    const asksChanges = !onlyReads(grounds, program) && !signal.aborted;
    const found = asksChanges ? await changesOf(known) : { changes: [], notes: [], assumed: [] };
    if (reply.exitCode === undefined) {
      found.assumed.unshift('exits 0');
      found.why ??= 'the model does not say how it ends';
    }
    for (const text of found.notes) program.tell({ type: 'notice', text });
    told.push(...turns.map((turn) => ({ ...turn, part: 'history' as const })));
    return {
      stdout: Buffer.from(reply.stdout),
      stderr: Buffer.from(reply.stderr),
      exitCode: clampExit(reply.exitCode ?? 0),
      changes: found.changes,
      basis: 'imagined',
      ...(found.assumed.length > 0 ? { assumed: found.assumed.join(', '), why: found.why ?? '' } : {}),
    };
  };
}

/** What a program is said to have changed; `assumed`: clauses of what nobody said. */
interface Imagined {
  changes: ProgramOutcome['changes'];
  notes: string[];
  assumed: string[];
  why?: string;
}

type Content = { ok: true; bytes: Uint8Array; mode?: number; note?: string } | { ok: false; why: string };

/** Begins like a compiled program, so that whoever starts it is stopped at the gate and asked about again. */
const someBinary = Buffer.from('\u007fELF of which nobody knows more\n');

/** The program that a compiler is told to write: `cc main.c -o main`. */
function linksTo(argv: readonly string[], cwd: string): string | undefined {
  const compilers = /^(?:[\w.-]+-)?(?:g?cc|c\+\+|g\+\+|clang|clang\+\+|tcc|ld|rustc|go)(?:-[\d.]+)?$/;
  if (!compilers.test(path.basename(argv[0] ?? '')) || argv.some((word) => /^(?:-[cSE]|-shared)$/.test(word)))
    return undefined;
  const at = argv.indexOf('-o');
  const name = at < 0 ? 'a.out' : argv[at + 1];
  return name === undefined ? undefined : path.resolve(cwd, name);
}

function assumed(why: string): ProgramOutcome {
  return { stdout: nothing, stderr: nothing, exitCode: 0, changes: [], basis: 'assumed', why };
}

function clampExit(code: number): number {
  return Number.isInteger(code) && code >= 0 && code <= 255 ? code : 1;
}

/** The table of known programs says that it changes nothing: then nobody is asked what it changed. */
function onlyReads(grounds: Grounds, { argv, cwd }: StoppedProgram): boolean {
  const knowledge = describeProgram(argv, cwd, {
    home: grounds.env['HOME'] ?? '/nonexistent',
    workspaceFolders: grounds.workspaceFolders,
  });
  return knowledge.known && knowledge.level === 'safe' && knowledge.effects.length === 0;
}

// What shells, terminals and npm set themselves.
const everybodys =
  /^(_|PWD|OLDPWD|SHLVL|PATH|HOME|USER|LOGNAME|SHELL|TERM|COLUMNS|LINES|LANG|LC_.*|FORETELL_.*|GIT_.*|npm_.*|INIT_CWD|COLOR|EDITOR|NODE)$/;

/** Variables that the script set for the program, and the few that decide what tools print. */
function ownVariables(
  env: Readonly<Record<string, string>>,
  usual: Readonly<Record<string, string>>,
): [string, string][] {
  return Object.entries(env)
    .filter(([name, value]) => !everybodys.test(name) && usual[name] !== value && value.length <= 200)
    .slice(0, 20);
}
