import path from 'node:path';
import { redactForPrompt } from '../../../context/secrets/redactForPrompt.ts';
import type { AssumedPart, AssumptionReason } from '../../../facts/assumption.ts';
import type { Futures, ProgramOutcome, StoppedProgram } from '../../../prediction/rehearsal.ts';
import { describeProgram } from '../../../programs/describeProgram.ts';
import { programOf } from '../../../programs/programOf.ts';
import { quoteCall, quoteWord } from '../../../shell/quoteWord.ts';
import type { FileChange } from '../../../view/fileChange.ts';
import { assumptionReasonText } from '../../../words/assumptionText.ts';
import { contentsCommand, markerFor, withLookBehind } from '../prompt/turns/compound.ts';
import { pathsOfChanges } from '../prompt/turns/session.ts';
import { type Grounding, type Grounds, groundingOf } from '../prompt/turns/trajectory.ts';
import type { Dialect, Turn } from '../prompt/turns/turn.ts';
import { renderAction } from '../prompt/turns/turnText.ts';
import { renderShellReply } from '../prompt/turns/turnTextShell.ts';
import { readAction, shellAction } from '../prompt/turns/turnTextTools.ts';
import { unknownMarker } from '../prompt/turns/turnTextUnknown.ts';
import {
  type AnswerForm,
  contentForm,
  contentsForm,
  hasRedaction,
  listingForm,
  programForm,
  type SaidContent,
  shellForm,
} from '../reply/answerForms.ts';
import type { SaidRun } from '../reply/programReply.ts';
import { exitCodeOfEnd } from '../reply/readShellReply.ts';
import type { Asker } from './ask.ts';
import type { Asked } from './asking.ts';
import { commandLine, redacted, type Withheld } from './commandLine.ts';
import {
  addScriptChanges,
  changesCommand,
  type KnownChanges,
  realChanges,
  statusCommand,
  statusText,
} from './imaginedChanges.ts';
import { type ImaginedFiles, imaginedFiles, noImaginedFiles } from './imaginedFiles.ts';
import { mayReadLater } from './readsLater.ts';
import type { Told } from './told.ts';

const nothing = new Uint8Array();

/** What is needed to answer for one program. */
export interface Imagining {
  grounds: Grounds;
  asker: Asker;
  told: Told;
  program: StoppedProgram;
}

/**
 * Answers for one program. One question: the program and a look behind it, as one call of a shell tool whose reply tells
 * what is printed, how it ends and which files change. What of that is missing is asked for apart, as a further turn of
 * the same trajectory; so are contents, all in one question, where something needs them.
 */
export async function imagineProgram({ grounds, asker, told, program }: Imagining): Promise<ProgramOutcome> {
  const { argv, cwd, readFile, signal } = program;
  const dialect: Dialect = grounds.language.dialect ?? 'qwen';
  const wording = { dialect, style: grounds.language.style ?? ('benchmark' as const) };
  const withheld: Withheld = { secrets: [], leftOut: [] };
  const changes = await program.changes();
  const changed = pathsOfChanges(changes);
  const unseen = await told.unseenFiles(program);
  const grounding = await groundingOf(grounds, 'swe', {
    cwd: rootOf(grounds, cwd),
    program: { argv, cwd, path: program.env['PATH'] ?? '' },
    readFile,
    changed,
    unseen,
  });
  const known = await realChanges(grounds.looker, cwd, signal, grounding.context.observations);
  known.counted = told.counted;
  const { turns: earlier, looks } = told.groundOf(grounding);
  const status = await earlierChanges({ grounds, program, told, withheld }, known, changes);
  const line = await commandLine(grounds, program, withheld);
  const title = (await redactForPrompt(quoteCall(argv))).text;
  const trajectory = createTrajectory(
    { asker, program, title, grounding, withheld },
    [...earlier],
    [...looks, ...status],
  );
  const readsOnly = onlyReads(grounds, program);
  const marker = trajectory.marker(line);
  const command = readsOnly ? line : withLookBehind(line, changesCommand, marker);
  const form: AnswerForm<SaidRun> = readsOnly ? shellForm(wording) : programForm(wording, marker);
  const asked = await trajectory.ask('output', readsOnly ? 'what it prints' : 'what it does', {
    action: shellAction(dialect, command, cwd),
    note: title,
    form,
  });
  const filesOf = async (said: SaidRun, along: Trajectory) =>
    readsOnly || signal.aborted
      ? noImaginedFiles()
      : imaginedFiles({
          known,
          cwd,
          workspaceFolders: grounds.workspaceFolders,
          linked: linksTo(argv, cwd),
          readFile,
          // In a session the next command can read what this one leaves.
          isLast: grounds.session === undefined && !mayReadLater(grounds.action, argv, program.env),
          looks: fileLooks(along, { said, wording, cwd }),
        });
  const before = trajectory.own.slice(0, -1);
  const last = trajectory.own.at(-1);
  const futures = await futuresOf(asked, async (value, observation) => {
    const turn = last && { ...last, observation };
    const own = [...before, ...(turn ? [turn] : [])];
    const along = createTrajectory({ asker, program, title, grounding, withheld }, [...earlier], own);
    // What nobody was asked is asked once: a sample that does not say what changes is no future of its own.
    return outcomeOf(value, value.look || readsOnly ? await filesOf(value, along) : noImaginedFiles());
  });
  if (!asked.ok || !asked.value) {
    const because: AssumptionReason = asked.ok ? { kind: 'noAnswer' } : asked.because;
    told.add(trajectory.own, noImaginedFiles(), false);
    return { stdout: nothing, stderr: nothing, exitCode: 0, changes: [], basis: 'assumed', because, ...futures };
  }
  const said = asked.value;
  const found = await filesOf(said, trajectory);
  for (const fact of found.notes) program.tell({ type: 'notice', fact });
  const isChangeKnown = found.assumes.every(({ kind }) => kind === 'leavesAsIs' || kind === 'leavesEmpty');
  told.add(trajectory.own, found, isChangeKnown);
  return { ...outcomeOf(said, found), ...futures };
}

/** The folder of the workspace that it is in: what programs are shown begins alike wherever they start. */
function rootOf({ workspaceFolders }: Grounds, cwd: string): string {
  return workspaceFolders.find((folder) => cwd === folder || cwd.startsWith(`${folder}/`)) ?? cwd;
}

/** What each of several samples leads to that does not say the same as the one that counts. */
async function futuresOf(
  { samples }: Asked<SaidRun>,
  outcome: (said: SaidRun, observation: string) => Promise<ProgramOutcome>,
): Promise<Pick<ProgramOutcome, 'futures'>> {
  if (!samples) return {};
  const others: Futures['others'] = [];
  for (const { value, observation, count } of samples.others)
    others.push({ count, outcome: await outcome(value, observation) });
  return { futures: { count: samples.count, of: samples.of, others } };
}

/** One question of a trajectory: its turn, and the form of its answer. */
interface Asking<T> {
  action: Turn['action'];
  note: string;
  form: AnswerForm<T>;
}

/** The prompt of one program as it grows: each question goes on from what was asked before it. */
interface Trajectory {
  /** The turns that are this program's own. */
  readonly own: readonly Turn[];
  ask<T>(purpose: Purpose, what: string, asking: Asking<T>): Promise<Asked<T>>;
  /** Questions that do not depend on each other, at once. */
  askAtOnce<T>(purpose: Purpose, asking: readonly (Asking<T> & { what: string })[]): Promise<Asked<T>[]>;
  /** A marker for a question that stands nowhere in the prompt. */
  marker(question: string): string;
}

type Purpose = 'output' | 'changes' | 'content';

function createTrajectory(
  given: { asker: Asker; program: StoppedProgram; title: string; grounding: Grounding; withheld: Withheld },
  earlier: readonly Turn[],
  own: Turn[],
): Trajectory {
  const { asker, program, title, grounding, withheld } = given;

  async function askOne<T>(purpose: Purpose, what: string, { action, note, form }: Asking<T>, before: readonly Turn[]) {
    const asked = await asker.ask({
      program: program.id,
      purpose,
      title: `${title}: ${what}`,
      what,
      domain: 'swe',
      form,
      turns: [...earlier, ...before, { action, part: 'action', note }],
      leftOut: [...grounding.context.leftOut, ...withheld.leftOut],
      redacted: [...grounding.context.redacted, ...withheld.secrets],
      sampled: purpose !== 'content',
      signal: program.signal,
    });
    const observation = asked.ok ? asked.observation : unknownMarker(assumptionReasonText(asked.because));
    return { asked, turn: { action, note, part: 'history', observation, isPredicted: true } satisfies Turn };
  }

  const trajectory: Trajectory = {
    own,
    async ask(purpose, what, asking) {
      const { asked, turn } = await askOne(purpose, what, asking, own);
      own.push(turn);
      return asked;
    },
    async askAtOnce(purpose, asking) {
      const before = [...own];
      const all = await Promise.all(asking.map((one) => askOne(purpose, one.what, one, before)));
      own.push(...all.map(({ turn }) => turn));
      return all.map(({ asked }) => asked);
    },
    marker: (question) =>
      markerFor(
        `${program.cwd} ${question}`,
        [...earlier, ...own].map((turn) => `${renderAction(turn.action)}\n${turn.observation ?? ''}`),
      ),
  };
  return trajectory;
}

/** The looks at the state behind a program: what its own reply told of them, and questions for what it did not. */
function fileLooks(
  trajectory: Trajectory,
  {
    said,
    wording,
    cwd,
  }: { said: SaidRun; wording: { dialect: Dialect; style: 'benchmark' | 'quickstart' }; cwd: string },
) {
  const { dialect } = wording;
  const nameOf = (place: string) => path.relative(cwd, place);
  const read = (place: string) => ({
    what: nameOf(place),
    action: readAction(dialect, place),
    note: nameOf(place),
    form: contentForm(place),
  });
  return {
    async status(): Promise<Asked<string>> {
      const { look } = said;
      if (look) return look.ok ? { ok: true, observation: look.text, value: look.text } : look;
      return trajectory.ask('changes', 'what changed', {
        action: shellAction(dialect, changesCommand, cwd),
        note: 'what changed',
        form: listingForm(wording, 'status'),
      });
    },
    files: (what: string, command: string) =>
      trajectory.ask('changes', what, {
        action: shellAction(dialect, command, cwd),
        note: what,
        form: listingForm(wording, 'files'),
      }),
    async contents(places: readonly string[]): Promise<Asked<SaidContent>[]> {
      const told = new Map<string, SaidContent>();
      if (places.length > 1) {
        const names = places.map(nameOf);
        const marker = trajectory.marker(names.join(' '));
        const what = `what is in ${places.length} files`;
        const asked = await trajectory.ask('content', what, {
          action: shellAction(dialect, contentsCommand(names, marker), cwd),
          note: what,
          form: contentsForm(wording, names, marker),
        });
        for (const [name, content] of (asked.ok && asked.value) || []) told.set(name, content);
      }
      // What is missing in it, or all of it, is asked for one by one.
      const left = places.filter((place) => !told.has(nameOf(place)));
      const others = await trajectory.askAtOnce('content', left.map(read));
      return places.map((place): Asked<SaidContent> => {
        const value = told.get(nameOf(place));
        if (value) return { ok: true, observation: '', value };
        return others[left.indexOf(place)] ?? { ok: false, because: { kind: 'unusable', fault: { kind: 'partial' } } };
      });
    },
  };
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
  if (known.byScript.size === 0 && told.since.length === 0) return [];
  // Where nobody said what a program has changed, it is not known what else a look at everything would show.
  const only = told.hasGaps ? [...known.byScript] : undefined;
  if (only?.length === 0) return [];
  const names = only ? ` -- ${only.map((place) => quoteWord(path.relative(program.cwd, place))).join(' ')}` : '';
  const command = `${statusCommand}${names}`;
  const stdout = await redacted(statusText(known, 200, only && new Set(only)), 'names of files', withheld);
  const observation = renderShellReply(dialect, { command, cwd: program.cwd, stdout, exitCode: 0 });
  const turn: Turn = {
    action: shellAction(dialect, command, program.cwd),
    observation,
    part: 'history',
    note: 'what the script has changed already',
    ...(told.isPredicted || grounds.session?.steps.some((step) => step.isPredicted)
      ? { isPredicted: true as const }
      : {}),
  };
  // It was shown already, and nothing has changed since.
  const last = told.since.findLast(({ action }) => renderAction(action) === renderAction(turn.action));
  return last?.observation === observation ? [] : [turn];
}

/** What was said of a program, as what it would have done; what was not said is assumed. */
function outcomeOf({ stdout, stderr, end }: SaidRun, found: ImaginedFiles): ProgramOutcome {
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
