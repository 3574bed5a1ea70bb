import type { ScoredBench, ScoredVariant } from '../run/benchRun.ts';
import { dimensions } from '../run/judgeReply.ts';
import { durationText } from '../run/runProgress.ts';
import { domainTitle } from '../score/officialScore.ts';
import type { Means } from '../score/scoreRun.ts';
import { barChart, escapeHtml } from './chartSvg.ts';
import type { Example } from './examples.ts';
import { costText, estimateText, scoreLines, shownMeans, tokensText } from './scoreText.ts';

/** A run's variants with rows to look at. */
export type ReportedBench = ScoredBench & { examples: Readonly<Record<string, readonly Example[]>> };

const style = `:root{color-scheme:light dark;--fg:#1f2328;--bg:#fff;--dim:#59636e;--line:#d1d9e0;--soft:#f6f8fa;--s0:#0969da;--s1:#bc4c00;--s2:#1a7f37;--s3:#8250df;--s4:#bf3989;--s5:#7d4e00}
@media (prefers-color-scheme:dark){:root{--fg:#e6edf3;--bg:#0d1117;--dim:#9198a1;--line:#3d444d;--soft:#161b22;--s0:#4493f8;--s1:#f0883e;--s2:#3fb950;--s3:#a371f7;--s4:#f778ba;--s5:#d29922}}
body.vscode-light{--fg:#1f2328;--bg:#fff;--dim:#59636e;--line:#d1d9e0;--soft:#f6f8fa;--s0:#0969da;--s1:#bc4c00;--s2:#1a7f37;--s3:#8250df;--s4:#bf3989;--s5:#7d4e00}
body.vscode-dark{--fg:#e6edf3;--bg:#0d1117;--dim:#9198a1;--line:#3d444d;--soft:#161b22;--s0:#4493f8;--s1:#f0883e;--s2:#3fb950;--s3:#a371f7;--s4:#f778ba;--s5:#d29922}
body{font:14px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);max-width:1100px;margin:0 auto;padding:24px}
h1{font-size:24px;margin:0 0 4px}h2{font-size:18px;margin:32px 0 8px}h3{font-size:15px;margin:20px 0 6px}p{margin:6px 0}.dim{color:var(--dim)}
.wide{overflow-x:auto}table{border-collapse:collapse;margin:8px 0;font-variant-numeric:tabular-nums}th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}th:first-child,td:first-child{text-align:left}thead th{color:var(--dim);font-weight:600}
svg{width:100%;height:auto;max-width:760px;display:block}.axis{stroke:var(--line)}.tick{font-size:11px;fill:var(--dim)}.none{font-size:12px;fill:var(--dim)}.error{stroke:var(--fg);stroke-width:1.2;fill:none}
.s0{fill:var(--s0)}.s1{fill:var(--s1)}.s2{fill:var(--s2)}.s3{fill:var(--s3)}.s4{fill:var(--s4)}.s5{fill:var(--s5)}
.legend{list-style:none;padding:0;margin:4px 0;display:flex;flex-wrap:wrap;gap:4px 16px}.legend svg{width:12px;height:12px;display:inline-block;vertical-align:-1px;margin-right:6px}
pre{background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:8px 10px;overflow:auto;max-height:320px;margin:4px 0;white-space:pre-wrap;overflow-wrap:anywhere;font:12px/1.45 ui-monospace,monospace}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:12px}@media (max-width:700px){.pair{grid-template-columns:1fr}}details{border:1px solid var(--line);border-radius:6px;padding:6px 12px;margin:8px 0}summary{cursor:pointer}`;

/**
 * The report as one page without scripts. Every text of a model, a row or a setting is escaped; the page may load nothing
 * from anywhere.
 */
export function reportHtml(bench: ReportedBench): string {
  const { variants, record } = bench;
  const names = [...new Set(variants.flatMap(({ score }) => Object.keys(score.domains)))].sort();
  const chart = (title: string, of: (means: Means) => Means['total']) =>
    variants.some(({ score }) => of(score.micro))
      ? `<h3>${escapeHtml(title)}</h3>${barChart({
          title,
          groups: [...names.map(domainTitle), 'micro', 'macro'],
          series: variants.map(({ name, score }) => ({
            name,
            values: [...names.map((domain) => pick(score.domains[domain], of)), of(score.micro), of(score.macro)],
          })),
        })}`
      : '';
  const judged = variants.filter(({ score }) => score.isJudged);
  const dimensionChart =
    judged.length > 0
      ? `<h3>Judge by dimension, all domains</h3>${barChart({
          title: 'Judge by dimension, all domains',
          groups: dimensions.map((name) => name[0]?.toUpperCase() + name.slice(1)),
          series: judged.map(({ name, score }) => ({
            name,
            values: dimensions.map((dimension) => score.micro.dimensions[dimension]),
          })),
        })}`
      : '';
  const body = [
    '<h1>AgentWorldBench</h1>',
    `<p class="dim">${escapeHtml(headline(bench))}</p>`,
    legend(variants),
    chart('Judge, valid rows', (means) => means.total),
    chart('Judge, failed and cut rows as 0', (means) => means.strict),
    chart('Factual score against the real observation', (means) => means.factual),
    dimensionChart,
    '<p class="dim">Scores are 0–100; lines are intervals of 95 %, drawn by trajectory. <em>micro</em> is the mean over all rows, as the evaluation script prints it; <em>macro</em> is the mean of the domains, as it is published.</p>',
    '<h2>Numbers</h2>',
    ...variants.map(variantTables),
    '<h2>Rows to look at</h2>',
    ...variants.map(({ name }) => examplesOf(name, bench.examples[name] ?? [], variants.length > 1)),
    record ? settings(bench) : '',
  ];
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="viewport" content="width=device-width"><title>AgentWorldBench</title><style>${style}</style></head>
<body>${body.join('\n')}</body></html>
`;
}

const pick = (means: Means | undefined, of: (means: Means) => Means['total']) => (means ? of(means) : undefined);

/** What the run is, in a line. */
export function headline({ variants, record }: ScoredBench): string {
  const rows = Math.max(...variants.map(({ score }) => score.counts.rows));
  const judge = record?.judge ? `, judged by ${record.judge.model}` : '';
  const files = record ? `${record.files.length} ${record.files.length === 1 ? 'file' : 'files'}, ` : '';
  return `${files}${rows} rows, ${variants.length} ${variants.length === 1 ? 'model' : 'models and templates'}${judge}`;
}

function legend(variants: readonly ScoredVariant[]): string {
  const items = variants.map(
    ({ name }, index) =>
      `<li><svg viewBox="0 0 12 12" aria-hidden="true"><rect class="s${index % 6}" width="12" height="12"/></svg>${escapeHtml(name)}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}

function variantTables(variant: ScoredVariant): string {
  const { name, score, latency } = variant;
  const shown = shownMeans.filter(({ of }) => of(score.micro));
  const lines = scoreLines(score);
  const head = ['Domain', 'Rows', 'Judged', 'Failed', 'Cut', ...shown.map(({ title }) => title)];
  const rows = lines.map(({ title, means, counts }) => [
    title,
    ...[counts.rows, counts.judged, counts.failed, counts.truncated].map(String),
    ...shown.map(({ of }) => estimateText(of(means))),
  ]);
  const dimensionRows = lines.map(({ title, means }) => [
    title,
    ...dimensions.map((dimension) => estimateText(means.dimensions[dimension])),
  ]);
  const facts = [
    ...(tokensText(score.tokens) ? [`Tokens: ${tokensText(score.tokens)}.`] : []),
    ...(tokensText(score.judgeTokens) ? [`Tokens of the judge: ${tokensText(score.judgeTokens)}.`] : []),
    ...(score.cost?.model === undefined ? [] : [`Cost: ${costText(score.cost.model)}.`]),
    ...(score.cost?.judge === undefined ? [] : [`Cost of the judge: ${costText(score.cost.judge)}.`]),
    ...(latency
      ? [`A reply took ${durationText(latency.p50)} (half of them) to ${durationText(latency.p95)} (95 %).`]
      : []),
    ...Object.entries(score.failures).map(([code, count]) => `${count} × ${code}.`),
    ...Object.entries(variant.choices).map(
      ([kind, choice]) =>
        `${kind === 'turing' ? 'Taken for the real response' : 'Closer than the reference'}: ${estimateText(choice.chosen)} % of ${choice.rows - choice.failed} rows.`,
    ),
  ];
  return [
    `<h3>${escapeHtml(name)}</h3>`,
    table(head, rows),
    score.isJudged ? table(['Domain', ...dimensions], dimensionRows) : '',
    facts.length > 0 ? `<p>${escapeHtml(facts.join(' '))}</p>` : '',
    score.official
      ? `<details><summary>What the evaluation script prints</summary><pre>${escapeHtml(score.official.text.trim())}</pre></details>`
      : '',
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]) =>
    row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('');
  return `<div class="wide"><table><thead><tr>${cells('th', head)}</tr></thead><tbody>${rows
    .map((row) => `<tr>${cells('td', row)}</tr>`)
    .join('')}</tbody></table></div>`;
}

function examplesOf(name: string, examples: readonly Example[], isNamed: boolean): string {
  const items = examples.map(({ row, action, predicted, real, weaknesses }) => {
    const score = row.total === undefined ? '' : `, judge ${row.total.toFixed(0)}`;
    const facts = row.facts ? `, factual ${(row.facts.score * 100).toFixed(0)}` : '';
    const state = row.failure ? ` – ${row.failure.message}` : row.failed ? ' – failed' : row.truncated ? ' – cut' : '';
    const why = weaknesses.length > 0 ? `<p>${escapeHtml(weaknesses.join(' · '))}</p>` : '';
    return `<details><summary>${escapeHtml(`${row.trajectory}, turn ${row.turn}${score}${facts}${state}`)}</summary>${why}
<p class="dim">What was done</p><pre>${escapeHtml(action)}</pre>
<div class="pair"><div><p class="dim">Predicted</p><pre>${escapeHtml(predicted)}</pre></div><div><p class="dim">Real</p><pre>${escapeHtml(real)}</pre></div></div></details>`;
  });
  if (items.length === 0) return '';
  return `${isNamed ? `<h3>${escapeHtml(name)}</h3>` : ''}<p class="dim">Those that were predicted worst.</p>${items.join('\n')}`;
}

function settings({ record }: ScoredBench): string {
  if (!record) return '';
  const rows = record.variants.map(({ name, model, url, template, parameters }) => [
    name,
    model,
    url,
    template ?? 'the rows’ own',
    JSON.stringify(parameters ?? {}),
  ]);
  return `<h2>How it was run</h2>${table(['Name', 'Model', 'Server', 'Templates', 'Parameters'], rows)}<p class="dim">${escapeHtml(record.files.join(', '))}</p>`;
}
