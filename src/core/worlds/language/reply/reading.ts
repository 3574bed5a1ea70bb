import type { ReplyFault } from '../../../facts/replyFault.ts';

/** What a text says in a form that was asked for, or why it says nothing. */
export type Reading<T> = { ok: true; value: T } | { ok: false; fault: ReplyFault };
