import { estimateTokens } from '../../../context/estimateTokens.ts';
import type { StoppedProgram } from '../../../prediction/rehearsal.ts';
import { defaultBudgetTokens, type Grounding, type Grounds } from '../prompt/turns/trajectory.ts';
import type { Turn } from '../prompt/turns/turn.ts';
import { renderAction } from '../prompt/turns/turnText.ts';
import type { ImaginedFiles } from './imaginedFiles.ts';

/** Of a file that a model was asked about, at most this is compared with what it is now, in bytes. */
const mostCompared = 1024 ** 2;

/** What the model was shown and what was said of the programs of one prediction, for those that follow, in the order of time. */
export interface Told {
  /** What comes before a program, and has happened before it: a prompt begins with `before`, and then with `since`. */
  before: readonly Turn[];
  since: readonly Turn[];
  /** Of a program it is not known what it has changed. */
  hasGaps: boolean;
  /** From here on what is looked at rests on what a model said, or on an assumption. */
  isPredicted: boolean;
  /** How many files programs were said to have put into folders of which only that is said. */
  counted: Map<string, number>;
  /**
   * What a program's prompt begins with, and looks that were not shown yet. The looks of the first program stand where they
   * were taken, before everything; so do those of a later one that would show the state before the first one. What is
   * shown already is not shown again, so that a prompt goes on from the one before it.
   */
  groundOf(grounding: Grounding): { turns: Turn[]; looks: Turn[] };
  /** Files whose content is the word of a model, or not known, and has not been written by the script since, and why. */
  unseenFiles(program: StoppedProgram): Promise<Map<string, string>>;
  /** Keeps what was said of a program for those that follow. */
  add(turns: readonly Turn[], found: ImaginedFiles, isChangeKnown: boolean): void;
}

/** Nothing was told yet. */
export function createTold({ language }: Grounds): Told {
  const mostTokens = 2 * (language.budgetTokens ?? defaultBudgetTokens);
  const files = new Map<string, { bytes: Uint8Array | null | undefined; why: string }>();
  let isBegun = false;

  const told: Told = {
    before: [],
    since: [],
    hasGaps: false,
    isPredicted: false,
    counted: new Map(),
    groundOf({ turns, later }) {
      if (isBegun && tokensOf([...told.before, ...told.since, ...turns]) > mostTokens) {
        isBegun = false;
        told.since = told.since.filter(({ part }) => part !== 'grounding');
      }
      const known = new Map([...told.before, ...told.since].map((turn) => [keyOf(turn), turn.observation]));
      const looks = later
        .filter((turn) => known.get(keyOf(turn)) !== turn.observation)
        .map((turn): Turn => (told.isPredicted ? { ...turn, isPredicted: true } : turn));
      if (!isBegun) {
        isBegun = true;
        told.before = turns;
        return { turns: [...turns, ...told.since], looks };
      }
      const fresh = turns.filter((turn) => turn.part === 'grounding' && !known.has(keyOf(turn)));
      // What nobody has changed is the same by now; what a listing shows may not be.
      const stands = (turn: Turn) => !told.hasGaps && isRead(turn);
      const early = fresh.filter((turn) => !stands(turn));
      if (early.length > 0) {
        const first = told.before.findIndex(({ part }) => part !== 'grounding');
        const at = first < 0 ? told.before.length : first;
        told.before = [...told.before.slice(0, at), ...early, ...told.before.slice(at)];
      }
      return { turns: [...told.before, ...told.since], looks: [...fresh.filter(stands), ...looks] };
    },
    async unseenFiles(program) {
      const unseen = new Map<string, string>();
      for (const [place, { bytes, why }] of files) {
        const now = await program.readFile(place, mostCompared);
        const isSame = bytes
          ? now !== undefined && Buffer.from(bytes).subarray(0, mostCompared).equals(now)
          : now === undefined;
        if (!isSame && bytes !== undefined) files.delete(place);
        else unseen.set(place, why);
      }
      return unseen;
    },
    add(turns, found, isChangeKnown) {
      const history = turns.map((turn): Turn => (turn.part === 'action' ? { ...turn, part: 'history' } : turn));
      told.since = [...told.since, ...history];
      told.hasGaps ||= !isChangeKnown;
      told.isPredicted = true;
      for (const { path, files: count } of found.counted) told.counted.set(path, (told.counted.get(path) ?? 0) + count);
      for (const { path, after, isFolder, isUnasked } of found.changes) {
        if (isFolder) continue;
        const why = isUnasked ? 'the model was not asked what is in it' : 'only a model has said what is in it';
        files.set(path, { bytes: after, why });
      }
      for (const path of found.unknown) {
        const bytes = found.changes.find((one) => one.path === path)?.after;
        files.set(path, { bytes, why: 'what is in it is not known' });
      }
    },
  };
  return told;
}

function keyOf({ action }: Turn): string {
  return renderAction(action);
}

/** A look at one whole file or a part of it. */
function isRead({ action }: Turn): boolean {
  return action.kind === 'tool' && /^(?:read_file|Read)$/.test(action.name);
}

function tokensOf(turns: readonly Turn[]): number {
  return turns.reduce((sum, turn) => sum + estimateTokens(keyOf(turn)) + estimateTokens(turn.observation ?? ''), 0);
}
