import type { Foretell, ForetellPrediction, ForetellRequest, PredictedInputs } from '../../core/foretell.ts';
import type { PredictionEvent } from '../../core/prediction/event.ts';
import { emptyPrediction } from '../../core/prediction/fold.ts';
import { foldMany } from '../../core/prediction/foldMany.ts';
import type { Prediction } from '../../core/prediction/prediction.ts';
import { createAnswers } from './answers.ts';
import { fingerprint, pathsItRestsOn } from './fingerprint.ts';
import { type HeldSession, isComplete } from './run.ts';

/** Longer than this nobody's prediction runs. */
const longestMs = 1_500;
/** Older than this it is made anew. */
const mostAgeMs = 10_000;
/** What runs longer may have read by now what somebody has changed since, which shows only at its end. */
const freshMs = 300;

/** A prediction that is begun before anybody asks for it, because what it is of is selected; one at a time. */
export interface Ahead {
  /** Begins it as far as nobody need be asked about anything: without a model, consent and looks. The one before is dropped at once. */
  begin(asked: () => Promise<{ foretell: Foretell; request: ForetellRequest }>): Promise<void>;
  /**
   * Hands it over to whoever asks for the same, where a prediction that is begun now could say nothing else: nothing that it read has
   * changed, and nobody could have said more. What does not hold is dropped.
   */
  take(request: ForetellRequest): Promise<HeldSession | undefined>;
  drop(): void;
}

export function createAhead(): Ahead {
  let current: Begun | undefined;
  /** Counts what is to be begun: what was overtaken meanwhile is not. */
  let turn = 0;

  function drop(): void {
    turn += 1;
    current?.drop();
    current = undefined;
  }

  return {
    async begin(asked) {
      drop();
      const own = turn;
      const { foretell, request } = await asked();
      if (own !== turn) return;
      const begun = begin(foretell, request);
      current = begun;
      const end = (afterMs: number, isOver: () => boolean) =>
        setTimeout(() => {
          if (current === begun && isOver()) drop();
        }, afterMs).unref();
      end(longestMs, () => begun.prediction.ending === undefined);
      end(mostAgeMs, () => true);
    },
    async take(request) {
      const begun = current;
      turn += 1;
      current = undefined;
      if (!begun) return undefined;
      const isSame = begun.key === keyOf(request) && !request.language?.whole;
      if (isSame && (await begun.holds(mayDoMore(request)))) return begun.session;
      begun.drop();
      return undefined;
    },
    drop,
  };
}

interface Begun {
  /** The request in one word. */
  key: string;
  prediction: Prediction;
  session: HeldSession;
  /** `mayDoMore`: whoever asks now could be told by a model, or let programs in. */
  holds(mayDoMore: boolean): Promise<boolean>;
  drop(): void;
}

/** What a prediction rested on when it ended. */
interface Grounds {
  inputs: PredictedInputs | undefined;
  paths: string[];
  digest: string;
}

function begin(foretell: Foretell, request: ForetellRequest): Begun {
  const begunAt = performance.now();
  const abort = new AbortController();
  const answers = createAnswers();
  const { language: _, consent: _consent, ...rest } = request;
  const alone = { ...rest, looks: [], answers: answers.stream, signal: abort.signal, compared: true };
  const prediction = emptyPrediction(request.action);
  let isTaken = false;
  const made = foretell.predict(alone);
  const told = tell(made, (event) => {
    foldMany(prediction, event);
    // Whoever answers has to see the question.
    if (event.type === 'asks' && !isTaken) abort.abort();
  });
  const grounds = told.ended.then(() => (isComplete(prediction) ? groundsOf(made, prediction) : undefined));
  grounds.catch(() => {});
  const close = async () => made.view.close();
  return {
    key: keyOf(request),
    prediction,
    session: {
      isAlone: true,
      predict({ signal, answers: typed }) {
        isTaken = true;
        signal?.addEventListener('abort', () => abort.abort(), { once: true });
        if (signal?.aborted) abort.abort();
        void passOn(typed, answers);
        return { events: told.again(), view: made.view };
      },
      close,
    },
    async holds(more) {
      if (abort.signal.aborted) return false;
      if (prediction.ending === undefined) return !more && performance.now() - begunAt < freshMs;
      if (more && prediction.assumptions.length > 0) return false;
      const found = await grounds.catch(() => undefined);
      if (!found?.inputs || !('changed' in found.inputs) || found.inputs.changed().length > 0) return false;
      return (await fingerprint(found.paths)) === found.digest;
    },
    drop() {
      abort.abort();
      answers.end();
      void told.ended.then(close, close).catch(() => {});
    },
  };
}

async function groundsOf({ inputs }: ForetellPrediction, prediction: Prediction): Promise<Grounds> {
  const paths = pathsItRestsOn(prediction);
  const digest = await fingerprint(paths);
  return { inputs: inputs?.([]), paths, digest };
}

/** Follows events, and tells them all again from the first on. `ended` rejects as they do. */
function tell({ events }: ForetellPrediction, see: (event: PredictionEvent) => void) {
  const seen: PredictionEvent[] = [];
  let isOver = false;
  let wake = () => {};
  async function follow(): Promise<void> {
    try {
      for await (const event of events) {
        see(event);
        seen.push(event);
        wake();
      }
    } finally {
      isOver = true;
      wake();
    }
  }
  const ended = follow();
  ended.catch(() => {});
  async function* again(): AsyncGenerator<PredictionEvent> {
    for (let at = 0; ; ) {
      for (; at < seen.length; at++) yield seen[at] as PredictionEvent;
      if (isOver) return ended as Promise<never>;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return { ended, again };
}

async function passOn(typed: ForetellRequest['answers'], to: ReturnType<typeof createAnswers>): Promise<void> {
  for await (const line of typed ?? []) to.type(line);
  to.end();
}

const mayDoMore = ({ language, consent, looks = [] }: ForetellRequest): boolean =>
  language !== undefined || consent !== undefined || looks.length > 0;

/** Everything that a prediction without a model, consent and looks depends on. */
function keyOf(request: ForetellRequest): string {
  const { language: _, consent: _consent, looks: _looks, answers: _answers, signal: _signal, ...rest } = request;
  return JSON.stringify(rest);
}
