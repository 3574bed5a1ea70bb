import path from 'node:path';
import { redactForPrompt } from '../../../context/secrets/redactForPrompt.ts';
import type { LeftOut, Redacted } from '../../../context/workspaceContext.ts';
import type { AssumedPart, AssumptionReason } from '../../../facts/assumption.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { ProgramOutcome, StoppedProgram } from '../../../prediction/rehearsal.ts';
import { describeProgram } from '../../../programs/describeProgram.ts';
import { programOf } from '../../../programs/programOf.ts';
import { quoteCall, quoteWord } from '../../../shell/quoteWord.ts';
import type { FileChange } from '../../../view/fileChange.ts';
import { assumptionReasonText } from '../../../words/assumptionText.ts';
import { redactInput } from '../prompt/redactInput.ts';
import { pathsOfChanges } from '../prompt/turns/session.ts';
import { type Grounding, type Grounds, groundingOf } from '../prompt/turns/trajectory.ts';
import type { Dialect, Turn } from '../prompt/turns/turn.ts';
import { renderShellReply } from '../prompt/turns/turnTextShell.ts';
import { readAction, shellAction } from '../prompt/turns/turnTextTools.ts';
import { unknownMarker } from '../prompt/turns/turnTextUnknown.ts';
import { type AnswerForm, contentForm, hasRedaction, listingForm, shellForm } from '../reply/answerForms.ts';
import { exitCodeOfEnd, type SaidOutcome } from '../reply/readShellReply.ts';
import { type Asker, createAsker } from './ask.ts';
import type { Asked } from './asking.ts';
import {
  addScriptChanges,
  changesCommand,
  type KnownChanges,
  realChanges,
  statusCommand,
  statusText,
} from './imaginedChanges.ts';
import { type ImaginedFiles, imaginedFiles, noImaginedFiles } from './imaginedFiles.ts';

/** Longest standard input that is shown to the model, in characters. */
const mostInput = 16_384;
/** Of a file that a model was asked about, at most this is compared with what it is now, in bytes. */
const mostCompared = 1024 ** 2;
const nothing = new Uint8Array();

/**
 * Answers for programs that may not run by asking a language world model: what the program prints and how it ends; then,
 * as further turns of the same trajectory, what a look would show afterwards (`git status`, new folders, contents), which
 * becomes its changes. What the model cannot know, and what is no answer, is assumed, and says so.
 *
 * Programs of one prediction are asked about one after the other, each with what the earlier ones were said to do.
 */
export function createHandOver(grounds: Grounds): (program: StoppedProgram) => Promise<ProgramOutcome> {
  const told: Told = { turns: [], files: new Map(), hasGaps: false };
  let asker: Asker | undefined;
  let tell: (event: FactEvent) => void = () => {};
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

/** What was said of the programs that were answered for, for the ones that follow. */
interface Told {
  /** As earlier turns. What nobody predicted stands there as not known. */
  turns: Turn[];
  /** Files whose content is a model's word, or is not known, by path: what was written for it then. */
  files: Map<string, { bytes: Uint8Array | null | undefined; isKnown: boolean }>;
  /** Of a program it is not known what it has changed. */
  hasGaps: boolean;
}

/** What was kept from the model, for one program. */
interface Withheld {
  secrets: Redacted[];
  leftOut: LeftOut[];
}

async function redacted(text: string, where: string, { secrets }: Withheld): Promise<string> {
  const result = await redactForPrompt(text);
  for (const { kind, count } of result.found) secrets.push({ where, kind, count });
  return result.text;
}

/** The program as a command line: what differs in its environment, its words, its standard input. */
async function commandLine(grounds: Grounds, program: StoppedProgram, withheld: Withheld): Promise<string> {
  const { secrets, leftOut } = withheld;
  const { bytes } = await program.readStdin(mostInput);
  const named = ownVariables(program.env, grounds.env).map(([name, value]) => `${name}=${quoteWord(value)}`);
  const words = [...named, quoteCall(program.argv)].join(' ');
  if (bytes.length === 0) return redacted(words, 'the command', withheld);
  const text = Buffer.from(bytes).toString('utf8');
  if (text.includes('\0') || text.includes('\ufffd')) {
    leftOut.push({ what: 'standard input', why: `${bytes.length} bytes that are no text` });
    return redacted(words, 'the command', withheld);
  }
  const shown = text.slice(0, mostInput);
  if (shown.length < text.length) leftOut.push({ what: 'the end of standard input', why: 'it is long' });
  const script = grounds.action.kind === 'command' ? grounds.action.script : '';
  const input = await redactInput(shown, script);
  for (const { kind, count } of input.found) secrets.push({ where: 'standard input', kind, count });
  const mark = input.text.includes('\nEOF\n') ? 'END_OF_INPUT' : 'EOF';
  const line = await redacted(words, 'the command', withheld);
  return `${line} <<'${mark}'\n${input.text}${input.text.endsWith('\n') ? '' : '\n'}${mark}`;
}

/** What the script did before this program, as a look that shows it. */
async function earlierChanges(
  { grounds, program, told, withheld }: { grounds: Grounds; program: StoppedProgram; told: Told; withheld: Withheld },
  known: KnownChanges,
  changes: readonly FileChange[],
): Promise<Turn[]> {
  const dialect = grounds.language.dialect ?? 'qwen';
  for (const step of grounds.session?.steps ?? []) addScriptChanges(known, step.changes);
  addScriptChanges(known, changes);
  // What an earlier program was said to write may be gone again.
  if (known.byScript.size === 0 && told.turns.length === 0) return [];
  // Where nobody said what a program has changed, it is not known what else a look at everything would show.
  const only = told.hasGaps ? [...known.byScript] : undefined;
  if (only?.length === 0) return [];
  const names = only ? ` -- ${only.map((place) => quoteWord(path.relative(program.cwd, place))).join(' ')}` : '';
  const command = `${statusCommand}${names}`;
  const stdout = await redacted(statusText(known, 200, only && new Set(only)), 'names of files', withheld);
  const observation = renderShellReply(dialect, { command, cwd: program.cwd, stdout, exitCode: 0 });
  const note = 'what the script has changed already';
  return [{ action: shellAction(dialect, command, program.cwd), observation, part: 'history', note }];
}

/** Files whose content is the word of a model, or not known, and has not been written by the script since. */
async function unseenFiles(program: StoppedProgram, told: Told): Promise<Map<string, string>> {
  const unseen = new Map<string, string>();
  for (const [place, { bytes, isKnown }] of told.files) {
    const now = await program.readFile(place, mostCompared);
    const isSame = bytes
      ? now !== undefined && Buffer.from(bytes).subarray(0, mostCompared).equals(now)
      : now === undefined;
    if (!isSame && bytes !== undefined) told.files.delete(place);
    else unseen.set(place, isKnown ? 'only a model has said what is in it' : 'what is in it is not known');
  }
  return unseen;
}

/** Keeps what was said for the programs that follow. */
function tellOthers(told: Told, turns: readonly Turn[], found: ImaginedFiles, isChangeKnown: boolean): void {
  told.turns.push(...turns.map((turn) => ({ ...turn, part: 'history' as const })));
  told.hasGaps ||= !isChangeKnown;
  for (const { path: place, after } of found.changes) told.files.set(place, { bytes: after, isKnown: true });
  for (const place of found.unknown) {
    const bytes = found.changes.find((one) => one.path === place)?.after;
    told.files.set(place, { bytes, isKnown: false });
  }
}

function createImagining(
  grounds: Grounds,
  asker: Asker,
  program: StoppedProgram,
  told: Told,
): () => Promise<ProgramOutcome> {
  const dialect: Dialect = grounds.language.dialect ?? 'qwen';
  const wording = { dialect, style: grounds.language.style ?? ('benchmark' as const) };
  const label = quoteCall(program.argv);
  let title = program.argv[0] ?? '';
  const turns: Turn[] = [];
  const withheld: Withheld = { secrets: [], leftOut: [] };
  let grounding: Grounding;

  async function ask<T>(
    purpose: 'output' | 'changes' | 'content',
    what: string,
    form: AnswerForm<T>,
  ): Promise<Asked<T>> {
    return asker.ask({
      program: program.id,
      purpose,
      title: `${title}: ${what}`,
      what,
      domain: 'swe',
      form,
      // What the script has changed is looked at behind the programs that came before.
      turns: [...grounding.turns, ...told.turns, ...grounding.later, ...turns],
      leftOut: [...grounding.context.leftOut, ...withheld.leftOut],
      redacted: [...grounding.context.redacted, ...withheld.secrets],
      sampled: purpose !== 'content',
      signal: program.signal,
    });
  }

  /** Asks for one more look of the same trajectory. */
  async function look<T>(
    purpose: 'changes' | 'content',
    what: string,
    action: Turn['action'],
    form: AnswerForm<T>,
  ): Promise<Asked<T>> {
    turns.push({ action, part: 'action', note: what });
    const asked = await ask(purpose, what, form);
    settle(asked.ok ? asked.observation : unknownMarker(assumptionReasonText(asked.because)));
    return asked;
  }

  /** What was asked is history now. */
  function settle(observation: string): void {
    const last = turns.at(-1);
    if (last) Object.assign(last, { observation, part: 'history' });
  }

  async function changesOf(known: KnownChanges): Promise<ImaginedFiles> {
    const { argv, cwd } = program;
    return imaginedFiles({
      known,
      cwd,
      workspaceFolders: grounds.workspaceFolders,
      linked: linksTo(argv, cwd),
      isThere: async (place) => (await program.readFile(place, 1)) !== undefined,
      looks: {
        status: () =>
          look('changes', 'what changed', shellAction(dialect, changesCommand, cwd), listingForm(wording, 'status')),
        files: (what, command) =>
          look('changes', what, shellAction(dialect, command, cwd), listingForm(wording, 'files')),
        content: (place) => look('content', path.relative(cwd, place), readAction(dialect, place), contentForm(place)),
      },
    });
  }

  return async () => {
    const { argv, cwd, readFile, signal } = program;
    const changes = await program.changes();
    const changed = pathsOfChanges(changes);
    const unseen = await unseenFiles(program, told);
    grounding = await groundingOf(grounds, 'swe', { cwd, program: { argv, cwd }, readFile, changed, unseen });
    const known = await realChanges(grounds.looker, cwd, signal, grounding.context.observations);
    turns.push(...(await earlierChanges({ grounds, program, told, withheld }, known, changes)));
    const command = await commandLine(grounds, program, withheld);
    title = (await redactForPrompt(label)).text;
    turns.push({ action: shellAction(dialect, command, cwd), part: 'action', note: title });
    const asked = await ask('output', 'what it prints', shellForm(wording));
    if (!asked.ok || !asked.value) {
      const because: AssumptionReason = asked.ok ? { kind: 'noAnswer' } : asked.because;
      settle(unknownMarker(assumptionReasonText(because)));
      tellOthers(told, turns, noImaginedFiles(), false);
      return { stdout: nothing, stderr: nothing, exitCode: 0, changes: [], basis: 'assumed', because };
    }
    settle(asked.observation);
    const asksChanges = !onlyReads(grounds, program) && !signal.aborted;
    const found = asksChanges ? await changesOf(known) : noImaginedFiles();
    for (const fact of found.notes) program.tell({ type: 'notice', fact });
    tellOthers(
      told,
      turns,
      found,
      found.assumes.every(({ kind }) => kind === 'leavesAsIs' || kind === 'leavesEmpty'),
    );
    return outcomeOf(asked.value, found);
  };
}

/** What was said of a program, as what it would have done; what was not said is assumed. */
function outcomeOf({ stdout, stderr, end }: SaidOutcome, found: ImaginedFiles): ProgramOutcome {
  const assumes: AssumedPart[] = [...found.assumes];
  let because = found.because;
  const isHidden = hasRedaction(stdout) || hasRedaction(stderr);
  if (isHidden) {
    assumes.unshift({ kind: 'printsNothing' });
    because = { kind: 'unusable', fault: { kind: 'redacted' } };
  }
  if (!end) {
    assumes.unshift({ kind: 'exits', exitCode: 0 });
    because ??= { kind: 'endNotAsked' };
  }
  const waits = end?.how === 'waits';
  const exitCode = end ? exitCodeOfEnd(end) : 0;
  if (waits) {
    assumes.unshift({ kind: 'endedFromOutside', exitCode });
    because = { kind: 'neverEnds' };
  }
  return {
    stdout: isHidden ? nothing : Buffer.from(stdout),
    stderr: isHidden ? nothing : Buffer.from(stderr),
    exitCode,
    changes: found.changes,
    basis: 'imagined',
    ...(waits ? { waits } : {}),
    ...(waits || !end ? { exitIsAssumed: true } : {}),
    ...(assumes.length > 0 ? { assumes, ...(because ? { because } : {}) } : {}),
  };
}

/** The program that a compiler is told to write: `cc main.c -o main`. */
function linksTo(argv: readonly string[], cwd: string): string | undefined {
  const called = path.basename(argv[0] ?? '');
  // `aarch64-linux-gnu-gcc-12` is a gcc.
  const compiler = programOf(called) ?? programOf(called.replace(/^[\w.-]+-(?=[a-z+]+(?:-[\d.]+)?$)/, ''));
  if (!compiler?.links || argv.some((word) => /^(?:-[cSE]|-shared)$/.test(word))) return undefined;
  const at = argv.indexOf('-o');
  const name = at < 0 ? 'a.out' : argv[at + 1];
  return name === undefined ? undefined : path.resolve(cwd, name);
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
