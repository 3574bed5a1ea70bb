import type { LiveAction } from '../../core/action/action.ts';
import type { ForetellRequest, Session } from '../../core/foretell.ts';
import type { Prediction } from '../../core/prediction/prediction.ts';
import type { View } from '../../core/view/view.ts';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import type { EditOrigin } from '../edit/editOrigin.ts';
import type { Prompt } from '../terminal/prompt.ts';
import type { Answers } from './answers.ts';

/** Messages of a prompt that the user changed. */
export type ChangedMessages = NonNullable<LanguageRequest['changedMessages']>;

/** How a command is predicted. */
export interface Way {
  readonly openGate: boolean;
  /** The language model alone predicts the whole command. */
  readonly whole: boolean;
  readonly changedMessages: ChangedMessages;
  /** Prompts that count before those of the folders, such as what stands unsaved in an editor. */
  readonly templates?: LanguageRequest['templates'] | undefined;
  /** The shell of the terminal that it would be typed in. */
  readonly prompt?: Prompt | undefined;
}

/** What is needed to predict a command once more. */
export interface Step extends Way {
  action: LiveAction;
  /** Of an edit: where it came from. */
  origin?: EditOrigin | undefined;
  answers: readonly string[];
  /** Working directory that it leaves, absolute. */
  leavesIn: string;
  /** Paths that are others after it, absolute. */
  changes: readonly string[];
}

/** One prediction, while it is made and as long as it is shown. */
export interface Run extends Way {
  readonly number: number;
  readonly action: LiveAction;
  /** Of an edit: where it came from. */
  readonly origin?: EditOrigin | undefined;
  /** Folded so far. */
  readonly prediction: Prediction;
  /** How many events are folded. */
  sequence: number;
  readonly answers: Answers;
  /** Resolves after the ending; never rejects. */
  ended: Promise<void>;
  view: View | undefined;
  /** Steps that it starts from. */
  readonly position: readonly Step[];
  /** It starts from steps of its own, which are no part of the sequence that the user builds. */
  readonly isApart: boolean;
  /** The prediction before this one, where it was of the same command and came to its end. */
  readonly last: Prediction | undefined;
  /** Of a whole command that is imagined: what the engine says of it, as soon as it is known. */
  rehearsed: Prediction | undefined;
  /** The reader wants to see `last` beside it. */
  showsLast: boolean;
}

/** Everything of a request but the action, as it is now. */
export type EditorRequest = Omit<ForetellRequest, 'action' | 'signal' | 'answers' | 'openGate'>;

/** Where predictions are made one after the other. */
export interface HeldSession extends Session {
  /** Nothing can be predicted from what its one prediction leaves: for that it is made again, in another session. */
  readonly isAlone?: true;
}

/** A prediction as it is followed: its way, and what following it fills in. */
export interface FollowedRun extends Way {
  readonly position: readonly Step[];
  readonly abort: AbortController;
  readonly answers: Answers;
  readonly origin?: EditOrigin | undefined;
  session: HeldSession | undefined;
  view: View | undefined;
  /** No model is asked. */
  readonly isSilent: boolean;
}

/** Everything that a run holds and its readers need not see. */
export interface HeldRun extends Run, FollowedRun {
  view: View | undefined;
  restsOn: Promise<{ paths: string[]; digest: string }> | undefined;
}

/** A step in a few words: its script, or what its edit is called. */
export function stepTitle({ action, origin }: Pick<Step, 'action' | 'origin'>): string {
  return action.kind === 'command' ? action.script : (origin?.title ?? 'an edit');
}

/** It came to its end. */
export function isComplete({ ending }: Prediction): boolean {
  return ending === 'done' || ending === 'abstained';
}
