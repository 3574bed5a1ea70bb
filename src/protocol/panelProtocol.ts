/**
 * Every message between the extension host and the predict panel. Both sides parse what they receive.
 *
 * The webview says `ready`; the host answers with a `snapshot`. Every new prediction begins with a snapshot that has a
 * new `run` number; a finished one may be sent as a single snapshot. Later facts come as numbered `events`, folded with
 * the same `fold` on both sides. When the webview sees a gap in the numbers it says `ready` again.
 */
import * as z from 'zod/mini';
import { CommandAction, ShellName } from '../core/action/action.ts';
import { LookKind } from '../core/facts/consent.ts';
import { HeadlineKind } from '../core/facts/headline.ts';
import { PredictionEvent } from '../core/prediction/event.ts';
import { PredictedFacts, type Prediction } from '../core/prediction/prediction.ts';

/** A folded `Prediction` as it crosses the border to the panel. */
export const PostedPrediction: z.ZodMiniType<Prediction> = z.extend(PredictedFacts, {
  // Of an edit the kind alone: what it writes may be many megabytes. Turns of a trajectory are not shown in this panel.
  action: z.discriminatedUnion('kind', [
    CommandAction,
    z.object({ kind: z.literal('edit'), changes: z.array(z.never()) }),
  ]),
});

/** Something outside the panel that a button in it opens or starts. */
export const Errand = z.enum([
  'openFolder',
  'manageTrust',
  'showLog',
  'reloadWindow',
  'openSettings',
  'openWalkthrough',
  'chooseModel',
  'connectModel',
  /** A command is imagined whole: the engine cannot rehearse it here. */
  'imagine',
  'reopenInWsl',
  'showStatus',
  'takeTour',
  'applyPrediction',
  'allowEffects',
  'restoreLost',
]);
export type Errand = z.infer<typeof Errand>;

/** What the panel stands in: decides which of its states is shown and which buttons make sense. */
export const WorkspaceState = z.object({
  trusted: z.boolean(),
  /** Root folders of the workspace, absolute, those within others first; empty: no folder is open. */
  folders: z.array(z.string()),
  /** Home directory of the user, absolute; shown as `~`. */
  home: z.optional(z.string()),
  /** `sentence` says why it is not available here, `errands` how to go on; `name` is the world's name, `confined`. */
  engine: z.discriminatedUnion('available', [
    z.object({ available: z.literal(true), name: z.string() }),
    z.object({ available: z.literal(false), sentence: z.string(), errands: z.array(Errand) }),
  ]),
});
export type WorkspaceState = z.infer<typeof WorkspaceState>;

/** Settings that the panel shows or obeys. */
export const PanelSettings = z.object({
  /** Name of the configured language model; absent: none. */
  model: z.optional(z.string()),
  /** What can be imagined, and what is chosen. Absent: no model is configured. */
  imagining: z.optional(
    z.object({
      presets: z.array(z.object({ id: z.string(), title: z.string() })),
      conditions: z.array(z.string()),
      text: z.string(),
      samples: z.number(),
    }),
  ),
  /** Key bindings as the user would press them, for hints: `Alt+P`. Absent: not bound. */
  keys: z.object({ predict: z.optional(z.string()), runForReal: z.optional(z.string()) }),
  /** Font of the integrated terminal; absent: that of the editor. Size in pixels. */
  terminalFont: z.optional(z.object({ family: z.optional(z.string()), sizePixels: z.optional(z.number()) })),
});
export type PanelSettings = z.infer<typeof PanelSettings>;

/** Where the session stands: predictions that the next one starts from. */
export const SessionPosition = z.object({
  /** Scripts whose predicted state is kept, oldest first; empty: the next prediction starts from the real files. */
  scripts: z.array(z.string()),
  /** Working directory of the next prediction, absolute. */
  cwd: z.string(),
  /** The prediction that is shown is the last of them: what comes next is typed. */
  endsWithShown: z.optional(z.boolean()),
});
export type SessionPosition = z.infer<typeof SessionPosition>;

/** A command that was predicted before. */
export const PastCommand = z.object({
  script: z.string(),
  /** Absolute. */
  cwd: z.string(),
  shell: ShellName,
  /** What its prediction was called. */
  headline: HeadlineKind,
  /** When, as of `Date.now()`; no two have the same. */
  atMs: z.number(),
});
export type PastCommand = z.infer<typeof PastCommand>;

/** Those of a workspace, the latest first. */
export const PastCommands = z.array(PastCommand);

/** What came of running the predicted command for real. */
export const Observed = z.object({
  state: z.enum(['running', 'ended', 'lost']),
  /** The predicted result was put in place: nothing was run, so there is neither output nor exit code. */
  isApplied: z.optional(z.boolean()),
  /** Why it could not be watched to its end; only for `lost`. */
  sentence: z.optional(z.string()),
  exitCode: z.optional(z.number()),
  /** `terminal`: both streams as one terminal showed them. Absent: the output could not be read. */
  output: z.optional(z.array(z.object({ stream: z.enum(['stdout', 'stderr', 'terminal']), text: z.string() }))),
  /** One entry for each path that was compared; the host compares, because it holds both contents. */
  files: z.optional(
    z.array(
      z.object({
        path: z.string(),
        agrees: z.boolean(),
        /** One clause: `same content`, `is still there`, `created, not predicted`. */
        detail: z.string(),
      }),
    ),
  ),
  /** What of it is not as predicted; only for `ended`. */
  differs: z.optional(z.array(z.enum(['exitCode', 'output', 'files']))),
  durationMs: z.optional(z.number()),
  /** So many of the paths that are lost for good are kept by the safety net; absent: it keeps nothing of this. */
  keptLost: z.optional(z.number()),
});
export type Observed = z.infer<typeof Observed>;

/** One sentence of the host above the verdict, for example that files changed since and it was predicted again. */
export const Banner = z.object({
  kind: z.enum(['information', 'warning', 'error']),
  sentence: z.string(),
  /** The button beside it. `confirmRun` and `predict` are sent as those messages, an errand as `errand`. */
  offer: z.optional(z.union([z.enum(['confirmRun', 'predict']), Errand])),
});
export type Banner = z.infer<typeof Banner>;

/** Why the last question has no answer. It stands in place of a verdict, so that an older one is not taken for it. */
export const Refusal = z.object({
  sentence: z.string(),
  /** What was asked in the panel, to be changed there. */
  asked: z.optional(z.string()),
  /** The prediction before can be shown again. */
  hasEarlier: z.boolean(),
});
export type Refusal = z.infer<typeof Refusal>;

/**
 * Files whose editors hold changes that a prediction did not see, absolute. `isNamed`: the command or the edit names them.
 */
export const Unsaved = z.object({
  paths: z.array(z.string()),
  isNamed: z.boolean(),
  /** All of them were saved by now: some while it was predicted, so that it may have seen them, or all after that. */
  saved: z.optional(z.enum(['meanwhile', 'since'])),
});
export type Unsaved = z.infer<typeof Unsaved>;

/** What language services say of an edit: how many errors are new, and whether they are still asked. */
export const Checked = z.object({ newErrors: z.number(), isOpen: z.boolean() });
export type Checked = z.infer<typeof Checked>;

/** Host → webview. */
export const HostMessage = z.discriminatedUnion('type', [
  /** The whole state. `run` counts predictions; `sequence` is the number of the last event folded into `prediction`. */
  z.object({
    type: z.literal('snapshot'),
    run: z.number(),
    sequence: z.number(),
    prediction: z.nullable(PostedPrediction),
    workspace: WorkspaceState,
    settings: PanelSettings,
    session: SessionPosition,
    observed: z.optional(Observed),
    banner: z.optional(Banner),
    unsaved: z.optional(Unsaved),
    /** Only without a prediction. */
    refusal: z.optional(Refusal),
    /** It was predicted with the gate open. */
    gateOpened: z.optional(z.boolean()),
    /** So many answers to its programs were typed for the prediction before, and are kept. */
    keptAnswers: z.optional(z.number()),
    /** Another prediction of the same command that this one is compared with. `title`: `Rehearsed`, `Last run`. `isLast`: the run before. */
    beside: z.optional(z.object({ title: z.string(), isLast: z.optional(z.boolean()), prediction: PostedPrediction })),
    /** The prediction before this one can be shown beside it. */
    hasLast: z.optional(z.boolean()),
    /** Of an edit; `EditShown` and `Consequences` of `editProtocol.ts`, which the second script reads. */
    edit: z.optional(z.unknown()),
    consequences: z.optional(z.unknown()),
    checked: z.optional(Checked),
    /** `SaferCommands` of `compareProtocol.ts`, which the second script reads. */
    safer: z.optional(z.unknown()),
  }),
  /** Events `first` … `first + events.length - 1` of this run. Good size: one frame's worth, at most 1,000. */
  z.object({ type: z.literal('events'), run: z.number(), first: z.number(), events: z.array(PredictionEvent) }),
  /** Replaces what was observed so far. */
  z.object({ type: z.literal('observed'), run: z.number(), observed: Observed }),
  /** Replaces what is known of what follows from the edit: `Consequences` of `editProtocol.ts`. */
  z.object({
    type: z.literal('consequences'),
    run: z.number(),
    consequences: z.unknown(),
    checked: z.optional(Checked),
  }),
  /** Commands that were predicted before, the latest first: for the box of the command, and a list. */
  z.object({ type: z.literal('past'), commands: PastCommands }),
  /** Commands that reach the same and lose nothing: `SaferCommands` of `compareProtocol.ts`. */
  z.object({ type: z.literal('safer'), run: z.number(), safer: z.unknown() }),
  /** Replaces those parts of the state that are given. */
  z.object({
    type: z.literal('changed'),
    workspace: z.optional(WorkspaceState),
    settings: z.optional(PanelSettings),
    session: z.optional(SessionPosition),
    /** `null` takes the banner away. */
    banner: z.optional(z.nullable(Banner)),
    unsaved: z.optional(z.nullable(Unsaved)),
  }),
  /** Put the keyboard into the panel: on the verdict, on the command, or on the answer. */
  z.object({ type: z.literal('focus'), on: z.enum(['command', 'verdict', 'answer']) }),
]);
export type HostMessage = z.infer<typeof HostMessage>;

/** Webview → host. `run` is the prediction that the user saw when they acted; refuse when it is not the current one. */
export const PanelMessage = z.discriminatedUnion('type', [
  /** Send a snapshot: the script has (re)loaded, or missed events. */
  z.object({ type: z.literal('ready') }),
  /** A command, or the text of an edit. After an edit a command starts from what the edit leaves. */
  z.object({ type: z.literal('predict'), script: z.string() }),
  z.object({ type: z.literal('predictAgain'), run: z.number() }),
  z.object({ type: z.literal('cancel'), run: z.number() }),
  /** The host asks first when the verdict is danger, and predicts again when something has changed since. */
  z.object({ type: z.literal('runForReal'), run: z.number() }),
  /** The offer of a banner: run although what it says. */
  z.object({ type: z.literal('confirmRun'), run: z.number() }),
  /** Apply the edit to the real files; `chooses`: the user picks in a Refactor Preview what of it. */
  z.object({ type: z.literal('applyForReal'), run: z.number(), chooses: z.optional(z.boolean()) }),
  /** Save the editors that the prediction did not see, and predict again. */
  z.object({ type: z.literal('saveAndPredict'), run: z.number() }),
  /** After a refusal: show the prediction before it again. */
  z.object({ type: z.literal('showEarlier') }),
  /** Take the prediction away. */
  z.object({ type: z.literal('discard'), run: z.number() }),
  /** Open a place of a text as it is now, or as it is predicted. `line` and `column` from 1. */
  z.object({
    type: z.literal('openAt'),
    run: z.number(),
    path: z.string(),
    line: z.number(),
    column: z.number(),
    moment: z.enum(['before', 'after']),
  }),
  /** Open the gate for this command. The panel has shown which programs would run. */
  z.object({ type: z.literal('rehearseForReal'), run: z.number() }),
  /**
   * Ask for a consent from now on: to rehearse the programs of the workspace, or to what is asked outside as a look. The host shows
   * what is consented to.
   */
  z.object({ type: z.literal('askConsent'), run: z.number(), to: z.union([z.literal('rehearse'), LookKind]) }),
  z.object({
    type: z.literal('copy'),
    run: z.number(),
    what: z.enum(['command', 'summary', 'output', 'json', 'markdown', 'transcript']),
  }),
  /** Predict a command of before again, on the real files, in its folder. */
  z.object({ type: z.literal('bringBack'), atMs: z.number() }),
  z.object({ type: z.literal('continueFromHere'), run: z.number() }),
  z.object({ type: z.literal('startOver') }),
  /** Predict this step of the sequence again, from the steps before it. Counted from 0. */
  z.object({ type: z.literal('goToStep'), step: z.number() }),
  /** Predict again without the answers that were kept. */
  z.object({ type: z.literal('answerAnew'), run: z.number() }),
  z.object({ type: z.literal('openDiff'), run: z.number(), path: z.string() }),
  z.object({ type: z.literal('openAllChanges'), run: z.number() }),
  z.object({ type: z.literal('openFile'), path: z.string() }),
  /** What the user typed for the program that asks, without the line end. */
  z.object({ type: z.literal('answer'), run: z.number(), text: z.string() }),
  /** A language model alone predicts the whole command, beside what is rehearsed. */
  z.object({ type: z.literal('imagine'), script: z.string() }),
  /** Under what the model imagines, and how often, from the next prediction on. `text`: the user's own words. */
  z.object({
    type: z.literal('imagining'),
    conditions: z.array(z.string()),
    text: z.string(),
    samples: z.number(),
  }),
  /** Predict again with one message of a prompt changed: `content` takes the place of message `message`. */
  z.object({
    type: z.literal('askAgain'),
    run: z.number(),
    question: z.number(),
    message: z.number(),
    content: z.string(),
  }),
  /** Open a part of a question in an editor; `template` opens the file that it was made of, to be edited. */
  z.object({
    type: z.literal('openQuestion'),
    run: z.number(),
    question: z.number(),
    what: z.enum(['prompt', 'request', 'reply', 'template', 'message']),
    /** Which message; for `message`. */
    message: z.optional(z.number()),
  }),
  z.object({
    type: z.literal('copyQuestion'),
    run: z.number(),
    question: z.number(),
    as: z.enum(['prompt', 'curl', 'row', 'reply']),
  }),
  /** Show the prediction beside the one before it, or take that away. */
  z.object({ type: z.literal('compareLast'), run: z.number(), on: z.boolean() }),
  /** Characters that fit into the output; for the terminal of the next prediction. */
  z.object({ type: z.literal('resize'), columns: z.number(), rows: z.number() }),
  z.object({ type: z.literal('errand'), errand: Errand }),
  /**
   * For the measure of speed: the frame with this was painted. `atMs` is `Date.now()` then; `sinceKeyMs` counts from
   * the key press or click in the panel that asked for this prediction, where there was one.
   */
  z.object({
    type: z.literal('painted'),
    run: z.number(),
    what: z.enum(['first', 'verdict', 'ended']),
    atMs: z.number(),
    sinceKeyMs: z.optional(z.number()),
  }),
]);
export type PanelMessage = z.infer<typeof PanelMessage>;
