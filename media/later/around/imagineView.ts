import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Panel } from '../../predict/panel.ts';
import type { Imagining } from '../../predict/state.ts';
import { icon } from '../../shared/icons.ts';

const mostSamples = 8;

/** Has the model imagine the whole command, and unfolds under what. */
export function imagineButtons(panel: Panel, { conditions, text, samples }: Imagining, script: string): TemplateResult {
  const open = panel.state.open === 'imagine';
  const changed = conditions.length + Number(text.trim() !== '') + Number(samples > 1);
  return html`<button
      class="icon-button"
      type="button"
      title="Imagine Whole Command: the model alone predicts it"
      aria-label="Imagine Whole Command"
      ?disabled=${!script.trim()}
      @click=${(event: Event) => panel.predict(event, 'imagine')}
    >
      ${icon('model')}<span class="label">Imagine</span>
    </button>
    <button
      class="icon-button options"
      id="imagining"
      type="button"
      title="Under which conditions, and how often"
      aria-label=${`Conditions to imagine under${changed > 0 ? `, ${changed} chosen` : ''}`}
      aria-expanded=${open}
      @click=${() => panel.dispatch({ type: 'open', what: open ? undefined : 'imagine' })}
    >
      ${changed > 0 ? html`<span class="tab-count">${changed}</span>` : nothing}${icon(open ? 'chevronDown' : 'chevronRight')}
    </button>`;
}

/** Under what the model imagines, and how often: choices for the next prediction. */
export function imagineView(panel: Panel): TemplateResult {
  const { imagining } = panel.state.settings;
  if (!imagining) return html``;
  const { presets, conditions, text, samples } = imagining;
  const choose = (chosen: Partial<Imagining>) => {
    panel.dispatch({ type: 'imagining', chosen });
    const now = panel.state.settings.imagining ?? imagining;
    panel.send({ type: 'imagining', conditions: now.conditions, text: now.text, samples: now.samples });
  };
  const toggle = (id: string, on: boolean) => {
    const others = conditions.filter((each) => each !== id);
    choose({ conditions: on ? [...others, id] : others });
  };
  return html`<fieldset class="imagine" @keydown=${(event: KeyboardEvent) => onKey(panel, event)}>
    <legend>Imagine under these conditions</legend>
    <div class="presets">
      ${presets.map(
        ({ id, title }) =>
          html`<label class="preset"
            ><input
              type="checkbox"
              .checked=${conditions.includes(id)}
              @change=${(event: Event) => toggle(id, (event.target as HTMLInputElement).checked)}
            />${title}</label
          >`,
      )}
    </div>
    <div class="own-words">
      <input
        id="condition-text"
        class="text-field"
        type="text"
        spellcheck="false"
        autocomplete="off"
        aria-label="Also, in your own words"
        placeholder="Also, in your own words: the registry answers with 502"
        .value=${text}
        @change=${(event: Event) => choose({ text: (event.target as HTMLInputElement).value })}
      />
      <label class="samples"
        >Samples<input
          id="samples"
          class="text-field"
          type="number"
          min="1"
          max=${mostSamples}
          .value=${String(samples)}
          @change=${(event: Event) => choose({ samples: sampleCount(event.target as HTMLInputElement) })}
      /></label>
    </div>
    <p class="dim">For the next prediction. What the model says under these is a made-up case, and is labelled so.</p>
  </fieldset>`;
}

function sampleCount(input: HTMLInputElement): number {
  const count = Math.max(1, Math.min(mostSamples, Math.round(Number(input.value)) || 1));
  input.value = String(count);
  return count;
}

function onKey(panel: Panel, event: KeyboardEvent): void {
  if (event.key !== 'Escape') return;
  event.preventDefault();
  event.stopPropagation();
  // What was typed last counts, too.
  (document.activeElement as HTMLElement | null)?.blur();
  panel.dispatch({ type: 'open', what: undefined });
  document.getElementById('imagining')?.focus();
}
