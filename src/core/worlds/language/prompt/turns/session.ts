import type { LiveAction } from '../../../../action/action.ts';
import type { FactEvent } from '../../../../prediction/factEvent.ts';
import type { PredictRequest, Rehearsal } from '../../../../prediction/rehearsal.ts';
import type { Basis } from '../../../../view/basis.ts';
import type { FileChange } from '../../../../view/fileChange.ts';
import type { View } from '../../../../view/view.ts';

/** A step of a session that was predicted already: what was done, and what would come of it. */
export interface EarlierStep {
  action: LiveAction;
  /** Where it was done, absolute. */
  cwd: string;
  /** What was printed, in order; of tool calls one piece each. */
  pieces: readonly { stream: 'stdout' | 'stderr'; text: string }[];
  exitCode: number;
  changes: readonly FileChange[];
  /** Something of it rests on an assumption: why nobody knows what it printed and how it ended. */
  unknown?: string;
  /** Paths of changes that rest on an assumption, or that nobody was asked about. */
  assumed?: ReadonlySet<string>;
  /** A model, or an assumption, says some of it. */
  isPredicted?: true;
  /** Of an edit: contents of changed files, by path; a file that is too large or not there is `undefined`. */
  contents: ReadonlyMap<string, { before: Uint8Array | undefined; after: Uint8Array | undefined }>;
}

/** What a session has come to: its steps, and the files as they would be now. */
export interface SessionSoFar {
  readonly steps: readonly EarlierStep[];
  /** A regular file as the steps leave it; `undefined` where there is none, or where nothing was changed yet. */
  readFile(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
}

/** Keeps what is predicted in a session for the predictions that follow. */
export interface SessionRecord extends SessionSoFar {
  /** The same rehearsal; once it came to its end it is a step of the session. */
  follow(request: PredictRequest, rehearsal: Rehearsal): Rehearsal;
}

const mostFiles = 12;
/** Larger files are named, and not shown. */
const longestBytes = 256 * 1024;

/** A session in which nothing was predicted yet. */
export function createSessionRecord(): SessionRecord {
  const steps: EarlierStep[] = [];
  let latest: View | undefined;

  async function* following(request: PredictRequest, rehearsal: Rehearsal): AsyncGenerator<FactEvent> {
    const { action } = request;
    const pieces: { stream: 'stdout' | 'stderr'; text: string }[] = [];
    const changes: FileChange[] = [];
    const assumed = new Set<string>();
    let exitCode = 0;
    let unknown: string | undefined;
    let isPredicted = false;
    for await (const event of rehearsal.events) {
      // What is looked through is assumed to do nothing else, and what it starts was predicted.
      if (event.type === 'assumption' && event.because.kind !== 'lookedThrough')
        unknown ??= `nobody predicted ${event.argv.slice(0, 3).join(' ')}`;
      if (event.type === 'exit' && event.basis === 'unknown') unknown ??= 'it depends on a program that was not run';
      if ('basis' in event) isPredicted ||= event.basis === 'imagined' || event.basis === 'assumed';
      if (event.type === 'output') pieces.push({ stream: event.stream, text: event.text ?? noText(event.basis) });
      else if (event.type === 'file') {
        changes.push(event.change);
        if (event.basis === 'assumed' || event.basis === 'unknown') assumed.add(event.change.path);
      } else if (event.type === 'exit') exitCode = event.code ?? 0;
      else if (event.type === 'done' || event.type === 'abstained') {
        const contents = action.kind === 'edit' ? await contentsOf(changes, rehearsal.view) : new Map();
        const rests = {
          ...(unknown === undefined ? {} : { unknown, assumed }),
          ...(isPredicted ? { isPredicted: true as const } : {}),
        };
        steps.push({ action, cwd: request.cwd, pieces, exitCode, changes, contents, ...rests });
        latest = rehearsal.view;
      }
      yield event;
    }
  }

  return {
    steps,
    readFile: async (path, maxBytes) => latest?.read(path, 'after', maxBytes),
    follow: (request, rehearsal) => ({ ...rehearsal, events: following(request, rehearsal) }),
  };
}

function noText(basis: Basis): string {
  return basis === 'unknown' ? '[not known: it depends on a program that was not run]\n' : '[bytes that are no text]\n';
}

/** Read at once: with the next step of the session the view speaks of another before. */
async function contentsOf(changes: readonly FileChange[], view: View): Promise<EarlierStep['contents']> {
  // A view can be read as soon as whoever made the ending has come to its own.
  await new Promise((resolve) => setImmediate(resolve));
  const contents: [string, { before: Uint8Array | undefined; after: Uint8Array | undefined }][] = [];
  const wanted = changes.filter(({ type, change }) => type === 'file' && change !== 'mode');
  const read = async (path: string, moment: 'before' | 'after') => {
    const bytes = await view.read(path, moment, longestBytes + 1);
    return bytes && bytes.length > longestBytes ? undefined : bytes;
  };
  for (const { path, from, change } of wanted.slice(0, mostFiles)) {
    contents.push([
      path,
      {
        before: change === 'created' ? undefined : await read(from ?? path, 'before'),
        after: change === 'deleted' ? undefined : await read(path, 'after'),
      },
    ]);
  }
  return new Map(contents);
}

/** Every path whose state is another one than the real one, absolute. */
export function pathsOfSession(steps: readonly EarlierStep[]): Set<string> {
  return new Set(steps.flatMap(({ changes }) => pathsOfChanges(changes)));
}

/** Files that the last step which changed them has left in a state that rests on an assumption, and why they are not shown. */
export function unseenInSession(steps: readonly EarlierStep[]): Map<string, string> {
  const unseen = new Map<string, string>();
  for (const { changes, assumed } of steps) {
    for (const { path } of changes) {
      if (assumed?.has(path)) unseen.set(path, 'what is in it rests on an assumption');
      else unseen.delete(path);
    }
  }
  return unseen;
}

/** Every path that changes speak of, absolute. */
export function pathsOfChanges(changes: readonly FileChange[]): string[] {
  return changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
}
