import { live } from 'lit/directives/live.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Errand, Refusal } from '../../src/protocol.ts';
import { basisBadge } from '../shared/basis.ts';
import { duration, shownPath } from '../shared/format.ts';
import { type IconName, icon } from '../shared/icons.ts';
import type { Panel } from './panel.ts';
import { stoppedPrograms } from './programTree.ts';
import { isEdited, scriptOf, shownScript } from './state.ts';
import { headline, type VerdictTone } from './summary.ts';

const toneIcons: Record<VerdictTone, IconName> = {
  safe: 'pass',
  caution: 'warning',
  danger: 'error',
  running: 'loading',
  failed: 'circleSlash',
  cancelled: 'circleSlash',
  unknown: 'question',
  fails: 'close',
  newErrors: 'error',
  differs: 'changes',
};

const errandWords: Record<Errand, string> = {
  openFolder: 'Open Folder',
  manageTrust: 'Manage Workspace Trust',
  showLog: 'Show Log',
  openSettings: 'Open Settings',
  openWalkthrough: 'Open Walkthrough',
  chooseModel: 'Choose a Model',
  connectModel: 'Connect a Model',
};

/** A button that runs an errand outside of the panel. */
export function errandButton(panel: Panel, errand: Errand): TemplateResult {
  return html`<button class="secondary" @click=${() => panel.send({ type: 'errand', errand })}>
    ${errandWords[errand]}
  </button>`;
}

/** What the next prediction starts from, when it does not start from the real files. */
export function sessionView(panel: Panel): TemplateResult | typeof nothing {
  const { session, surroundings } = panel.state;
  if (session.scripts.length === 0) return nothing;
  return html`<nav class="session" aria-label="Session">
    ${icon('arrowRight')}
    <span class="session-path"
      >Starts after ${session.scripts.map((script, index) => html`${index > 0 ? ' › ' : ''}<code>${firstLine(script)}</code>`)}
      in <code>${shownPath(session.cwd, surroundings.folders, surroundings.home)}</code></span
    >
    <button class="link" @click=${() => panel.send({ type: 'startOver' })}>Start Over</button>
  </nav>`;
}

function firstLine(script: string): string {
  const [first = ''] = script.split('\n');
  return first === script ? first : `${first} …`;
}

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
      placeholder=${state.edit ? 'A command after this edit' : 'Type a command to see what it would do'}
      aria-describedby="command-keys"
      .value=${live(script)}
      @input=${(event: Event) => panel.dispatch({ type: 'edit', text: (event.target as HTMLTextAreaElement).value })}
      @keydown=${(event: KeyboardEvent) => commandKey(panel, event)}
    ></textarea>
    <span class="spoken" id="command-keys">Enter predicts, Shift and Enter begins a new line, Escape restores</span>
    <button class="icon-button" type="submit" title="Predict (Enter)" aria-label="Predict" ?disabled=${!script.trim()}>
      ${icon('beaker')}
    </button>
    ${state.settings.imagining ? panel.later?.imagineButtons(panel, state.settings.imagining, script) : nothing}
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
  }
}

/** One sentence of the host, and states that hold for everything below. */
export function bannersView(panel: Panel): TemplateResult {
  const { banner, surroundings, gateOpened, run, edit } = panel.state;
  const offer = banner?.offer;
  return html`${
    banner
      ? html`<div class="banner ${banner.kind}" role=${banner.kind === 'error' ? 'alert' : 'status'}>
          ${icon(banner.kind === 'information' ? 'info' : banner.kind)}
          <span>${banner.sentence}</span>
          ${
            offer === 'confirmRun'
              ? html`<button class="secondary" @click=${() => panel.send({ type: 'confirmRun', run })}>${edit ? 'Apply' : 'Run'} Anyway</button>`
              : offer === 'predict'
                ? html`<button class="secondary" @click=${(event: Event) => panel.predict(event)}>Predict Again</button>`
                : offer
                  ? errandButton(panel, offer)
                  : nothing
          }
        </div>`
      : nothing
  }${panel.state.unsaved ? panel.later?.unsavedView(panel) : nothing}${
    surroundings.trusted
      ? nothing
      : html`<div class="banner information">
          ${icon('lock')}
          <span
            >Restricted Mode: predictions work, but programs of this workspace never run, not even confined.</span
          >
          ${errandButton(panel, 'manageTrust')}
        </div>`
  }${
    gateOpened
      ? html`<div class="banner information">
          ${icon('beaker')}<span>Rehearsed for real: every program ran, confined and without network.</span>
        </div>`
      : nothing
  }`;
}

/** The verdict, readable in one second and read aloud when it changes. */
export function verdictView(panel: Panel): TemplateResult {
  const { prediction, tree, refusal } = panel.state;
  if (!prediction && refusal) return refusalView(panel, refusal);
  if (!prediction) return html`<div id="verdict" role="status" tabindex="-1"></div>`;
  const { tone, word, sentence, rests } = headline(prediction, tree, panel.state.observed);
  const edited = isEdited(panel.state);
  return html`<div class="verdict ${tone} ${edited ? 'stale' : ''}">
    <div class="verdict-line" id="verdict" role="status" aria-atomic="true" tabindex="-1">
      <span class="level">${icon(toneIcons[tone])}<span>${word}</span></span>
      <span class="sentence">${edited ? html`<em>Command edited: Enter predicts again.</em> ` : nothing}${sentence}</span>
      ${rests ? html`<span class="rests">${icon('question')}${rests}</span>` : nothing}
    </div>
    <div class="meta">${metaView(panel)}</div>
    <div class="actions">${actionsView(panel)}</div>
  </div>`;
}

/** A question without an answer. The prediction before it is a click away, and cannot be taken for the answer. */
function refusalView(panel: Panel, { sentence, hasEarlier }: Refusal): TemplateResult {
  return html`<div class="verdict refused">
    <div class="verdict-line" id="verdict" role="status" aria-atomic="true" tabindex="-1">
      <span class="level">${icon('circleSlash')}<span>NOT PREDICTED</span></span>
      <span class="sentence">${sentence}</span>
    </div>
    ${
      hasEarlier
        ? html`<div class="actions">
            <button class="secondary" @click=${() => panel.send({ type: 'showEarlier' })}>Show Earlier Prediction</button>
          </div>`
        : nothing
    }
  </div>`;
}

function metaView(panel: Panel): TemplateResult | typeof nothing {
  const { prediction } = panel.state;
  if (!prediction) return nothing;
  const { progress, exitCode, exitBasis, durationMs } = prediction;
  if (prediction.ending === undefined) {
    const { done, total } = progress ?? {};
    if (done === undefined) return nothing;
    return html`<span class="count">${done.toLocaleString('en')}${total ? ` / ${total.toLocaleString('en')}` : ''}</span>`;
  }
  const exit = exitBasis === 'unknown' ? 'unknown' : exitCode;
  return html`${exit === undefined ? nothing : html`<span>exit code ${exit}</span>`}
  ${exitBasis ? basisBadge(exitBasis) : nothing}
  ${durationMs === undefined ? nothing : html`<span title="Time that the prediction took">${duration(durationMs)}</span>`}`;
}

function actionsView(panel: Panel): TemplateResult {
  const { state } = panel;
  const { prediction, run, surroundings, settings, open } = state;
  if (!prediction) return html``;
  if (prediction.ending === undefined) {
    return html`<button class="secondary" @click=${() => panel.send({ type: 'cancel', run })}>
      ${icon('stop')}Cancel
    </button>`;
  }
  const edited = isEdited(state);
  const runnable = scriptOf(prediction) !== '' && prediction.ending !== 'failed';
  const stopped = surroundings.trusted && !state.gateOpened && stoppedPrograms(prediction.programs).length > 0;
  const runHint = settings.keys.runForReal ? ` (${settings.keys.runForReal})` : '';
  const runTitle = edited ? 'The command was edited: predict it first' : `Run in the terminal${runHint}`;
  return html`${
    runnable
      ? html`<button
          class="primary"
          title=${runTitle}
          ?disabled=${edited || state.observed?.state === 'running'}
          @click=${() => panel.send({ type: 'runForReal', run })}
        >
          ${icon('play')}Run for Real
        </button>`
      : nothing
  }${
    stopped && !edited
      ? html`<button
          class="secondary"
          aria-expanded=${open === 'rehearse'}
          title="Let the stopped programs really run, confined on the copy"
          @click=${() => panel.dispatch({ type: 'open', what: open === 'rehearse' ? undefined : 'rehearse' })}
        >
          ${icon('beaker')}Rehearse for Real
        </button>`
      : nothing
  }${
    runnable && !edited && prediction.ending !== 'cancelled' && prediction.engine !== 'language'
      ? html`<button
          class="secondary"
          title="Continue from Here: predict the next command as if this one had run"
          aria-label="Continue from Here"
          @click=${() => panel.send({ type: 'continueFromHere', run })}
        >
          ${icon('arrowRight')}<span class="label">Continue from Here</span>
        </button>`
      : nothing
  }${state.edit ? panel.later?.editButtons(panel) : nothing}${state.hasLast ? panel.later?.lastButton(panel) : nothing}${copyView(panel)}`;
}

const copies = [
  ['command', 'Copy Command'],
  ['summary', 'Copy Summary'],
  ['output', 'Copy Output'],
  ['json', 'Copy as JSON'],
] as const;

function copyView(panel: Panel): TemplateResult {
  const { open, run } = panel.state;
  const close = () => {
    panel.dispatch({ type: 'open', what: undefined });
    document.getElementById('copy')?.focus();
  };
  return html`<span class="menu-place">
    <button
      class="icon-button"
      id="copy"
      title="Copy …"
      aria-label="Copy"
      aria-haspopup="menu"
      aria-expanded=${open === 'copy'}
      @click=${() => {
        panel.dispatch({ type: 'open', what: open === 'copy' ? undefined : 'copy' });
        document.querySelector<HTMLElement>('[role=menuitem]')?.focus();
      }}
    >
      ${icon('copy')}
    </button>
    ${
      open === 'copy'
        ? html`<div class="menu" role="menu" aria-label="Copy" @keydown=${(event: KeyboardEvent) => menuKey(event, close)}>
            ${copies.map(
              ([what, words]) =>
                html`<button
                  role="menuitem"
                  tabindex="-1"
                  @click=${() => {
                    panel.send({ type: 'copy', run, what });
                    close();
                  }}
                >
                  ${words}
                </button>`,
            )}
          </div>`
        : nothing
    }
  </span>`;
}

function menuKey(event: KeyboardEvent, close: () => void): void {
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=menuitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const step = steps[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') close();
  if (event.key !== 'Escape' && step === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (step !== undefined) items.at(step % items.length)?.focus();
}

/** A program asks at the terminal: what it asks, and a place for the answer. */
export function askView(panel: Panel): TemplateResult | typeof nothing {
  const { prediction, answer, answered, run } = panel.state;
  if (prediction?.asks === undefined || answered) return nothing;
  const secret = /passw|passphrase|\bpin\b|token/i.test(prediction.asks);
  const send = (event: Event) => {
    event.preventDefault();
    panel.send({ type: 'answer', run, text: answer });
    panel.dispatch({ type: 'answered' });
  };
  return html`<form class="ask" role="group" aria-label="A program asks" @submit=${send}>
    <label for="answer"
      >${icon('question')} <span class="ask-who">A program asks</span>
      <code>${prediction.asks.trim() || '(no text)'}</code></label
    >
    <input
      id="answer"
      type=${secret ? 'password' : 'text'}
      autocomplete="off"
      spellcheck="false"
      placeholder="Answer, then Enter"
      .value=${live(answer)}
      @input=${(event: Event) => panel.dispatch({ type: 'answering', text: (event.target as HTMLInputElement).value })}
    />
    <button class="primary" type="submit">Answer</button>
  </form>`;
}
