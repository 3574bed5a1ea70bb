import type { TurnAction } from '../../../../action/turnAction.ts';
import type { Dialect, Domain } from '../../prompt/turns/turn.ts';

/** A reply that was made under conditions, with all that it was asked after. */
export interface ConditionedReply {
  domain: Domain;
  dialect: Dialect;
  action: TurnAction;
  /** The turns before it, without the looks at a workspace. */
  earlier: readonly { action: TurnAction; observation?: string }[];
  observation: string;
}

/** How a condition is found in a reply: by what its text says must stand there, in the form of the domain. */
export interface Check {
  /** The reply shows the condition. */
  shows(reply: ConditionedReply): boolean;
  /** The action, or what the reply shows instead, leaves no room for a reply without it. */
  meets(reply: ConditionedReply): boolean;
}
