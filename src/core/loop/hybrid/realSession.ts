import type { TurnAction } from '../../action/turnAction.ts';
import type { Consent } from '../../facts/consent.ts';
import { type Foretell, type ForetellRequest, foldAll, type Session } from '../../foretell.ts';
import type { Prediction } from '../../prediction/prediction.ts';
import type { Limits } from '../../prediction/rehearsal.ts';
import type { Basis } from '../../view/basis.ts';
import type { View } from '../../view/view.ts';
import type { LanguageRequest } from '../../worlds/language/imagine/languageRequest.ts';
import { redactInput } from '../../worlds/language/prompt/redactInput.ts';
import type { Dialect } from '../../worlds/language/prompt/turns/turn.ts';
import { rehearseTurn } from '../rehearseTurn.ts';
import { denyingScript, engineFaults, type StartFaults } from './faults.ts';

/** What may run in the copies of a hybrid environment. It is for whoever serves to say, and never for who asks. */
export interface HybridOptions {
  /** Every program really runs, confined and without network. Default false. */
  openGate?: boolean;
  /** The folder is trusted: programs run that are known by the form of their words. Default false. */
  trusted?: boolean;
  /** The kept consent for a folder; default: none. */
  consentFor?(folder: string): Consent | undefined;
  limits?: Partial<Limits>;
  /** Rehearsals that go on at once; default: two for each processor. */
  rehearsals?: number;
}

/** What an action led to, really. */
export interface RealTurn {
  /** As the agent is shown it, without secrets; what nobody knows is marked. */
  text: string;
  /** The weakest of everything that it says. */
  basis: Basis;
  /** Why it is not known, or not exact, as a sentence. */
  why?: string;
  prediction: Prediction;
  /** What a terminal shows of the output; absent: it is that of the prediction. */
  printed?: string;
  /** Something was taken out of the text, and would have to be out of the prediction. */
  hadSecret: boolean;
}

/** A real shell on a copy of a folder, kept over the actions of one session. Its copy is made when the first one comes. */
export interface RealSession {
  /** Takes an action; `why` it has to be imagined or left unknown. */
  act(
    turn: TurnAction,
    language: LanguageRequest | undefined,
    signal: AbortSignal,
  ): Promise<RealTurn | { why: string }>;
  /** Runs a command that is no action of the agent. */
  check(script: string, signal: AbortSignal): Promise<Prediction>;
  /** Content of a file as it stands now, or nothing where there is no regular file. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Something that the copy does not have may have happened: from now on what it says rests on that. */
  doubt(why: string): void;
  /** Whether everything that the copy says is what would really be. */
  isExact(): boolean;
  close(): Promise<void>;
}

/** Longest observation, in characters; a shell tool would cut it as well. */
const mostCharacters = 1_000_000;

/** `folder`: absolute, where the agent's tools are at home. */
export function openRealSession(of: {
  foretell: Pick<Foretell, 'openSession'>;
  folder: string;
  domain: 'terminal' | 'swe';
  dialect: Dialect;
  hybrid: HybridOptions;
  faults: StartFaults;
}): RealSession {
  const { folder, hybrid, faults } = of;
  let session: Session | undefined;
  let at = folder;
  let view: View | undefined;
  let doubted: string | undefined;
  let denying: string | undefined = denyingScript(faults, folder);
  const made = new Set<string>();
  const isFaulty = Object.keys(faults).length > 0;
  const asks: ForetellRequestPart = {
    hash: true,
    openGate: hybrid.openGate ?? false,
    trusted: hybrid.trusted ?? false,
    consent: hybrid.consentFor?.(folder),
    ...(hybrid.limits ? { limits: hybrid.limits } : {}),
    ...(isFaulty ? { faults: engineFaults(faults) } : {}),
  };

  /** The session, with what is denied in it. */
  async function opened(signal: AbortSignal): Promise<Session> {
    session ??= of.foretell.openSession({ newShells: of.domain !== 'terminal' });
    if (denying === undefined) return session;
    const script = denying;
    denying = undefined;
    const prediction = await runIn(session, script, signal);
    if (prediction.exitCode !== 0)
      doubted = `What was to be denied could not be: ${prediction.output
        .map(({ text = '' }) => text)
        .join('')
        .trim()}`;
    return session;
  }

  async function runIn(session: Session, script: string, signal: AbortSignal): Promise<Prediction> {
    const action = { kind: 'command' as const, script, shell: 'bash' as const, cwd: folder };
    const { events, view: left } = session.predict({ ...asks, action, workspaceFolders: [folder], signal });
    const prediction = await foldAll(action, events);
    view = left;
    return prediction;
  }

  /** What an earlier action wrote keeps its room in the copy, so that a full disk would not be certain any more. */
  function countRoom({ files }: Prediction): void {
    if (faults.diskBytes === undefined) return;
    const isFreed = files.some(({ change, path }) => change === 'deleted' && made.has(path));
    if (isFreed) doubted ??= 'Room that is freed of what an earlier action wrote stays taken on the disk of the copy.';
    for (const { change, path } of files) if (change === 'created') made.add(path);
  }

  return {
    async act(turn, language, signal) {
      const place = {
        session: await opened(signal),
        root: folder,
        at,
        dialect: of.dialect,
        asks: language ? { ...asks, language } : asks,
        signal,
      };
      const truth = await rehearseTurn(turn, place);
      at = truth.after ?? at;
      if ('why' in truth) return { why: truth.why };
      const { prediction, printed, script = '' } = truth;
      view = truth.view;
      countRoom(prediction);
      const basis = weakest(prediction, doubted);
      const isKnown = basis !== 'unknown';
      const shown = isKnown ? truth.text : withUnknown(prediction);
      const { text, found } = await redactInput(shown.slice(0, mostCharacters), script);
      const why = isKnown
        ? basis === 'assumed'
          ? (doubted ?? prediction.endingReason)
          : undefined
        : whyUnknown(prediction);
      return {
        text,
        basis,
        prediction,
        hadSecret: found.length > 0,
        ...(printed === undefined ? {} : { printed }),
        ...(why === undefined ? {} : { why }),
      };
    },
    check: async (script, signal) => runIn(await opened(signal), script, signal),
    read: async (path) => (view ? view.read(path, 'after') : undefined),
    doubt(why) {
      doubted ??= why;
    },
    isExact: () => doubted === undefined,
    async close() {
      await session?.close();
    },
  };
}

type ForetellRequestPart = Pick<ForetellRequest, 'openGate' | 'consent' | 'trusted' | 'limits' | 'faults' | 'hash'>;

/** From what is certain to what nobody knows. */
const strengths: readonly Basis[] = [
  'rehearsed',
  'observed',
  'computed',
  'remembered',
  'imagined',
  'assumed',
  'unknown',
];

/** What a prediction as a whole is worth. One that did not come to its end says nothing of how it would have ended. */
function weakest(prediction: Prediction, doubted: string | undefined): Basis {
  const { ending, output, files, programs, exitBasis, assumptions } = prediction;
  if (ending !== 'done' && ending !== 'abstained') return 'unknown';
  const bases = [...output, ...files, ...programs].map(({ basis }) => basis);
  bases.push(exitBasis ?? 'unknown');
  if (doubted !== undefined) bases.push('assumed');
  // A program that nobody answered for, or a doubt about what the run says: how it really goes on is not known.
  if (assumptions.length > 0) return 'unknown';
  if (ending === 'abstained' && bases.every((basis) => strengths.indexOf(basis) < strengths.indexOf('assumed')))
    return 'unknown';
  return bases.reduce(
    (worst, basis) => (strengths.indexOf(basis) > strengths.indexOf(worst) ? basis : worst),
    'rehearsed',
  );
}

function whyUnknown({ endingReason }: Prediction): string {
  return endingReason ?? 'What this leads to is not known.';
}

/** What is known of the output, and that the rest is not. */
function withUnknown(prediction: Prediction): string {
  const known = prediction.output
    .filter(({ basis }) => basis !== 'unknown' && basis !== 'assumed')
    .map(({ text = '' }) => text)
    .join('');
  return `${known}[unknown: ${whyUnknown(prediction)}]`;
}
