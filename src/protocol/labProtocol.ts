/**
 * Every message between the extension host and the trajectory editor. Both sides parse what they receive.
 *
 * The webview says `ready`; the host answers with a `snapshot` that has a summary of every line that is read so far. More
 * lines and changes come as `lines`, numbered by `revision`; the webview that sees a gap says `ready` again. What is shown
 * of one step is asked for with `want`. A prediction under way is a `run`, its events are folded with the same `fold` on
 * both sides.
 */
import * as z from 'zod/mini';
import { Compliance } from '../core/facts/compliance.ts';
import { Contradiction } from '../core/facts/contradiction.ts';
import { PredictionEvent } from '../core/prediction/event.ts';
import { Ending } from '../core/prediction/parts.ts';
import { Prediction } from '../core/prediction/prediction.ts';
import { Reply } from '../core/prediction/question.ts';
import { StepFacts, StepMessage } from '../core/trajectory/step/step.ts';
import { LineSummary } from '../core/trajectory/step/stepSummary.ts';
import { Basis } from '../core/view/basis.ts';

/** A text that is edited, see `actionText`. */
const EditedText = z.object({ text: z.string(), form: z.enum(['shell', 'json', 'text']) });

/** A `FactualScore`. */
const Score = z.object({
  lines: z.object({
    truth: z.number(),
    matched: z.number(),
    extra: z.number(),
    recall: z.number(),
    exact: z.boolean(),
  }),
  exitCode: z.object({ predicted: z.optional(z.number()), truth: z.optional(z.number()), same: z.boolean() }),
  files: z.object({
    same: z.array(z.string()),
    different: z.array(z.string()),
    missing: z.array(z.string()),
    extra: z.array(z.string()),
  }),
  effects: z.object({ same: z.array(z.string()), missing: z.array(z.string()), extra: z.array(z.string()) }),
  score: z.number(),
});

/** How an attempt was asked. */
const Way = z.object({
  at: z.optional(z.string()),
  model: z.optional(z.string()),
  template: z.optional(z.string()),
  /** Titles, and the user's own words. */
  conditions: z.array(z.string()),
  /** Whether the reply complies with each condition that is a preset. */
  compliance: z.optional(z.array(z.object({ title: z.string(), how: Compliance.shape.how }))),
  durationMs: z.optional(z.number()),
  factual: z.optional(z.number()),
});

/** What is shown of one step, but its prompt. */
export const StepDetail = z.object({
  id: z.string(),
  /** Of the file, from 1. */
  line: z.number(),
  trajectory: z.string(),
  domain: z.string(),
  action: EditedText,
  /** Folder of a command, absolute. */
  cwd: z.optional(z.string()),
  state: z.optional(z.string()),
  note: z.optional(z.string()),
  /** What an import could not be sure of, in sentences. */
  uncertain: z.array(z.string()),
  /** What the agent thought before it acted, and its model. */
  agent: z.optional(z.object({ thought: z.optional(z.string()), model: z.optional(z.string()) })),
  observation: z.optional(
    z.object({ text: z.string(), basis: Basis, source: z.optional(z.string()), facts: z.optional(StepFacts) }),
  ),
  prediction: z.optional(
    z.object({
      text: z.string(),
      ending: Ending,
      reason: z.optional(z.string()),
      engine: z.string(),
      facts: StepFacts,
    }),
  ),
  /** What the step says of its simulated world otherwise than before. */
  contradictions: z.optional(z.array(Contradiction)),
  score: z.optional(Score),
  judge: z.optional(z.object({ model: z.string(), dimensions: z.record(z.string(), z.number()) })),
  way: Way,
  parameters: z.optional(z.record(z.string(), z.unknown())),
  reply: z.optional(Reply),
  /** Messages of the prompt; 0: it is not kept. */
  messages: z.number(),
  /** Attempts that say the same; the first attempt is the one that is shown. */
  answers: z.array(
    z.object({
      attempts: z.array(z.number()),
      text: z.string(),
      line: z.string(),
      exitCode: z.optional(z.number()),
      failed: z.boolean(),
      factual: z.optional(z.number()),
    }),
  ),
  attempts: z.array(Way),
});
export type StepDetail = z.infer<typeof StepDetail>;

/** Lines from `start`, `removed` of them, are these now. */
const Splice = z.object({ start: z.number(), removed: z.number(), lines: z.array(LineSummary) });

/** What the editor stands in. */
const EditorState = z.object({
  /** Name of the file. */
  file: z.string(),
  /** Name of the language model; absent: none. */
  model: z.optional(z.string()),
  trusted: z.boolean(),
  home: z.optional(z.string()),
});
export type EditorState = z.infer<typeof EditorState>;

/** A sentence above the list. */
const Notice = z.object({
  kind: z.enum(['information', 'warning', 'error']),
  sentence: z.string(),
  offer: z.optional(z.enum(['connectModel', 'manageTrust', 'openAsText'])),
});

/** Something that is made for a step. */
const LabRun = z.object({
  run: z.number(),
  id: z.string(),
  what: z.enum(['predict', 'rehearse']),
  /** For people: `with Qwen, under Disk full`. Empty: as usual. */
  how: z.string(),
  /** Steps that come after this one in the same go. */
  waiting: z.number(),
  sequence: z.number(),
  prediction: Prediction,
});
export type LabRun = z.infer<typeof LabRun>;

/** Host → webview. */
export const LabHostMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    revision: z.number(),
    lines: z.array(LineSummary),
    /** Lines of the file; more than `lines` while it is read. */
    total: z.number(),
    editor: EditorState,
    runs: z.array(LabRun),
    notice: z.optional(Notice),
  }),
  z.object({ type: z.literal('lines'), revision: z.number(), splices: z.array(Splice), total: z.number() }),
  z.object({ type: z.literal('editor'), editor: EditorState }),
  /** Answers `want`; `revision`: of the file that it was read from. */
  z.object({ type: z.literal('detail'), revision: z.number(), detail: StepDetail }),
  z.object({ type: z.literal('messages'), id: z.string(), messages: z.array(StepMessage) }),
  /** Lines that hold the text, from 0. */
  z.object({ type: z.literal('found'), query: z.string(), lines: z.array(z.number()), isComplete: z.boolean() }),
  z.object({ type: z.literal('runStarted'), run: LabRun }),
  /** Events `first` … of this run. */
  z.object({ type: z.literal('runEvents'), run: z.number(), first: z.number(), events: z.array(PredictionEvent) }),
  z.object({ type: z.literal('runEnded'), run: z.number() }),
  /** Replaces the sentence; `null` takes it away. */
  z.object({ type: z.literal('notice'), notice: z.nullable(Notice) }),
  /** An edit or a fork was done, or why not. */
  z.object({ type: z.literal('answered'), request: z.number(), refusal: z.optional(z.string()) }),
  /** Show this step. */
  z.object({ type: z.literal('select'), id: z.string() }),
]);
export type LabHostMessage = z.infer<typeof LabHostMessage>;

/** Webview → host. Steps are named by their `id`. */
export const LabMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('want'), id: z.string() }),
  z.object({ type: z.literal('wantMessages'), id: z.string() }),
  /** Empty: nothing is searched for any more. */
  z.object({ type: z.literal('search'), query: z.string() }),
  /** `choose`: the user picks that first. */
  z.object({
    type: z.literal('predict'),
    id: z.string(),
    choose: z.optional(z.enum(['model', 'template', 'conditions'])),
    samples: z.optional(z.number()),
  }),
  /** All steps after this one that rest on something edited, one after the other. */
  z.object({ type: z.literal('predictFollowing'), id: z.string() }),
  /** `turns`: after the commands before it. `files`: from the files as they are. */
  z.object({ type: z.literal('rehearse'), id: z.string(), from: z.enum(['turns', 'files']) }),
  z.object({ type: z.literal('cancel'), run: z.number() }),
  /** A new step after this one. */
  z.object({ type: z.literal('fork'), request: z.number(), id: z.string(), text: z.string() }),
  z.object({
    type: z.literal('edit'),
    request: z.number(),
    id: z.string(),
    what: z.enum(['action', 'observation', 'note']),
    text: z.string(),
  }),
  /** Another attempt becomes the one that is shown. */
  z.object({ type: z.literal('showAttempt'), id: z.string(), attempt: z.number() }),
  z.object({ type: z.literal('open'), id: z.string(), what: z.enum(['prompt', 'reply', 'diff']) }),
  /** Opens the file as text at a line, from 1. */
  z.object({ type: z.literal('openLine'), line: z.number() }),
  z.object({ type: z.literal('errand'), errand: z.enum(['connectModel', 'manageTrust', 'openAsText']) }),
]);
export type LabMessage = z.infer<typeof LabMessage>;
