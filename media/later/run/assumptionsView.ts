import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import { notKnownClause, withRule } from '../../../src/core/words/assumptionText.ts';
import { programText, wholeProgramText } from '../../../src/core/words/programText.ts';
import type { Panel } from '../../predict/panel.ts';
import { section } from '../../predict/section.ts';
import { basisBadge } from '../../shared/basis.ts';
import { codeText } from '../../shared/codeText.ts';
import { counted } from '../../shared/format.ts';
import { icon } from '../../shared/icons.ts';
import { isModelFailure } from '../around/modelFailureView.ts';
import { errandButton } from '../errandButton.ts';

/** What was assumed of programs that nobody predicted, and what would be otherwise. `nothing`: a reason says all of it. */
export function assumptionsSection(panel: Panel, prediction: Prediction): TemplateResult | typeof nothing {
  const { otherwise } = prediction;
  const assumptions = prediction.assumptions.filter((one) => !isSaidAbove(one, prediction));
  if (assumptions.length + otherwise.length === 0) return nothing;
  return section(panel, {
    name: 'assumptions',
    title: 'Not Known',
    icon: icon('question'),
    beside: basisBadge('assumed'),
    content: () => html`<ul class="list">
      ${assumptions.map(
        ({ assumed, notKnown = assumed, assumes, unknown, why, cause, ...program }) =>
          html`<li>${icon('question')}<span><code title=${wholeProgramText(program)}>${programText(program)}</code>: ${assumes === undefined ? notKnown : withRule(notKnownClause('it', assumes, unknown), assumes)} ${isModelFailure({ cause }) ? nothing : html`<span class="dim">(${codeText(why)})</span>`}</span></li>`,
      )}
      ${otherwise.map(
        ({ programExit = 1, detail, files, ...program }) =>
          html`<li>
            ${icon('arrowRight')}<span
              >If <code title=${wholeProgramText(program)}>${programText(program)}</code> ${programExit === 0 ? 'succeeds' : `fails with ${programExit}`}: ${codeText(detail)}
              ${files.length > 0 ? html`<span class="dim">(${counted(files.length, 'changed path')})</span>` : nothing}</span
            >
          </li>`,
      )}
    </ul>
    ${rehearseNote(panel, assumptions)}${lookNote(panel, assumptions, 'askLocalhost')}${lookNote(panel, assumptions, 'askGithub')}${
      panel.state.settings.imagining || panel.state.settings.model ? nothing : connectNote(panel, assumptions)
    }`,
  });
}

/** What a server said, and when: the verdict and its reasons say it of one that was asked. */
function isSaidAbove({ argv, cause }: Prediction['assumptions'][number], { verdict }: Prediction): boolean {
  if (cause !== 'looked-at') return false;
  const call = argv.join('\0');
  return verdict.reasons.some(({ fact }) => fact?.kind === 'answeredThen' && fact.argv.join('\0') === call);
}

/** What really running the stopped programs would make known. */
function rehearseNote(panel: Panel, assumptions: Prediction['assumptions']): TemplateResult | typeof nothing {
  const { workspace, gateOpened, run } = panel.state;
  const names = namesOf(assumptions.filter(({ ways }) => ways?.includes('rehearse')));
  if (names.length === 0 || !workspace.trusted || gateOpened) return nothing;
  return html`<p class="note connect">
    <span
      >Known if ${namesView(names)} may run: confined, on the copy, without network.</span
    >
    <button class="secondary" @click=${() => panel.dispatch({ type: 'open', what: 'rehearse' })}>
      Rehearse Fully
    </button>
    <button class="secondary" @click=${() => panel.send({ type: 'askConsent', run, to: 'rehearse' })}>
      Always Rehearse Programs of This Workspace…
    </button>
  </p>`;
}

/** What asking outside, once and only to read, would make known. */
function lookNote(
  panel: Panel,
  assumptions: Prediction['assumptions'],
  way: 'askLocalhost' | 'askGithub',
): TemplateResult | typeof nothing {
  const { workspace, run } = panel.state;
  const names = namesOf(assumptions.filter(({ ways }) => ways?.includes(way)));
  if (names.length === 0 || !workspace.trusted) return nothing;
  const to = way === 'askLocalhost' ? 'localhost' : 'github';
  return html`<p class="note connect">
    <span
      >Known as of now if ${namesView(names)} may ask ${way === 'askLocalhost' ? 'the server of this machine' : 'GitHub'}: once, only to read.</span
    >
    <button class="secondary" @click=${() => panel.send({ type: 'askConsent', run, to })}>
      Ask ${way === 'askLocalhost' ? 'Servers of This Machine' : 'GitHub'}…
    </button>
  </p>`;
}

function connectNote(panel: Panel, assumptions: Prediction['assumptions']): TemplateResult | typeof nothing {
  // Of whoever was really asked a model knows nothing more.
  const names = namesOf(assumptions.filter(({ cause }) => cause !== 'looked-at'));
  if (names.length === 0) return nothing;
  return html`<p class="note connect model">
    <span>A language model can imagine ${namesView(names)}.</span>
    ${errandButton(panel, 'connectModel')}
  </p>`;
}

function namesOf(assumptions: Prediction['assumptions']): string[] {
  return [
    ...new Set(assumptions.map(({ argv, label }) => (label?.kind === 'behindShim' ? label.argv[0] : argv[0]) ?? '')),
  ];
}

function namesView(names: readonly string[]): TemplateResult {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return html`${names.slice(0, 3).map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)}${more}`;
}
