import { html, nothing, svg, type TemplateResult } from 'lit/html.js';
import { Basis } from '../../src/core/view/basis.ts';
import type { CalibrationMessage, CalibrationRequest } from '../../src/protocol/calibrationProtocol.ts';
import { basisBadge } from '../shared/basis.ts';
import { counted } from '../shared/format.ts';

type Group = CalibrationMessage['all'];
type Rate = Group['parts']['whole'];

/** What the page can do. */
export interface CalibrationActions {
  /** The user has asked to delete everything and is asked back. */
  asksToDelete: boolean;
  ask(asks: boolean): void;
  send(message: CalibrationRequest): void;
}

/** Weeks that a chart has room for. */
const mostWeeks = 26;

/** The whole page; nothing is known of it until the host has answered. */
export function calibrationView(shown: CalibrationMessage | undefined, actions: CalibrationActions): TemplateResult {
  return html`<main class="calibration" aria-busy=${shown === undefined}>
    <h1>Calibration</h1>
    ${shown ? content(shown, actions) : nothing}
  </main>`;
}

function content(
  { all, programs, bases, models, enabled }: CalibrationMessage,
  actions: CalibrationActions,
): TemplateResult {
  return html`<p>
      How often predictions came true: every real run that follows a prediction is compared with it. Only names of programs
      and hits and misses are kept, on this machine.
    </p>
    ${
      enabled
        ? nothing
        : html`<p class="note" role="status">
            New runs are not kept: it is switched off.
            <button class="link" @click=${() => actions.send({ type: 'openSettings' })}>Change it</button>
          </p>`
    }
    ${
      all.runs === 0
        ? html`<p class="empty">
            Nothing is kept yet. Predict a command, then choose <strong>Run for Real</strong>: what came of it is counted here.
          </p>`
        : html`<p class="summary"><strong>${summary(all)}</strong></p>
            ${table('By basis', 'Basis', bases, basisName)}
            ${table('By program', 'Program', programs)} ${table('By model', 'Model', models)} ${deleting(all.runs, actions)}`
    }`;
}

function summary({ runs, parts: { whole } }: Group): string {
  const times = counted(runs, 'real run');
  return whole.counted === 0
    ? `${times}, of which none could be compared`
    : `${percent(whole.share)} of ${times} came out exactly as predicted (${interval(whole)})`;
}

function basisName(name: string): TemplateResult | string {
  const basis = Basis.safeParse(name);
  return basis.success ? basisBadge(basis.data) : name;
}

function table(
  title: string,
  what: string,
  groups: readonly Group[],
  nameOf: (name: string) => TemplateResult | string = (name) => name,
): TemplateResult {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return html`<div>
    <h2 id=${id}>${title}</h2>
    <div class="scroll" role="region" aria-labelledby=${id} tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">${what}</th>
            <th scope="col" class="number">Runs</th>
            <th scope="col">Came true</th>
            <th scope="col">Over the weeks</th>
            <th scope="col">Output</th>
            <th scope="col">Exit code</th>
            <th scope="col">Files</th>
          </tr>
        </thead>
        <tbody>
          ${groups.map(
            ({ name, runs, parts, weeks }) => html`<tr>
              <th scope="row">${nameOf(name)}</th>
              <td class="number">${runs}</td>
              <td>${rateView(parts.whole, true)}</td>
              <td>${chart(name, weeks)}</td>
              <td>${rateView(parts.output)}</td>
              <td>${rateView(parts.exitCode)}</td>
              <td>${rateView(parts.files)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </div>`;
}

function rateView(rate: Rate, withBar = false): TemplateResult {
  if (rate.counted === 0) return html`<span class="dim">not told</span>`;
  const bar = withBar
    ? html`<svg class="bar" viewBox="0 0 60 8" aria-hidden="true">
        <rect class="ground" width="60" height="8"></rect>
        <rect class="share" width=${60 * (rate.share ?? 0)} height="8"></rect>
        <line x1=${60 * (rate.low ?? 0)} x2=${60 * (rate.high ?? 0)} y1="4" y2="4"></line>
      </svg>`
    : nothing;
  return html`${bar}<span class="percent">${percent(rate.share)}</span>
    <span class="dim">${rate.hits} of ${rate.counted} · ${interval(rate)}</span>`;
}

function chart(name: string, weeks: Group['weeks']): TemplateResult {
  const last = weeks.slice(-mostWeeks);
  const width = 8 * Math.max(last.length, 1);
  return html`<svg class="weeks" viewBox="0 0 ${width} 24" width=${width} height="24" role="img">
    <title>${name}: ${weeksText(last)}</title>
    ${last.map(({ rate }, index) => {
      const height = Math.max(1, 22 * (rate.share ?? 0));
      return svg`<rect class="ground" x=${8 * index} y="0" width="6" height="24"></rect>
        <rect class=${rate.counted === 0 ? 'none' : 'share'} x=${8 * index} y=${24 - height} width="6" height=${height}></rect>`;
    })}
  </svg>`;
}

function weeksText(weeks: Group['weeks']): string {
  return weeks
    .slice(-mostWeeks)
    .map(({ week, rate }) => `week of ${week} ${rate.counted === 0 ? 'not told' : `${rate.hits} of ${rate.counted}`}`)
    .join(', ');
}

function deleting(runs: number, { asksToDelete, ask, send }: CalibrationActions): TemplateResult {
  if (!asksToDelete) {
    return html`<p><button class="secondary delete-all" @click=${() => ask(true)}>Delete All…</button></p>`;
  }
  return html`<p role="alertdialog" aria-label="Delete all">
    Delete ${counted(runs, 'compared run')} for good?
    <button class="primary" @click=${() => send({ type: 'deleteAll' })}>Delete</button>
    <button class="secondary keep" @click=${() => ask(false)}>Keep</button>
  </p>`;
}

function percent(share = 0): string {
  return `${Math.round(100 * share)}\u00a0%`;
}

function interval({ low = 0, high = 1 }: Rate): string {
  return `${Math.round(100 * low)}–${Math.round(100 * high)}\u00a0%`;
}
