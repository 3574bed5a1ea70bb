import type * as vscode from 'vscode';
import type { TrajectoryStep } from '../../core/trajectory/step/step.ts';
import type { LineSummary, StepSummary } from '../../core/trajectory/step/stepSummary.ts';
import type { StepTree, TreePlace } from '../../core/trajectory/step/stepTree.ts';
import type { LabCore } from './labCore.ts';

/** The extension host is shared by all extensions: a slice of work takes no longer than this. */
const sliceMs = 12;
/** A list is drawn as soon as it has its first rows, then in larger pieces. */
const firstLines = 60;
/** Steps that were read last are at hand. */
const mostKept = 64;

/** Lines from `start`, `removed` of them, are these now. */
export interface LinesChange {
  start: number;
  removed: number;
  lines: LineSummary[];
}

/** A trajectory file as it is read from its document, line by line, without ever holding up the extension host. */
export interface DocumentReading {
  /** Counts changes of what is read. */
  revision(): number;
  /** Lines that are read; all of them after `whenRead`. */
  lines(): readonly LineSummary[];
  total(): number;
  whenRead(): Promise<void>;
  /** Looks at the document again: only lines that are others now are read. */
  refresh(): void;
  tree(): StepTree<StepSummary>;
  place(id: string): TreePlace<StepSummary> | undefined;
  step(id: string): TrajectoryStep | undefined;
  /** The text of a line as it was read; from 0. */
  text(line: number): string;
  /** The lines that hold a text, told as they are found; ends early when `isWanted` says no. */
  search(query: string, isWanted: () => boolean, found: (lines: number[], isComplete: boolean) => void): Promise<void>;
  dispose(): void;
}

export function createDocumentReading(
  document: vscode.TextDocument,
  core: LabCore,
  changed: (changes: LinesChange[]) => void,
): DocumentReading {
  let texts: string[] = [];
  let summaries: LineSummary[] = [];
  let revision = 0;
  let tree: { revision: number; tree: StepTree<StepSummary> } | undefined;
  let generation = 0;
  let reading = Promise.resolve();
  let isDisposed = false;
  const steps = createStepMemory(core);

  const summaryOf = (text: string) => core.summarizeLine(core.readTrajectoryLine(text), core.verdictOf);

  const tell = (changes: LinesChange[]) => {
    revision += 1;
    changed(changes);
  };

  /** Reads what is not read yet: at first the whole file. */
  async function readOn(mine: number): Promise<void> {
    let told = summaries.length;
    let startedAt = performance.now();
    while (summaries.length < texts.length) {
      summaries.push(summaryOf(texts[summaries.length] ?? ''));
      const isFirst = told === 0 && summaries.length >= firstLines;
      if (!isFirst && performance.now() - startedAt < sliceMs) continue;
      if (isFirst || summaries.length - told >= 400) {
        tell([{ start: told, removed: 0, lines: summaries.slice(told) }]);
        told = summaries.length;
      }
      await new Promise((resolve) => setImmediate(resolve));
      if (mine !== generation || isDisposed) return;
      startedAt = performance.now();
    }
    tell([{ start: told, removed: 0, lines: summaries.slice(told) }]);
  }

  function refresh(): void {
    const now = linesOf(document);
    const isWhole = summaries.length === texts.length;
    const splices = core.lineSplices(texts, now);
    const fresh = splices.reduce((sum, { start, end }) => sum + end - start, 0);
    if (isWhole && splices.length === 0 && revision > 0) return;
    generation += 1;
    if (!isWhole || fresh > firstLines || revision === 0) {
      // Nobody types so much: it is another file now. What stays the same at its beginning stays read.
      const same = isWhole ? (splices.at(-1)?.start ?? 0) : 0;
      const removed = summaries.length;
      texts = now;
      summaries = summaries.slice(0, same);
      if (removed > same) tell([{ start: same, removed: removed - same, lines: [] }]);
      reading = readOn(generation);
      return;
    }
    const changes = splices.map(({ start, removed, end }) => {
      return { start, removed, lines: now.slice(start, end).map(summaryOf) };
    });
    for (const { start, removed, lines } of changes) summaries.splice(start, removed, ...lines);
    texts = now;
    tell(changes);
  }

  function treeNow(): StepTree<StepSummary> {
    if (tree?.revision !== revision) tree = { revision, tree: core.placesOf(summaries) };
    return tree.tree;
  }

  return {
    revision: () => revision,
    lines: () => summaries,
    total: () => texts.length,
    whenRead: () => lastOf(() => reading),
    refresh,
    tree: treeNow,
    place: (id) => treeNow().byId.get(id),
    step(id) {
      const place = treeNow().byId.get(id);
      return place && steps.read(texts[place.index]);
    },
    text: (line) => texts[line] ?? '',
    search: (query, isWanted, found) =>
      searchLines(core, () => texts, query, { isWanted: () => isWanted() && !isDisposed, found }),
    dispose() {
      isDisposed = true;
    },
  };
}

/** Resolves with the last of promises that take each other's place. */
async function lastOf(promise: () => Promise<void>): Promise<void> {
  for (let waited: Promise<void> | undefined; waited !== promise(); ) {
    waited = promise();
    await waited;
  }
}

/** The lines of a document as it is now. */
function linesOf(document: vscode.TextDocument): string[] {
  const now: string[] = [];
  for (let line = 0; line < document.lineCount; line++) now.push(document.lineAt(line).text);
  // What stands behind the last line break is no line.
  if (now.at(-1) === '') now.pop();
  return now;
}

/** Steps that were read last, by their text. */
function createStepMemory(core: LabCore) {
  const kept = new Map<string, TrajectoryStep>();
  return {
    read(text: string | undefined): TrajectoryStep | undefined {
      if (text === undefined) return undefined;
      const known = kept.get(text);
      if (known) return known;
      const step = readStep(core, text);
      if (!step) return undefined;
      const [oldest] = kept.keys();
      if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
      kept.set(text, step);
      return step;
    },
  };
}

/** Finds the lines that hold a text, in slices. */
async function searchLines(
  core: LabCore,
  textsNow: () => readonly string[],
  query: string,
  { isWanted, found }: { isWanted: () => boolean; found: (lines: number[], isComplete: boolean) => void },
): Promise<void> {
  const search = core.createStepSearch(query);
  const lines: number[] = [];
  let startedAt = performance.now();
  for (let line = 0; line < textsNow().length; line++) {
    const text = textsNow()[line] ?? '';
    if (text.trim() !== '' && search.finds(text, () => readStep(core, text))) lines.push(line);
    if (performance.now() - startedAt < sliceMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    if (!isWanted()) return;
    startedAt = performance.now();
  }
  found(lines, true);
}

function readStep(core: LabCore, text: string): TrajectoryStep | undefined {
  const read = core.readTrajectoryLine(text);
  return read.kind === 'step' ? read.step : undefined;
}
