import { drawing as telescope } from 'codicon:telescope';
import { live } from 'lit/directives/live.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { onlyLooks } from '../../src/core/facts/onlyLooks.ts';
import { basisBadge } from '../shared/basis.ts';
import { codeText } from '../shared/codeText.ts';
import { duration, grouped } from '../shared/format.ts';
import { drawn, type IconName, icon } from '../shared/icons.ts';
import type { Panel } from './panel.ts';
import { hasStopped, isEdited, scriptOf, shownScript } from './state.ts';
import { headline, type VerdictTone } from './summary.ts';

const toneIcons: Record<VerdictTone, IconName> = {
  safe: 'pass',
  caution: 'warning',
  danger: 'error',
  running: 'loading',
  failed: 'circleSlash',
  cancelled: 'circleSlash',
  unknown: 'question',
  checking: 'loading',
  waiting: 'question',
  fails: 'close',
  newErrors: 'error',
  differs: 'changes',
  asPredicted: 'check',
};

/** The command, to be edited and predicted again. */
export function commandView(panel: Panel): TemplateResult {
  const { state } = panel;
  const script = shownScript(state);
  return html`${state.edit ? panel.later?.editView(panel) : nothing}<form class="command" @submit=${(event: Event) => submit(panel, event)}>
    <label class="prompt" for="command"><span aria-hidden="true">$</span><span class="spoken">Command</span></label>
    <textarea
      id="command"
      rows="1"
      spellcheck="false"
      autocomplete="off"
      autocapitalize="off"
      placeholder=${state.edit ? 'A command after this edit' : state.session.scripts.length > 0 ? 'The next command' : 'Type a command to see what it would do'}
      aria-describedby="command-keys"
      .value=${live(script)}
      @input=${(event: Event) => panel.dispatch({ type: 'edit', text: (event.target as HTMLTextAreaElement).value })}
      @keydown=${(event: KeyboardEvent) => commandKey(panel, event)}
    ></textarea>
    <span class="spoken" id="command-keys">Enter predicts, Shift and Enter begins a new line, Escape restores, Up brings back commands of before</span>
    <button class="icon-button" type="submit" title="Predict (Enter)" aria-label="Predict" ?disabled=${!script.trim()}>
      ${drawn(telescope)}<span class="label">Predict</span>
    </button>
    ${panel.later?.pastButton(panel)}${state.settings.imagining ? panel.later?.imagineButtons(panel, state.settings.imagining, script) : nothing}
  </form>`;
}

function submit(panel: Panel, event: Event): void {
  event.preventDefault();
  panel.predict(event);
}

function commandKey(panel: Panel, event: KeyboardEvent): void {
  // Enter that ends the composition of a character is not for us.
  if (event.isComposing) return;
  if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    panel.predict(event);
  } else if (event.key === 'Escape' && isEdited(panel.state)) {
    event.preventDefault();
    event.stopPropagation();
    panel.dispatch({ type: 'restore' });
  } else panel.later?.recallKey(panel, event);
}

/** The verdict, readable in one second and read aloud when it changes. */
export function verdictView(panel: Panel): TemplateResult {
  const { prediction, tree, refusal, observed } = panel.state;
  if (!prediction && refusal && panel.later) return panel.later.refusalView(panel, refusal);
  const shown =
    observed?.state === 'ended'
      ? prediction && panel.later?.realHeadline(prediction, tree, observed)
      : prediction && headline(prediction, tree, panel.state);
  if (!shown) return html`<div id="verdict" role="status" tabindex="-1"></div>`;
  const { tone, word, sentence, rests = panel.model?.besideDoubt(panel) } = shown;
  const edited = isEdited(panel.state);
  return html`<div class="verdict ${tone} ${edited ? 'stale' : ''}">
    <div class="verdict-line" id="verdict" role="status" aria-atomic="true" tabindex="-1">
      <span class="level">${icon(toneIcons[tone])}<span>${word}</span></span>
      <span class="sentence">${edited ? html`<em>${panel.state.session.endsWithShown ? 'The step before:' : 'Command edited: Enter predicts again.'}</em> ` : nothing}${codeText(sentence)}</span>
      ${rests ? html`<span class="rests">${icon('question')}${rests}</span>` : nothing}
    </div>
    <div class="meta">${metaView(panel, tone)}</div>
    <div class="actions">${actionsView(panel, tone)}</div>
  </div>`;
}

function metaView(panel: Panel, tone: VerdictTone): TemplateResult | typeof nothing {
  const { prediction, observed, edit } = panel.state;
  // What really happened has numbers of its own.
  if (!prediction || observed?.state === 'ended') return nothing;
  const { progress, exitCode, exitBasis, durationMs } = prediction;
  if (prediction.ending === undefined) {
    const { done, total } = progress ?? {};
    if (done === undefined) return nothing;
    return html`<span class="count">${grouped(done)}${total ? ` / ${grouped(total)}` : ''}</span>`;
  }
  // A code that rests on an assumption is no result.
  const isOpen = exitBasis === 'assumed' && exitCode !== undefined && !onlyLooks(prediction.assumptions);
  const exit = exitBasis === 'unknown' || isOpen ? 'not known' : exitCode;
  // Where it fails the sentence is about its code; that of an edit which succeeds says nothing.
  return html`${exit === undefined || tone === 'fails' || (edit && exit === 0) ? nothing : html`<span>exit code ${exit}</span>`}
  ${exitBasis && exitBasis !== 'unknown' ? basisBadge(exitBasis) : nothing}
  ${prediction.noticed?.some(({ kind }) => kind === 'offline') ? html`<span>offline</span>` : nothing}
  ${durationMs === undefined ? nothing : html`<span title="Time it took">${duration(durationMs)}</span>`}`;
}

function actionsView(panel: Panel, tone: VerdictTone): TemplateResult {
  const { state } = panel;
  const { prediction, run, workspace, settings } = state;
  if (!prediction) return html``;
  if (prediction.ending === undefined) {
    return html`<button class="secondary" @click=${() => panel.send({ type: 'cancel', run })}>
      ${icon('stop')}Cancel
    </button>`;
  }
  const edited = isEdited(state);
  const againButton = html`<button class="secondary" @click=${() => panel.send({ type: 'predictAgain', run })}>Predict Again</button>`;
  if (state.observed?.state === 'ended') {
    // It was run: what could be done before is gone.
    return html`${againButton}${panel.later?.afterRealButtons(panel)}${state.hasLast ? panel.later?.lastButton(panel) : nothing}${panel.later?.copyView(panel)}`;
  }
  const isFailed = prediction.ending === 'failed';
  const isStopped = isFailed || prediction.ending === 'cancelled';
  const runnable = scriptOf(prediction) !== '' && !isFailed;
  const stopped = workspace.trusted && !state.gateOpened && hasStopped(prediction);
  const runHint = settings.keys.runForReal ? ` (${settings.keys.runForReal})` : '';
  const runTitle = !workspace.trusted
    ? 'Trust the workspace first: until then nothing is run for real'
    : edited
      ? 'The command was edited: predict it first'
      : `Run in the terminal${runHint}`;
  const rehearses = stopped && !edited;
  // Under danger, and before what can still be known is known, to run it is not the first thing to press.
  const isLater = tone === 'danger' || (tone === 'unknown' && rehearses);
  // Whoever changes the prompt, or what was read, predicts again next; whoever is asked something answers first.
  const isFirst =
    !isLater &&
    !isStopped &&
    tone !== 'fails' &&
    !state.kept.model?.draft &&
    !state.unsaved?.isNamed &&
    state.banner?.offer !== 'confirmRun' &&
    state.open !== 'rehearse';
  const runButton = runnable
    ? html`<button
          class=${isFirst ? 'primary' : 'secondary'}
          title=${runTitle}
          ?disabled=${edited || !workspace.trusted || state.observed?.state === 'running'}
          @click=${() => panel.send({ type: 'runForReal', run })}
        >
          ${icon('play')}Run for Real
        </button>`
    : nothing;
  return html`${isStopped && !edited ? againButton : nothing}${isLater ? nothing : runButton}${rehearses ? panel.later?.rehearseButton(panel, tone === 'unknown') : nothing}${
    runnable && !edited && !isStopped && prediction.engine !== 'language'
      ? html`<button
          class="secondary"
          title="Predict the next command as if this one had run"
          aria-label="Continue from Here"
          @click=${() => panel.send({ type: 'continueFromHere', run })}
        >
          ${icon('arrowRight')}<span>Continue<span class="tail"> from Here</span></span>
        </button>`
      : nothing
  }${isLater ? runButton : nothing}${edited ? nothing : panel.later?.furtherButtons(panel)}${state.edit ? panel.later?.editButtons(panel) : nothing}${state.hasLast ? panel.later?.lastButton(panel) : nothing}${panel.later?.copyView(panel)}`;
}
