import * as z from 'zod/mini';
import { hasKind } from '../view/hasKind.ts';

/**
 * Whether and from where something that an action destroys can be brought back. Only `none` is lost for good, and `unknown` counts as if it were. `command`
 * brings it back, in a POSIX shell; absent where none is known.
 */
export type Recovery =
  | { kind: 'none' }
  /** Whoever could have it, git for one, could not be asked. */
  | { kind: 'unknown' }
  /** A commit of this repository has it; `remoteBranch`: so does a remote, as of the last fetch. */
  | { kind: 'commit'; commit: string; remoteBranch?: string | undefined; command?: string }
  /** Git has the staged content. Here and below `id` is absent where several files are told of at once. */
  | { kind: 'index'; id?: string; command?: string }
  /** A stash entry or another name of git holds it; `holder` is a phrase, for example `stash@{0}` or `branch topic`. */
  | { kind: 'gitName'; holder: string; command?: string }
  /** Git has the object, which no name reaches, until the next gc. */
  | { kind: 'objectDatabase'; id?: string; command?: string }
  /** The action itself stores it in git. */
  | { kind: 'storedByAction'; id?: string; command?: string }
  /** Only the reflog reaches the commit, until it expires. */
  | { kind: 'reflog'; commit: string; command?: string }
  /**
   * Every commit is on a remote, as of the last fetch. `address` is without credentials; `by`: what fetches them from there.
   * `isHere`: it is a repository of this machine, and has them now.
   */
  | { kind: 'remote'; address: string; by: 'clone' | 'fetch'; isHere?: true; command?: string }
  /** A tool makes it again from the file `from` (absolute) that stands beside `made`. */
  | { kind: 'tool'; tool: string; from: string; made: string; command?: string }
  /** A symbolic link: its target is known. */
  | { kind: 'linkTarget'; target: string; command?: string }
  /** VS Code kept a copy; `savedAt` in milliseconds since 1970. */
  | { kind: 'localHistory'; savedAt: number; copy: string; command?: string }
  /** An editor has it open, unsaved. */
  | { kind: 'editor'; command?: never }
  /** The same file has so many other names (hard links), and nobody has looked where. */
  | { kind: 'otherNames'; names: number; command?: never }
  /**
   * Another file, absolute, holds the same bytes after the action: a copy, or an archive (`format`, for example `gzip`).
   * `together`: only with these others, absolute too.
   */
  | { kind: 'file'; file: string; format?: string; together?: readonly string[]; command?: string };

/** Checked as far as its kind; it is only ever made by us. Who asks only what is lost does not load the library for it. */
export const Recovery = /* @__PURE__ */ z.custom<Recovery>(hasKind);

/** A file without content is no loss: what it was can be said in a word. What nobody could read may hold anything. */
export function holdsSomething({ class: kind, sizeBytes }: { class: string; sizeBytes: number }): boolean {
  return sizeBytes > 0 || kind === 'unknown' || kind === 'commits' || kind === 'stash';
}

/** It can be brought back. */
export type KnownWay = Exclude<Recovery, { kind: 'none' | 'unknown' }>;

/** Nothing that is known brings it back. */
export function isLostForGood({ recovery }: { recovery: Recovery }): boolean {
  return !isWayBack(recovery);
}

/** From there it can be brought back. */
export function isWayBack(recovery: Recovery): recovery is KnownWay {
  return recovery.kind !== 'none' && recovery.kind !== 'unknown';
}
