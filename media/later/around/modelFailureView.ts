import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import { notKnownText } from '../../../src/core/words/assumptionText.ts';
import { programText } from '../../../src/core/words/programText.ts';
import { capital, withStop } from '../../../src/core/words/sentence.ts';
import type { Panel } from '../../predict/panel.ts';
import { codeText } from '../../shared/codeText.ts';
import { icon } from '../../shared/icons.ts';
import { failureErrand } from '../../shared/modelWords.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { errandButton } from '../errandButton.ts';

type Assumption = Prediction['assumptions'][number];

/** A model was to say what a program does, and did not. */
export function isModelFailure({ cause }: Pick<Assumption, 'cause'>): boolean {
  return cause === 'model-failed' || cause === 'model-unusable';
}

/** That the model failed, and of which programs nothing is known because of it. Each failure once. */
export function modelFailureView(panel: Panel): TemplateResult | typeof nothing {
  const byWhy = new Map<string, Assumption[]>();
  for (const assumption of panel.state.prediction?.assumptions ?? []) {
    if (!isModelFailure(assumption)) continue;
    byWhy.set(assumption.why, [...(byWhy.get(assumption.why) ?? []), assumption]);
  }
  if (byWhy.size === 0) return nothing;
  return html`${[...byWhy].map(([why, failed], index) => {
    const because = failed[0]?.because;
    const errand = because?.kind === 'failed' ? failureErrand(because.code) : undefined;
    return html`<div class="banner warning model-failure" role="status">
      ${icon('warning')}
      <span
        ><strong>The model failed.</strong> ${codeText(visibleText(withStop(capital(why))))}
        ${notKnownOf(failed).map((sentence) => html`${codeText(sentence)} `)}</span
      >
      ${errand ? errandButton(panel, errand) : nothing}
      ${index === 0 ? html`<button class="secondary" @click=${(event: Event) => panel.predict(event)}>Predict Again</button>` : nothing}
    </div>`;
  })}`;
}

/** Sentences: the programs of which nothing is known, and what is not known of the others. */
function notKnownOf(failed: readonly Assumption[]): string[] {
  const whole = failed.filter(isWhollyUnknown);
  const parts = failed.filter((one) => !isWhollyUnknown(one));
  const inCode = (one: Assumption) => `\`${programText(one)}\``;
  return [
    ...(whole.length > 0 ? [`Nothing is known of ${[...new Set(whole.map(inCode))].join(', ')}.`] : []),
    ...new Set(parts.map((one) => notKnownText(inCode(one), one.assumes ?? [], one.unknown))),
  ];
}

/** It did not say how the program ends, what it prints or what it changes. */
function isWhollyUnknown({ assumes }: Assumption): boolean {
  const kinds = assumes?.map(({ kind }) => kind);
  return !kinds || (['exits', 'printsNothing', 'changesNothing'] as const).every((kind) => kinds.includes(kind));
}
