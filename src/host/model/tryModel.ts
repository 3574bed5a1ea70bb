import type { Foretell } from '../../core/foretell.ts';
import { emptyPrediction, fold } from '../../core/prediction/fold.ts';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';

/** A command whose answer everybody knows, so that the user sees whether the model understood what it is asked. */
const script = 'seq 3';
const expected = '1\n2\n3';

/** What came of a first prediction. */
export type Trial =
  | { ok: true; sentence: string; isRight: boolean }
  | { ok: false; code: string; message: string }
  | { ok: false; code: 'cancelled'; message: '' };

/**
 * Lets a model imagine one tiny command in an empty folder, through everything that a prediction goes through. `told`
 * hears how far it is, in a few words.
 */
export async function tryModel(
  engine: Foretell,
  language: LanguageRequest,
  folder: string,
  signal: AbortSignal,
  told: (text: string) => void,
): Promise<Trial> {
  const action = { kind: 'command', script, shell: 'bash', cwd: folder } as const;
  // What is chosen in the panel, and what the user typed before, is no part of it.
  const { conditions: _, conditionText: __, ...rest } = language;
  const request = { action, signal, language: { ...rest, samples: 1, terminalHistory: [], whole: true } };
  const { events, view } = engine.predict(request);
  const prediction = emptyPrediction(action);
  let letters = 0;
  for await (const event of events) {
    fold(prediction, event);
    if (event.type !== 'thought' && event.type !== 'said') continue;
    letters += event.text.length;
    told(event.type === 'thought' ? `it reasons (${letters} characters)` : `it answers (${letters} characters)`);
  }
  await view.close();
  if (signal.aborted || prediction.ending === 'cancelled') return { ok: false, code: 'cancelled', message: '' };
  // A reply that is no answer was asked for once more; where that did not help either, the prediction says so.
  const failure = prediction.questions.find(({ reply }) => reply?.failure && !reply.fault)?.reply?.failure;
  if (failure) return { ok: false, ...failure };
  const [first] = prediction.questions;
  if (!first?.reply || prediction.ending === 'failed') {
    const message = prediction.endingReason ?? 'The model was not asked. Run “Connect a Model…” again.';
    return { ok: false, code: prediction.failureCode ?? 'internal', message };
  }
  const output = prediction.output.map((piece) => piece.text ?? '').join('');
  const shown = output.trim().replace(/\s+/g, ' ').slice(0, 80);
  const seconds = ((prediction.durationMs ?? 0) / 1000).toFixed(1);
  const isRight = output.trim() === expected;
  const answered = shown === '' ? 'no output' : `“${shown}”`;
  return {
    ok: true,
    isRight,
    sentence: `It imagined ${answered} for “${script}” in ${seconds} s${isRight ? '' : ', which is wrong'}.`,
  };
}
