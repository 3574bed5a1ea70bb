import type { Basis } from '../view/basis.ts';
import type { EffectKind } from './effect.ts';
import type { Level } from './level.ts';
import type { Recovery } from './recovery.ts';
import type { RiskKind } from './risk.ts';

/** From where what an action takes away comes back. `own`: the agent wrote it itself in this session. */
export type WayBack = Exclude<Recovery['kind'], 'unknown'> | 'own';

/** A part of a git repository that an action changes. */
export type GitPart =
  /** Files of git in which nothing changes that git shows, for example a refreshed index. */
  | 'upkeep'
  | 'index'
  /** A branch or tag gets commits, or is made. */
  | 'commits'
  /** A name is moved so that it loses commits, renamed or deleted. */
  | 'refs'
  /** Another branch, or another commit, is checked out. */
  | 'head'
  | 'stash'
  /** A merge or rebase begins or ends. */
  | 'unfinished'
  /** What is known of a remote. */
  | 'remote'
  | 'worktrees'
  | 'settings'
  | 'hooks'
  /** Objects are packed. */
  | 'objects'
  /** Objects are removed for good. */
  | 'objectsRemoved'
  /** A repository is made or deleted. */
  | 'repository'
  /** Something else than git writes what git has written. */
  | 'records';

/** Why an effect cannot be claimed, so that nothing is allowed for it. */
export type UnknownPart =
  | { of: 'ending' }
  | { of: 'program'; argv: readonly string[] }
  | { of: 'path'; path: string }
  | { of: 'exit' }
  | { of: 'effect'; effect: EffectKind }
  /** A language model was asked, or several futures are told. */
  | { of: 'model' }
  /** Without a network it prints this; with one it may do something else. */
  | { of: 'network' }
  /** What it depends on cannot be compared with what it will find. */
  | { of: 'inputs' }
  /** A program that is not found here, and may be found where the call is made. */
  | { of: 'missing'; name: string }
  /** What it depends on is another one by now. */
  | { of: 'changed'; path: string };

/** One thing that an action does, as a policy sees it. Paths are absolute. */
export type PolicyEffect =
  | { kind: 'writes' | 'deletes' | 'permissions'; path: string; isFolder?: true }
  | { kind: 'loses'; what: string; way: WayBack }
  /** `host`: an address or a name; absent of a socket of this machine. */
  | { kind: 'connects'; to: string; reach: 'loopback' | 'elsewhere'; host?: string }
  | { kind: 'listens'; on: string }
  /** A program that is not known to be inert and ran in the rehearsal by the user's consent. */
  | { kind: 'letIn'; argv: readonly string[] }
  | { kind: 'leavesRunning'; argv: readonly string[] }
  /** `isElsewhere`: not in the folder that relative patterns begin at. */
  | { kind: 'git'; part: GitPart; isElsewhere?: true }
  | { kind: 'exits'; code: number }
  /** `path`, and so many `more`: what it is about, where that is known. */
  | { kind: 'marks'; effect: EffectKind; path?: string; more?: number }
  /** Answered from memory: what a rehearsal with consent said of the same inputs. */
  | { kind: 'remembered' }
  /** A reason of the verdict that no other effect stands for. */
  | { kind: 'judged'; level: Level; risk: RiskKind }
  | { kind: 'unknown'; part: UnknownPart; basis?: Basis };

/** Whose policy it is. `signed`: the workspace's, as the user signed it. */
export type PolicyOrigin = 'user' | 'team' | 'workspace' | 'signed' | 'preset';

/** Which rule of which file. `file` is absolute, or the name of a preset. */
export interface NamedRule {
  origin: PolicyOrigin;
  file: string;
  name: string;
}

/** What policies say of an action. */
export type PolicyDecision =
  /** Each effect is one that the rule allows. */
  | { kind: 'allow'; rule: NamedRule; effects: readonly PolicyEffect[] }
  /** The effects that the rule is about. */
  | { kind: 'ask' | 'deny'; rule: NamedRule; effects: readonly PolicyEffect[] }
  /** A file does not count because it cannot be read, so what changes anything, or is unknown, needs the user. */
  | { kind: 'unreadable'; problem: PolicyProblem; effects: readonly PolicyEffect[] }
  /** No rule decides; `nearest`: the one that allows most of it, and what it does not allow. */
  | { kind: 'none'; nearest?: { rule: NamedRule; broken: readonly PolicyEffect[] } };

/** Why a policy does not count. `at`: where in the file, for example `rules.0.then`. */
export type PolicyProblem = { file: string } & (
  | { kind: 'notJson'; line: number }
  | { kind: 'notPolicy'; at: string }
  | { kind: 'otherVersion'; version: number }
  | { kind: 'notOwn' }
  | { kind: 'tooLarge' }
  | { kind: 'notRead'; code: string }
);
