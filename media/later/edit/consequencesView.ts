import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Mention } from '../../../src/core/consequences/diagnostic.ts';
import { Consequences, type DiagnosticChange } from '../../../src/protocol/editProtocol.ts';
import type { Panel } from '../../predict/panel.ts';
import { section } from '../../predict/section.ts';
import { basisBadge } from '../../shared/basis.ts';
import { counted, shownPath } from '../../shared/format.ts';
import { icon } from '../../shared/icons.ts';

/** Rows beyond which the rest is only counted until somebody asks for it. */
const shownRows = 40;

/** What is known by now of what follows from the edit. */
export function consequencesOf(panel: Panel): Consequences | undefined {
  const { consequences } = panel.state;
  return panel.remember('consequences', [consequences], () => {
    const parsed = Consequences.safeParse(consequences);
    return parsed.success ? parsed.data : undefined;
  });
}

/** New and fixed errors, what is still used, which tests are near, and what could be predicted next. */
export function consequencesView(panel: Panel): TemplateResult {
  const found = consequencesOf(panel);
  const { mentions } = panel.state.prediction ?? {};
  if (!found) return html``;
  const { diagnostics, uses, tests, next, isOpen } = found;
  const hasNews = diagnostics.length > 0 || found.covers.length > 0 || isOpen;
  return html`${found.renames && !isOpen ? importsSection(panel, found) : nothing}${hasNews ? diagnosticsSection(panel, found) : nothing}${
    uses.length > 0 ? usesSection(panel, found) : nothing
  }${(mentions?.length ?? 0) > 0 ? mentionsSection(panel, mentions ?? []) : nothing}${next.length > 0 || tests.length > 0 ? nextSection(panel, found) : nothing}`;
}

function diagnosticsSection(panel: Panel, { diagnostics, covers, isOpen }: Consequences): TemplateResult {
  const of = (change: DiagnosticChange['change'], severity: DiagnosticChange['severity']) =>
    diagnostics.filter((one) => one.change === change && one.severity === severity).length;
  const counts = [
    [of('new', 'error'), 'new error'],
    [of('new', 'warning'), 'new warning'],
  ] as const;
  const fixed = of('fixed', 'error') + of('fixed', 'warning');
  const words = counts.filter(([count]) => count > 0).map(([count, noun]) => counted(count, noun));
  if (fixed > 0) words.push(`${fixed} fixed`);
  const isWhole = panel.state.kept.sections['allDiagnostics'] ?? false;
  const shown = isWhole ? diagnostics : diagnostics.slice(0, shownRows);
  return section(panel, {
    name: 'diagnostics',
    title: 'Errors and warnings',
    beside:
      words.length === 0 && isOpen
        ? nothing
        : html`<span class="count">${words.join(', ') || 'none new, none fixed'}</span>${basisBadge('computed')}`,
    content: () => html`<ul class="list">
        ${shown.map((one) => diagnosticView(panel, one))}
      </ul>
      ${moreView(panel, 'allDiagnostics', diagnostics.length - shown.length)}
      ${isOpen ? html`<p class="note" role="status">Asking the language services …</p>` : nothing}
      ${covers.map((sentence) => html`<p class="note">${sentence}</p>`)}`,
  });
}

function moreView(panel: Panel, name: string, count: number): TemplateResult | typeof nothing {
  if (count <= 0) return nothing;
  return html`<p class="note">
    <button class="link" @click=${() => panel.dispatch({ type: 'section', name, open: true })}>Show ${count} more</button>
  </p>`;
}

function placeView(
  panel: Panel,
  { path, line, column }: { path: string; line: number; column: number },
  moment: 'before' | 'after',
): TemplateResult {
  const { run, workspace } = panel.state;
  const open = () => panel.send({ type: 'openAt', run, path, line, column, moment });
  return html`<button class="link code" title="Open this place" @click=${open}
    >${shownPath(path, workspace.folders, workspace.home)}:${line}:${column}</button
  >`;
}

function diagnosticView(panel: Panel, one: DiagnosticChange): TemplateResult {
  const isNew = one.change === 'new';
  return html`<li class="diagnostic ${one.change} ${one.severity}">
    ${icon(isNew ? one.severity : 'check')}<span
      ><strong>${isNew ? 'New' : 'Fixed'} ${one.severity}</strong> ${placeView(panel, one, isNew ? 'after' : 'before')}
      ${one.text} <span class="dim">${one.source}</span></span
    >
  </li>`;
}

function importsSection(panel: Panel, { imports }: Consequences): TemplateResult {
  const { folders, home } = panel.state.workspace;
  const { asks = false, paths = [], errorsWithout = 0 } = imports ?? {};
  const count = paths.length;
  const errors = errorsWithout > 0 ? `, with ${counted(errorsWithout, 'new error')}` : '';
  const what = !imports
    ? 'Language services are told of the new name when it is applied. Which imports follow then is not known before.'
    : count === 0
      ? 'No import in TypeScript or JavaScript is changed along with it.'
      : asks
        ? `VS Code asks whether to update the imports in ${counted(count, 'file')}. With No they stay as they are${errors}.`
        : `VS Code updates the imports in ${counted(count, 'file')} when it is applied.`;
  return section(panel, {
    name: 'imports',
    title: 'Imports that follow',
    beside: html`<span class="count">${imports ? (count === 0 ? 'none' : counted(count, 'file')) : 'not known'}</span
      >${imports ? basisBadge('computed') : nothing}`,
    content: () => html`<p class="note">${what}</p>
      <ul class="list">
        ${paths.map(
          (path) =>
            html`<li>
              ${icon('arrowRight')}<button class="link code" @click=${() => panel.send({ type: 'openFile', path })}
                >${shownPath(path, folders, home)}</button
              >
            </li>`,
        )}
      </ul>`,
  });
}

function usesSection(panel: Panel, { uses }: Consequences): TemplateResult {
  const names = [...new Set(uses.map((use) => use.name))];
  const isWhole = panel.state.kept.sections['allUses'] ?? false;
  const shown = isWhole ? uses : uses.slice(0, shownRows);
  return section(panel, {
    name: 'uses',
    title: 'Still used elsewhere',
    icon: icon('warning'),
    beside: html`<span class="count">${counted(uses.length, 'place')}, ${counted(names.length, 'name')}</span
      >${basisBadge('computed')}`,
    content: () => html`<ul class="list">
        ${shown.map(
          (use) =>
            html`<li>
              ${icon('arrowRight')}<span
                ><code>${use.name}</code> ${placeView(panel, use, 'after')} <code class="dim">${use.text}</code></span
              >
            </li>`,
        )}
      </ul>
      ${moreView(panel, 'allUses', uses.length - shown.length)}`,
  });
}

function mentionsSection(panel: Panel, mentions: readonly Mention[]): TemplateResult {
  const isWhole = panel.state.kept.sections['allMentions'] ?? false;
  const shown = isWhole ? mentions : mentions.slice(0, shownRows);
  return section(panel, {
    name: 'mentions',
    title: 'Named elsewhere',
    startsFolded: mentions.length > shownRows,
    beside: html`<span class="count">${counted(mentions.length, 'line')}</span>${basisBadge('computed')}`,
    content: () => html`<ul class="list">
        ${shown.map(
          (one) =>
            html`<li>
              ${icon('arrowRight')}<span
                ><code>${one.name}</code> ${placeView(panel, { ...one, column: 1 }, 'after')} <code class="dim">${one.text}</code></span
              >
            </li>`,
        )}
      </ul>
      ${moreView(panel, 'allMentions', mentions.length - shown.length)}
      <p class="note">Found as text: a name may mean something else.</p>`,
  });
}

function nextSection(panel: Panel, { next, tests }: Consequences): TemplateResult {
  const { folders, home } = panel.state.workspace;
  const ready = panel.state.prediction?.ending === 'done' || panel.state.prediction?.ending === 'abstained';
  return section(panel, {
    name: 'next',
    title: 'After this edit',
    content: () => html`<p class="note next">
        ${next.map(
          (script) =>
            html`<button
              class="secondary"
              title="Predict what this command would do after the edit"
              ?disabled=${!ready}
              @click=${() => panel.send({ type: 'predict', script })}
            >
              ${icon('arrowRight')}<code>${script}</code>
            </button>`,
        )}
      </p>
      ${
        tests.length > 0
          ? html`<ul class="list">
              ${tests.map(
                (path) =>
                  html`<li>
                    ${icon('beaker')}<span
                      ><button class="link code" @click=${() => panel.send({ type: 'openFile', path })}
                        >${shownPath(path, folders, home)}</button
                      >
                      <span class="dim">tests a changed file, by its name</span></span
                    >
                  </li>`,
              )}
            </ul>`
          : nothing
      }`,
  });
}
