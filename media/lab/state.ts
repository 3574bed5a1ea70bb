import { fold } from '../../src/core/prediction/fold.ts';
import { placesOf } from '../../src/core/trajectory/file/trajectoryRows.ts';
import { type StepFilter, stepFilters } from '../../src/core/trajectory/step/stepFilter.ts';
import type { LineSummary, StepSummary } from '../../src/core/trajectory/step/stepSummary.ts';
import type { StepTree, TreePlace } from '../../src/core/trajectory/step/stepTree.ts';
import type { EditorState, LabHostMessage, LabRun, StepDetail } from '../../src/protocol/labProtocol.ts';
import type { Folding } from '../shared/tree.ts';

/** A text that the user is writing. */
export interface Draft {
  id: string;
  what: 'action' | 'observation' | 'note' | 'fork';
  text: string;
}

/** What is kept when the editor is hidden. */
export interface Kept {
  /** Key of the row that is shown. */
  active?: string | undefined;
  folding: Folding;
  sections: Folding;
  filters: StepFilter[];
  query: string;
  samples: number;
  draft?: Draft | undefined;
}

/** Everything that the editor shows. */
export interface LabState {
  kept: Kept;
  /** -1: nothing was heard of the host yet. */
  revision: number;
  lines: readonly LineSummary[];
  total: number;
  tree: StepTree<StepSummary>;
  editor: EditorState;
  found: { query: string; lines: ReadonlySet<number>; isComplete: boolean } | undefined;
  detail: StepDetail | undefined;
  prompt: { id: string; messages: { role: string; content: string }[] } | undefined;
  runs: readonly LabRun[];
  notice: Extract<LabHostMessage, { type: 'notice' }>['notice'];
  /** A revision is missing: the host has to send everything again. */
  missed: boolean;
  /** The last request that was sent; it waits for its answer while `refusal` is undefined. */
  request: number;
  refusal: string | undefined;
}

/** What changes the state. */
export type LabAction =
  | { type: 'message'; message: LabHostMessage }
  | { type: 'activate'; key: string }
  | { type: 'fold'; what: 'folding' | 'sections'; key: string; open: boolean }
  | { type: 'filter'; filter: StepFilter }
  | { type: 'clear' }
  | { type: 'query'; query: string }
  | { type: 'samples'; samples: number }
  | { type: 'draft'; draft: Draft | undefined }
  | { type: 'asked'; request: number };

/** The state before the host has said anything. */
export function initialState(kept: Kept | undefined): LabState {
  return {
    kept: kept ?? { folding: {}, sections: {}, filters: [], query: '', samples: 5 },
    ...{ revision: -1, lines: [], total: 0, tree: placesOf([]), editor: { file: '', trusted: true } },
    ...{ found: undefined, detail: undefined, prompt: undefined, runs: [], notice: null },
    ...{ missed: false, request: 0, refusal: undefined },
  };
}

/** The one reducer. */
export function reduce(state: LabState, action: LabAction): LabState {
  const keep = (kept: Partial<Kept>): LabState => ({ ...state, kept: { ...state.kept, ...kept } });
  switch (action.type) {
    case 'message':
      return withMessage(state, action.message);
    case 'activate':
      return state.kept.active === action.key ? state : { ...keep({ active: action.key }), refusal: undefined };
    case 'fold':
      return keep({ [action.what]: { ...state.kept[action.what], [action.key]: action.open } });
    case 'filter': {
      const { filters } = state.kept;
      const isOn = filters.includes(action.filter);
      return keep({ filters: stepFilters.filter((one) => (one === action.filter ? !isOn : filters.includes(one))) });
    }
    case 'clear':
      return { ...keep({ filters: [], query: '' }), found: undefined };
    case 'query':
      return { ...keep({ query: action.query }), ...(action.query === '' ? { found: undefined } : {}) };
    case 'samples':
      return keep({ samples: Math.min(Math.max(2, Math.round(action.samples) || 2), 32) });
    case 'draft':
      return { ...keep({ draft: action.draft }), refusal: undefined };
    case 'asked':
      return { ...state, request: action.request, refusal: undefined };
  }
}

function withMessage(state: LabState, message: LabHostMessage): LabState {
  switch (message.type) {
    case 'snapshot': {
      const { revision, lines, total, editor, runs, notice = null } = message;
      const next = {
        ...state,
        revision,
        lines,
        total,
        editor,
        runs,
        notice,
        missed: false,
        tree: placesOf(lines),
      };
      return { ...next, kept: withActive(next) };
    }
    case 'lines': {
      if (state.revision < 0 || message.revision <= state.revision) return state;
      if (message.revision !== state.revision + 1) return { ...state, missed: true };
      const lines = [...state.lines];
      for (const splice of message.splices) spliceLines(lines, splice);
      const { revision, total } = message;
      const next = { ...state, revision, total, lines, tree: placesOf(lines) };
      return { ...next, kept: withActive(next) };
    }
    case 'editor':
      return { ...state, editor: message.editor };
    case 'detail':
      return message.detail.id === activeId(state) ? { ...state, detail: message.detail } : state;
    case 'messages':
      return { ...state, prompt: { id: message.id, messages: message.messages } };
    case 'found': {
      const { query, lines, isComplete } = message;
      return query === state.kept.query ? { ...state, found: { query, lines: new Set(lines), isComplete } } : state;
    }
    case 'runStarted':
      return { ...state, runs: [...state.runs, message.run] };
    case 'runEvents': {
      const run = state.runs.find((one) => one.run === message.run);
      if (!run) return state;
      if (message.first > run.sequence + 1) return { ...state, missed: true };
      for (const event of message.events.slice(run.sequence + 1 - message.first)) fold(run.prediction, event);
      const sequence = Math.max(run.sequence, message.first + message.events.length - 1);
      return { ...state, runs: state.runs.map((one) => (one === run ? { ...run, sequence } : one)) };
    }
    case 'runEnded':
      return { ...state, runs: state.runs.filter((one) => one.run !== message.run) };
    case 'notice':
      return { ...state, notice: message.notice };
    case 'answered': {
      if (message.request !== state.request) return state;
      if (message.refusal !== undefined) return { ...state, refusal: message.refusal };
      return { ...state, kept: { ...state.kept, draft: undefined } };
    }
    case 'select':
      return { ...state, kept: { ...state.kept, active: stepKey(message.id) } };
  }
}

/** Large splices would not fit into the arguments of one call. */
function spliceLines(
  lines: LineSummary[],
  { start, removed, lines: added }: { start: number; removed: number; lines: LineSummary[] },
): void {
  if (start === lines.length) for (const line of added) lines.push(line);
  else lines.splice(start, removed, ...added);
}

/** Something is shown from the beginning: the first step, until somebody chooses another one. */
function withActive({ kept, tree }: LabState): Kept {
  const [first] = tree.rows;
  return kept.active === undefined && first ? { ...kept, active: stepKey(first.step.id) } : kept;
}

/** The key of a step's row. */
export function stepKey(id: string): string {
  return `step ${id}`;
}

/** Id of the step that is shown; undefined: none, or a line that is no step. */
export function activeId({ kept }: Pick<LabState, 'kept'>): string | undefined {
  return kept.active?.startsWith('step ') ? kept.active.slice(5) : undefined;
}

/** The step that is shown, in its place. */
export function activePlace(state: LabState): TreePlace<StepSummary> | undefined {
  const id = activeId(state);
  return id === undefined ? undefined : state.tree.byId.get(id);
}
