import { lstatSync } from 'node:fs';
import type { PredictedFile, PredictionJson } from './prediction.ts';
import { type BytePath, type NodeKind, parentOf, pathFromText, pathText } from './tree.ts';

/** What a node is, as far as it is compared. */
export interface NodeState {
  type: NodeKind;
  mode: number;
  uid: number;
  gid: number;
  sizeBytes: number;
  /** Of a regular file that could be read. */
  sha256?: string;
  /** Of a symbolic link, as bytes. */
  target?: string;
}

/** What one real run printed, returned and changed. `null` is a path that is gone. */
export interface RealRun {
  stdout: Buffer;
  stderr: Buffer;
  /** 0–255, 128 + n when signal n killed the shell. */
  exitCode: number;
  /** Paths below the root whose kind, content, mode or owner differ from before. Times are not compared. */
  changes: Map<BytePath, NodeState | null>;
}

/** What a command really does: two runs from the same state tell what is not the same every time. */
export interface Truth {
  /** Absolute path of the directory that is compared. */
  root: string;
  before: ReadonlyMap<BytePath, NodeState>;
  runs: readonly [RealRun, RealRun];
  /** Both runs are the same one, because it could not be run again: what varies is not known. */
  once?: boolean;
  /** What is not volatile in a stream that has volatile parts has to be there, in order. */
  comparesAround?: boolean;
}

/**
 * - `exact`: everything was claimed, and everything is so
 * - `volatile`: some parts were marked volatile, everything else is so
 * - `abstained`: not claimed
 * - `wrong`: something that was claimed is not so
 */
export type Outcome = 'exact' | 'volatile' | 'abstained' | 'wrong';

export interface Difference {
  part: 'stdout' | 'stderr' | 'exit' | 'file' | 'basis';
  /** One line for people. */
  text: string;
}

export interface Comparison {
  outcome: Outcome;
  /** Why it abstained; empty otherwise. */
  reason: string;
  differences: Difference[];
  /** Parts that the prediction marked volatile. */
  volatileParts: string[];
}

/**
 * Git's index caches inode numbers and change times of this very disk: no two real runs write the same bytes.
 * Its kind, mode and size are compared, its bytes are not, and it makes nothing volatile.
 */
const indexFile = /(^|\/)(\.git(\/(worktrees|modules)\/[^/]+)?|[^/]+\.git)\/index$/;

/** Compares a prediction with what really happened. Pure. */
export function compare(prediction: PredictionJson, truth: Truth): Comparison {
  if (prediction.ending !== 'done') {
    const reason = `${prediction.ending}: ${prediction.reason ?? ''}`.trim();
    return { outcome: 'abstained', reason, differences: [], volatileParts: [] };
  }
  const differences: Difference[] = [];
  const volatileParts: string[] = [];
  for (const stream of ['stdout', 'stderr'] as const)
    compareStream(prediction, truth, stream, differences, volatileParts);
  compareExit(prediction, truth, differences);
  compareFiles(prediction, truth, differences, volatileParts);
  const outcome = differences.length > 0 ? 'wrong' : volatileParts.length > 0 ? 'volatile' : 'exact';
  return { outcome, reason: '', differences, volatileParts };
}

const claimed = new Set(['rehearsed', 'computed']);

function compareStream(
  prediction: PredictionJson,
  truth: Truth,
  stream: 'stdout' | 'stderr',
  differences: Difference[],
  volatileParts: string[],
): void {
  const pieces = prediction.output.filter((piece) => piece.stream === stream);
  const unclaimed = pieces.find((piece) => !claimed.has(piece.basis));
  if (unclaimed)
    differences.push({ part: 'basis', text: `${stream} has basis ${unclaimed.basis} although it is done` });
  if (pieces.some((piece) => piece.volatile)) {
    volatileParts.push(stream);
    if (truth.comparesAround) compareAround(pieces, truth, stream, differences);
    return;
  }
  const predicted = Buffer.concat(pieces.map(bytesOf));
  const [first, second] = truth.runs.map((run) => run[stream]) as [Buffer, Buffer];
  if (first.equals(second)) {
    if (!predicted.equals(first)) differences.push({ part: stream, text: textDifference(predicted, first) });
  } else if (!predicted.equals(first) && !predicted.equals(second)) {
    differences.push({
      part: stream,
      text: `differs between two real runs, not marked volatile: ${textDifference(predicted, first)}`,
    });
  }
}

type Piece = PredictionJson['output'][number];

function bytesOf({ text, base64 }: Piece): Buffer {
  return base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');
}

/** Volatile parts stand for anything, the others for themselves: one real run has to fit. */
function compareAround(
  pieces: readonly Piece[],
  truth: Truth,
  stream: 'stdout' | 'stderr',
  differences: Difference[],
): void {
  const missing = truth.runs.map((run) => firstMissing(pieces, run[stream]));
  if (missing.some((text) => text === undefined)) return;
  const text = `not volatile and not there in its place: ${JSON.stringify(missing[0]?.slice(0, 160))}`;
  differences.push({ part: stream, text });
}

/** Neighbours that are marked alike are one part: a line end alone would be found anywhere. */
function joined(pieces: readonly Piece[]): { bytes: Buffer; volatile: boolean }[] {
  const parts: { bytes: Buffer; volatile: boolean }[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    const volatile = piece.volatile === true;
    if (last?.volatile === volatile) last.bytes = Buffer.concat([last.bytes, bytesOf(piece)]);
    else parts.push({ bytes: bytesOf(piece), volatile });
  }
  return parts;
}

/** The first steady part of the output that does not come in its place; `undefined`: all do. */
function firstMissing(pieces: readonly Piece[], real: Buffer): string | undefined {
  let at = 0;
  let isFree = false;
  const parts = joined(pieces);
  for (const [index, { bytes, volatile }] of parts.entries()) {
    const isLast = index === parts.length - 1;
    if (volatile) isFree = true;
    else {
      const found = isFree && isLast ? real.length - bytes.length : isFree ? real.indexOf(bytes, at) : at;
      if (found < at || !real.subarray(found, found + bytes.length).equals(bytes)) return bytes.toString();
      at = found + bytes.length;
      isFree = false;
    }
  }
  return isFree || at === real.length ? undefined : 'the end';
}

/** The first differing line of two outputs, predicted first. */
export function textDifference(predicted: Buffer, real: Buffer): string {
  const mine = predicted.toString().split('\n');
  const theirs = real.toString().split('\n');
  const line = mine.findIndex((text, index) => text !== theirs[index]);
  const at = line < 0 ? mine.length : line;
  const show = (list: string[]) => (at < list.length ? JSON.stringify(list[at]?.slice(0, 160)) : 'nothing');
  return `line ${at + 1}: predicted ${show(mine)}, really ${show(theirs)} (${predicted.length} and ${real.length} bytes)`;
}

function compareExit(prediction: PredictionJson, truth: Truth, differences: Difference[]): void {
  const codes = truth.runs.map((run) => run.exitCode);
  if (prediction.exitCode === undefined) differences.push({ part: 'exit', text: 'no exit code although it is done' });
  else if (!codes.includes(prediction.exitCode)) {
    differences.push({ part: 'exit', text: `predicted ${prediction.exitCode}, really ${codes[0]}` });
  }
  if (prediction.exitBasis !== undefined && !claimed.has(prediction.exitBasis)) {
    differences.push({ part: 'basis', text: `exit code has basis ${prediction.exitBasis} although it is done` });
  }
}

/** What the prediction says about one path after the command; `null` says it is gone. */
type Claim = { file: PredictedFile; after: Omit<NodeState, 'uid' | 'gid'> | null };

/** Outside of the fixture nothing is compared, but what is made there (the folder in which Java keeps its counters) stands there by now. */
function wasReallyMade({ path, change, type }: PredictedFile): boolean {
  const made = change === 'created' ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  return made !== undefined && made.isDirectory() === (type === 'directory');
}

function compareFiles(
  prediction: PredictionJson,
  truth: Truth,
  differences: Difference[],
  volatileParts: string[],
): void {
  const say = (path: BytePath, text: string) => differences.push({ part: 'file', text: `${pathText(path)}: ${text}` });
  const claims = new Map<BytePath, Claim>();
  const volatilePaths = new Set<BytePath>();
  const notAlong = new Set(
    prediction.files.flatMap(({ path, from, change }) => {
      const old = change === 'deleted' ? path : from;
      return (old === undefined ? undefined : below(truth.root, old)) ?? [];
    }),
  );
  for (const file of prediction.files) {
    if (!claimed.has(file.basis))
      differences.push({ part: 'basis', text: `${file.path} has basis ${file.basis} although it is done` });
    const path = realName(below(truth.root, file.path), truth);
    if (path === undefined) {
      if (file.volatile) volatilePaths.add(file.path);
      else if (!wasReallyMade(file))
        say(pathFromText(file.path), `predicted ${file.change}, outside of what is compared`);
      continue;
    }
    if (indexFile.test(path)) claims.set(path, claimOf(file));
    else if (file.volatile) volatilePaths.add(path);
    else addClaims(claims, path, file, truth, notAlong);
  }
  for (const path of volatilePaths) volatileParts.push(pathText(path));
  const [first, second] = truth.runs.map((run) => run.changes) as [RealRun['changes'], RealRun['changes']];
  for (const [path, claim] of claims) {
    if (volatilePaths.has(path)) continue;
    const old = truth.before.get(path);
    const label = wrongLabel(claim.file, path, truth);
    if (label) say(path, label);
    const candidates = [first, second].map(
      (changes) => changes.get(path) ?? (changes.has(path) ? null : (old ?? null)),
    );
    const verdicts = candidates.map((state) => stateDifference(claim.after, state, path));
    if (verdicts.every((verdict) => verdict !== '')) say(path, `${claim.file.change}: ${verdicts[0]}`);
  }
  for (const path of new Set([...first.keys(), ...second.keys()])) {
    if (claims.has(path) || isExcused(path, volatilePaths)) continue;
    const both = !truth.once && first.has(path) && second.has(path);
    // A name that depends on the clock can be the same in two runs of one second.
    const standIns = both ? [...volatilePaths].filter((other) => !first.has(other)) : [...volatilePaths];
    if (hasVolatileNeighbour(path, standIns, truth)) continue;
    // Whether git writes it anew depends on seconds: a file that was changed in the second in which it was staged looks the same to it.
    if (!both && !truth.once && indexFile.test(path) && truth.before.has(path)) continue;
    const state = first.get(path) ?? second.get(path);
    const what =
      state === null || state === undefined
        ? 'deleted'
        : truth.before.has(path)
          ? changeName(truth.before.get(path), state)
          : 'created';
    say(path, `really ${what}${both ? '' : ' in one of two runs'}, not predicted`);
  }
}

function changeName(old: NodeState | undefined, now: NodeState): string {
  if (!old || old.type !== now.type || old.sha256 !== now.sha256 || old.target !== now.target) return 'modified';
  return old.mode === now.mode ? 'given to another owner' : 'given another mode';
}

/** A path below the compared root, as bytes; `undefined` when it is outside. */
function below(root: string, path: string): BytePath | undefined {
  if (path === root) return '';
  return path.startsWith(`${root}/`) ? pathFromText(path.slice(root.length + 1)) : undefined;
}

/** JSON has no bytes: a name that is not UTF-8 is predicted with U+FFFD in it, and stands for the name that reads so. */
function realName(path: BytePath | undefined, truth: Truth): BytePath | undefined {
  if (path === undefined || !pathText(path).includes('\ufffd')) return path;
  const names = [...truth.before.keys(), ...truth.runs[0].changes.keys()];
  return names.find((name) => pathText(name) === pathText(path)) ?? path;
}

function claimOf(file: PredictedFile): Claim {
  if (file.change === 'deleted') return { file, after: null };
  return {
    file,
    after: {
      type: file.type,
      mode: Number.parseInt(file.mode, 8),
      sizeBytes: file.sizeBytes,
      ...(file.sha256 === undefined ? {} : { sha256: file.sha256 }),
      ...(file.target === undefined ? {} : { target: pathFromText(file.target) }),
    },
  };
}

/** Where only the name or the mode changes and no sha256 is given, because the user may not read it, the content is what it was. */
function withFormerContent(claim: Claim, path: BytePath, truth: Truth): Claim {
  const { file, after } = claim;
  if (!after || after.sha256 !== undefined || (file.change !== 'mode' && file.change !== 'renamed')) return claim;
  const from = file.from === undefined ? path : realName(below(truth.root, file.from), truth);
  const former = from === undefined ? undefined : truth.before.get(from)?.sha256;
  return former === undefined ? claim : { file, after: { ...after, sha256: former } };
}

/** A renamed directory takes everything in it along, unless that is listed itself: under its new name, or (`notAlong`) as deleted or moved elsewhere. */
function addClaims(
  claims: Map<BytePath, Claim>,
  path: BytePath,
  file: PredictedFile,
  truth: Truth,
  notAlong: ReadonlySet<BytePath>,
): void {
  claims.set(path, withFormerContent(claimOf(file), path, truth));
  if (file.change !== 'renamed' || file.from === undefined) return;
  const from = realName(below(truth.root, file.from), truth);
  if (from === undefined) return;
  const setDefault = (key: BytePath, claim: Claim) => {
    if (!claims.has(key)) claims.set(key, claim);
  };
  setDefault(from, { file: { ...file, change: 'deleted' }, after: null });
  for (const [inner, state] of truth.before) {
    if (!inner.startsWith(`${from}/`)) continue;
    setDefault(inner, { file: { ...file, change: 'deleted' }, after: null });
    if (notAlong.has(inner)) continue;
    setDefault(`${path}${inner.slice(from.length)}`, { file: { ...file, change: 'renamed' }, after: state });
  }
}

function wrongLabel(file: PredictedFile, path: BytePath, truth: Truth): string {
  const existed = truth.before.has(path);
  if (file.change === 'created' && existed) return 'predicted as created, but it is there already';
  if ((file.change === 'modified' || file.change === 'deleted' || file.change === 'mode') && !existed) {
    return `predicted as ${file.change}, but it was never there`;
  }
  return '';
}

/** In what a predicted state is not the real one; empty when it is. */
function stateDifference(claim: Claim['after'], real: NodeState | null, path: BytePath): string {
  if (claim === null) return real === null ? '' : 'predicted gone, really there';
  if (real === null) return 'predicted there, really gone';
  if (claim.type !== real.type) return `predicted a ${claim.type}, really a ${real.type}`;
  if (claim.type === 'symlink') {
    return claim.target === real.target ? '' : `predicted target ${claim.target}, really ${real.target}`;
  }
  if (claim.mode !== real.mode) return `predicted mode ${claim.mode.toString(8)}, really ${real.mode.toString(8)}`;
  if (claim.type !== 'file') return '';
  if (claim.sizeBytes !== real.sizeBytes) return `predicted ${claim.sizeBytes} bytes, really ${real.sizeBytes}`;
  if (indexFile.test(path) || real.sha256 === undefined) return '';
  if (claim.sha256 === undefined) return 'no sha256 was given';
  return claim.sha256 === real.sha256 ? '' : 'predicted other bytes of the same size';
}

/** Below a volatile path everything is volatile. */
function isExcused(path: BytePath, volatilePaths: ReadonlySet<BytePath>): boolean {
  for (let at = path; at !== ''; at = parentOf(at)) if (volatilePaths.has(at)) return true;
  return false;
}

const looseObject = /\/(?:objects\/[0-9a-f]{2}\/[0-9a-f]+|(?<shard>[0-9a-f]{2})\/\k<shard>[0-9a-f]{20,}(?:-\w)?)$/;

/** The directory whose entry a path is, with git's loose objects as entries of `objects` (and what a cache names by its content): their first two digits belong to the name. */
function holderOf(path: BytePath): BytePath {
  const parent = parentOf(path);
  return looseObject.test(path) ? parentOf(parent) : parent;
}

/** Files with random names have other names each time; one that was predicted beside them stands for them. */
function hasVolatileNeighbour(path: BytePath, volatilePaths: readonly BytePath[], truth: Truth): boolean {
  const holder = holderOf(path);
  // Another object may need a folder for its first two digits that is not there yet.
  const isOfObject = looseObject.test(path) || /\/objects\/[0-9a-f]{2}$/.test(path);
  if (isOfObject && volatilePaths.some((other) => looseObject.test(other) && holderOf(other) === holder)) return true;
  for (let at = path; at !== '' && !truth.before.has(at); at = parentOf(at)) {
    const parent = parentOf(at);
    for (const other of volatilePaths) if (parentOf(other) === parent) return true;
  }
  return false;
}
