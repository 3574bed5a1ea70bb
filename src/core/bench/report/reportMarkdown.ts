import type { ScoredBench, ScoredVariant } from '../run/benchRun.ts';
import { dimensions } from '../run/judgeReply.ts';
import { fixed2 } from '../score/officialScore.ts';
import { headline } from './reportHtml.ts';
import { costText, estimateText, scoreLines, shownMeans, tokensText } from './scoreText.ts';

/** The report as Markdown: tables, and bars made of text. */
export function reportMarkdown(bench: ScoredBench): string {
  return `${[`# AgentWorldBench`, '', `${escaped(headline(bench))}.`, ...bench.variants.map(section)].join('\n')}\n`;
}

function section({ name, score, choices }: ScoredVariant): string {
  const shown = shownMeans.filter(({ of }) => of(score.micro));
  const lines = scoreLines(score);
  const main = shown[0];
  const bars = lines.map(({ title, means }) => {
    const value = main?.of(means)?.mean ?? 0;
    return `${title.padEnd(24)} ${'█'.repeat(Math.round(Math.max(0, value) / 2.5)).padEnd(40, '·')} ${fixed2(value)}`;
  });
  const parts = [
    '',
    `## ${escaped(name)}`,
    '',
    `${score.counts.rows} rows, ${score.counts.judged} judged, ${score.counts.failed} failed, ${score.counts.truncated} cut by the budget. 0–100, with intervals of 95 % by trajectory.`,
    '',
    ...table(
      ['Domain', ...shown.map(({ title }) => title)],
      lines.map(({ title, means }) => [title, ...shown.map(({ of }) => estimateText(of(means)))]),
    ),
    '',
    ...(main ? [`${main.title}:`, '', '```', ...bars, '```', ''] : []),
    ...(score.isJudged
      ? table(
          ['Domain', ...dimensions],
          lines.map(({ title, means }) => [title, ...dimensions.map((one) => estimateText(means.dimensions[one]))]),
        )
      : []),
    '',
    ...Object.entries(choices).map(
      ([style, choice]) =>
        `- ${style === 'turing' ? 'Taken for the real response' : 'Closer than the reference'}: ${estimateText(choice.chosen)} % (50 is chance)`,
    ),
    ...(tokensText(score.tokens) ? [`- Tokens: ${tokensText(score.tokens)}`] : []),
    ...(score.cost?.model === undefined ? [] : [`- Cost: ${costText(score.cost.model)}`]),
    ...(score.cost?.judge === undefined ? [] : [`- Cost of the judge: ${costText(score.cost.judge)}`]),
    ...Object.entries(score.failures).map(([code, count]) => `- ${count} × ${escaped(code)}`),
  ];
  return parts.join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)];
}

/** Text that means nothing in Markdown. */
function escaped(text: string): string {
  if (/^-+:?$/.test(text)) return text;
  return text.replace(/[\\`*_[\]<>|#&!]/g, (character) => `\\${character}`).replace(/\s+/g, ' ');
}
