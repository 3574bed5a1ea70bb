import type { Estimate } from '../score/bootstrap.ts';
import { fixed2 } from '../score/officialScore.ts';

/** A chart of bars: groups along the axis, in each a bar for every series. Values 0–100. */
export interface BarChart {
  title: string;
  groups: readonly string[];
  series: readonly { name: string; values: readonly (Estimate | undefined)[] }[];
}

const size = { width: 760, height: 240, left: 34, right: 8, top: 12, bottom: 40 };

/** Text that stands in HTML or SVG. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/**
 * The chart as SVG for a page that has the classes `bar`, `s0` … `s5`, `axis`, `error` and `none`. Bars have their interval
 * as a line and their number as a title.
 */
export function barChart({ title, groups, series }: BarChart): string {
  const plotWidth = size.width - size.left - size.right;
  const plotHeight = size.height - size.top - size.bottom;
  const y = (value: number) => round(size.top + plotHeight * (1 - Math.min(100, Math.max(0, value)) / 100));
  const slot = plotWidth / Math.max(1, groups.length);
  const bar = Math.min(46, (slot * 0.8) / Math.max(1, series.length));
  const parts: string[] = [];
  for (const value of [0, 25, 50, 75, 100]) {
    parts.push(
      `<line class="axis" x1="${size.left}" x2="${size.width - size.right}" y1="${y(value)}" y2="${y(value)}"/>`,
      `<text class="tick" x="${size.left - 6}" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
    );
  }
  for (const [at, group] of groups.entries()) {
    const middle = size.left + slot * (at + 0.5);
    parts.push(
      `<text class="tick" x="${round(middle)}" y="${size.height - size.bottom + 18}" text-anchor="middle">${escapeHtml(group)}</text>`,
    );
    for (const [index, { name, values }] of series.entries()) {
      const x = round(middle + (index - series.length / 2) * bar);
      parts.push(barOf(values[at], { x, width: round(bar - 2), y, label: `${name}, ${group}`, index }));
    }
  }
  const label = escapeHtml(title);
  return `<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${label}"><title>${label}</title>${parts.join('')}</svg>`;
}

function barOf(
  value: Estimate | undefined,
  {
    x,
    width,
    y,
    label,
    index,
  }: { x: number; width: number; y: (value: number) => number; label: string; index: number },
): string {
  const floor = y(0);
  if (!value) {
    return `<text class="none" x="${round(x + width / 2)}" y="${floor - 4}" text-anchor="middle">–<title>${escapeHtml(label)}: nothing to measure</title></text>`;
  }
  const { mean, low, high } = value;
  const text = `${label}: ${fixed2(mean)}${low === undefined || high === undefined ? '' : ` (${fixed2(low)} to ${fixed2(high)})`}, ${value.count} rows`;
  const middle = round(x + width / 2);
  const error =
    low === undefined || high === undefined
      ? ''
      : `<path class="error" d="M${middle} ${y(low)}V${y(high)}M${middle - 3} ${y(low)}h6M${middle - 3} ${y(high)}h6"/>`;
  const height = round(Math.max(1, floor - y(mean)));
  return `<g><title>${escapeHtml(text)}</title><rect class="bar s${index % 6}" x="${x}" y="${round(floor - height)}" width="${width}" height="${height}"/>${error}</g>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
