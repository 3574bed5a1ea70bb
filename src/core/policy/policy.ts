import * as z from 'zod/mini';
import { patternExpression } from '../shell/glob.ts';

/**
 * The form of a policy file, and the one source of its JSON schema (`policySchema`). Unknown keys are refused: a word that
 * nobody reads would be a rule that nobody follows.
 */

const described = <T extends z.ZodMiniType>(schema: T, text: string): T => schema.check(z.describe(text)) as T;

/** What cannot be read would match nothing, and a rule that denies would deny nothing. */
const Pattern = () => z.string().check(z.minLength(1), z.maxLength(1_024), z.refine(isReadable));
const Patterns = () => z.array(Pattern()).check(z.maxLength(200));

function isReadable(pattern: string): boolean {
  const parts = pattern.split('/');
  return parts.every((part) => part === '**' || (part !== '..' && patternExpression(part) !== undefined));
}

/** Names of ways back, as policies write them. */
const ways = [
  ...(['none', 'own', 'commit', 'index', 'gitName', 'objectDatabase', 'storedByAction', 'reflog', 'remote'] as const),
  ...(['tool', 'linkTarget', 'localHistory', 'editor', 'file', 'otherNames'] as const),
] as const;
const gitParts = [
  ...([
    'upkeep',
    'index',
    'commits',
    'refs',
    'head',
    'stash',
    'unfinished',
    'remote',
    'worktrees',
    'settings',
  ] as const),
  ...(['hooks', 'objects', 'objectsRemoved', 'repository', 'records'] as const),
] as const;

const Ways = z.array(z.enum(ways));
const GitParts = z.array(z.enum(gitParts));
const Marks = z.array(
  z.enum([
    ...(['signal', 'waits', 'package', 'permission', 'privilege', 'device', 'service', 'cloud', 'container'] as const),
    ...(['database', 'code-execution', 'environment', 'timestamp', 'process', 'outside-workspace', 'other'] as const),
    'runs-later',
  ]),
);
const Network = z.union([z.enum(['none', 'loopback', 'any']), Patterns()]);

const paths =
  'Patterns of paths: * and ? within a name, ** over any number of folders. Relative ones begin at the folder of the project, ~/ at the home folder.';

/** The most that an action may do. What is left out may not happen. */
export const Bounds = z.strictObject({
  writes: described(z.optional(Patterns()), `Files that may be made, changed or moved. ${paths}`),
  deletes: described(z.optional(Patterns()), `Files that may be deleted. ${paths}`),
  permissions: described(z.optional(Patterns()), `Files whose mode, owner or access list may change. ${paths}`),
  loses: described(
    z.optional(Ways),
    'From where what is taken away must come back: commit, remote, index … “own” is what the agent wrote itself in the session, “none” what is lost for good.',
  ),
  network: described(z.optional(Network), 'Who may be reached: none (default), loopback, any, or hosts by pattern.'),
  programs: described(
    z.optional(z.enum(['inert', 'consented'])),
    'Programs that may take part: inert ones (default), or also those that ran in the rehearsal by your consent.',
  ),
  leavesRunning: described(z.optional(z.boolean()), 'Whether processes may go on when it has ended (default: false).'),
  git: described(z.optional(GitParts), 'Parts of the project’s git repository that may change.'),
  marks: described(z.optional(Marks), 'Other effects that may come of it.'),
  exit: described(z.optional(z.enum(['any', 'success'])), 'How it may end (default: any).'),
  certainty: described(
    z.optional(z.array(z.enum(['rehearsed', 'computed', 'remembered']))),
    'Where its facts may come from (default: rehearsed and computed). What is assumed, unknown or said by a model is never enough.',
  ),
});
export type Bounds = z.infer<typeof Bounds>;

/** What makes a rule count: all that is named here has to happen. */
export const Trigger = z.strictObject({
  writes: described(z.optional(Patterns()), `One of these files is made, changed or moved. ${paths}`),
  deletes: described(z.optional(Patterns()), `One of these files is deleted. ${paths}`),
  permissions: described(z.optional(Patterns()), `Mode, owner or access list of one of these files change. ${paths}`),
  outside: described(
    z.optional(Patterns()),
    `A file that none of these patterns matches is made, changed, moved or deleted. ${paths}`,
  ),
  loses: described(z.optional(Ways), 'Something is taken away that comes back from here; “none”: it is lost for good.'),
  network: described(
    z.optional(z.union([z.enum(['loopback', 'any']), Patterns()])),
    'Somebody is reached: on this machine (loopback), anybody (any), or one of these hosts.',
  ),
  programs: described(z.optional(z.literal('consented')), 'A program took part by your consent.'),
  leavesRunning: described(z.optional(z.literal(true)), 'A process goes on when it has ended.'),
  git: described(z.optional(GitParts), 'One of these parts of a git repository changes.'),
  marks: described(z.optional(Marks), 'One of these effects comes of it.'),
  exit: described(z.optional(z.literal('failure')), 'It fails.'),
  level: described(z.optional(z.array(z.enum(['caution', 'danger']))), 'The verdict is one of these.'),
  unknown: described(z.optional(z.literal(true)), 'Something of it cannot be known.'),
});
export type Trigger = z.infer<typeof Trigger>;

const name = described(z.string().check(z.minLength(1), z.maxLength(200)), 'What the rule is called where it decides.');
const folders = described(
  z.optional(Patterns()),
  'Only in projects whose folder matches one of these patterns: absolute, or below ~/.',
);

/** One rule. */
const PolicyRule = z.union([
  z.strictObject({
    name,
    // An answer that a client takes for a yes: only what is wholly known satisfies it.
    answer: z.literal('allow'),
    in: folders,
    only: Bounds,
  }),
  z.strictObject({
    name,
    answer: z.enum(['ask', 'deny']),
    in: folders,
    if: Trigger.check(z.refine((trigger) => Object.keys(trigger).length > 0)),
  }),
]);
export type PolicyRule = z.infer<typeof PolicyRule>;

/** A policy file. */
export const Policy = z.strictObject({
  $schema: z.optional(z.string()),
  version: described(z.literal(1), 'The version of this form.'),
  extends: described(
    z.optional(z.array(z.enum(['careful', 'everyday', 'unattended'])).check(z.maxLength(3))),
    'Shipped policies whose rules count besides.',
  ),
  rules: described(z.array(PolicyRule).check(z.maxLength(500)), 'deny counts over ask, and ask over allow.'),
});
export type Policy = z.infer<typeof Policy>;

/** The JSON schema of a policy file, as editors take it. */
export function policySchema(): object {
  return { title: 'Foretell policy', ...z.toJSONSchema(Policy, { io: 'input' }) };
}
