import { html, type TemplateResult } from 'lit/html.js';
import type { Basis } from '../../src/core/view/basis.ts';
import { type IconName, icon } from './icons.ts';

/** What each basis means, as one sentence for the tooltip. */
const basisMeaning: Readonly<Record<Basis, string>> = {
  rehearsed: 'The real program did this, confined, on a copy.',
  computed: 'Derived by our own analysis from the real files.',
  remembered: 'Rehearsed before with the same inputs.',
  imagined: 'Written by a language model: one possible outcome.',
  assumed: 'Follows from an assumption about a program that nobody predicted.',
  observed: 'It really happened.',
  unknown: 'Nobody can say: it depends on what a program that was stopped prints or writes.',
};

const basisIcon: Readonly<Record<Basis, IconName>> = {
  rehearsed: 'beaker',
  computed: 'numeric',
  remembered: 'beaker',
  imagined: 'model',
  assumed: 'question',
  observed: 'eye',
  unknown: 'question',
};

/** Where a fact comes from, as an icon and a word. */
export function basisBadge(basis: Basis): TemplateResult {
  return html`<span class="basis ${basis}" title=${basisMeaning[basis]}>${icon(basisIcon[basis])}${basis}</span>`;
}

/** What `volatile` means, where it is pointed at. */
export const volatileMeaning = 'Differs between rehearsals: clock, process numbers, random names.';

/** That a fact differed between two runs in a row, as an icon and a word. */
export function volatileBadge(): TemplateResult {
  return html`<span class="basis volatile" title=${volatileMeaning}>${icon('volatile')}volatile</span>`;
}

/** The one basis that all facts share, or `undefined` when they differ (or there are none). */
export function sharedBasis(facts: readonly { basis: Basis }[]): Basis | undefined {
  const first = facts[0]?.basis;
  return facts.every((fact) => fact.basis === first) ? first : undefined;
}
