import { differencesOf, type TriedStep } from './tryTemplate.ts';

/** What one template made of the steps, in numbers. */
export interface TemplateTotals {
  name: string;
  /** Steps that were asked, and those that have an answer. */
  steps: number;
  answered: number;
  /** Mean factual score of all steps, 0–1; one without an answer counts as 0. Absent: nothing could be compared. */
  score?: number;
  /** Steps with every line right. */
  exact: number;
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
}

/** Adds up what one template made of the steps. */
export function templateTotals(name: string, tries: readonly TriedStep[]): TemplateTotals {
  const compared = tries.filter(({ step }) => step.observation !== undefined);
  const usages = tries.flatMap(({ attempt }) => attempt.reply?.usage ?? []);
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
  return {
    name,
    steps: tries.length,
    answered: tries.filter(({ attempt }) => attempt.prediction?.ending === 'done').length,
    ...(compared.length > 0 ? { score: sum(compared.map(({ score }) => score?.score ?? 0)) / compared.length } : {}),
    exact: tries.filter(({ score }) => score?.lines.exact).length,
    promptTokens: sum(usages.map(({ promptTokens }) => promptTokens)),
    cachedTokens: sum(usages.map(({ cachedTokens = 0 }) => cachedTokens)),
    completionTokens: sum(usages.map(({ completionTokens }) => completionTokens)),
  };
}

/** Lines that differ of one step and one template; more are counted. */
const mostLines = 12;
const longestLine = 160;

/** What a report is of. */
export interface TemplateReport {
  /** Name of the file with the steps. */
  source: string;
  domain: string;
  /** In the order of the columns; the same steps for each. */
  versions: readonly { name: string; tries: readonly TriedStep[] }[];
  /** The run was ended before all steps were done. */
  isCut: boolean;
}

/**
 * A table of what templates made of the same steps, as Markdown: totals, scores for each step, and the lines that differ.
 * Text of models and files stands in fences, where it is text.
 */
export function templateReport({ source, domain, versions, isCut }: TemplateReport): string {
  const totals = versions.map(({ name, tries }) => templateTotals(name, tries));
  const lines = [
    `# ${versions.length > 1 ? 'Prompts compared' : 'A prompt'} on ${cell(source)}`,
    '',
    ...(isCut ? ['It was ended before all steps were done; what follows is of those that were.', ''] : []),
    `Domain ${cell(domain)}. The factual score says how much of the observation was predicted: 1 is all of it and nothing else.`,
    'A step without an answer counts as 0. Exact: steps with every line right. Sent, cached and said are counted in tokens.',
    '',
    ...versions.map(({ name }, index) => `- **${letter(index)}** ${cell(name)}`),
    '',
    ...table([
      ['', 'score', 'exact', 'answered', 'sent', 'cached', 'said'],
      ...totals.map((one, index) => [
        ...[letter(index), scoreWords(one.score), String(one.exact), `${one.answered} of ${one.steps}`],
        ...[grouped(one.promptTokens), grouped(one.cachedTokens), grouped(one.completionTokens)],
      ]),
    ]),
    '',
    '## Steps',
    '',
  ];
  const ids = [...new Set(versions.flatMap(({ tries }) => tries.map(({ step }) => step.id)))];
  const tried = (id: string) => versions.map(({ tries }) => tries.find(({ step }) => step.id === id));
  const isPair = versions.length === 2;
  const rows = ids.map((id) => {
    const of = tried(id);
    const [before = 0, after = 0] = of.map((one) => one?.score?.score ?? 0);
    const scores = of.map((one) => (one?.reason ? 'no answer' : scoreWords(one?.score?.score)));
    return [cell(id), ...scores, ...(isPair ? [changeWords(after - before)] : [])];
  });
  lines.push(
    ...table([['step', ...versions.map((_, index) => letter(index)), ...(isPair ? ['change'] : [])], ...rows]),
  );
  lines.push('', '## Lines that differ', '', '`-` had to be said and was not, `+` was said and is not true.', '');
  for (const id of ids) {
    const between = isPair ? betweenVersions(tried(id)) : undefined;
    if (between) lines.push(`### ${cell(id)}: \`-\` only A says, \`+\` only B`, '', between, '');
    for (const [index, one] of tried(id).entries()) {
      const own = one && differing(one);
      if (own) lines.push(`### ${cell(id)}, ${letter(index)}`, '', own, '');
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Where nobody knows what is true, what two versions say differently. */
function betweenVersions(tries: readonly (TriedStep | undefined)[]): string | undefined {
  const [first, second] = tries;
  const [predicted, truth] = [second?.attempt.prediction, first?.attempt.prediction];
  if (first?.step.observation || !predicted || !truth) return undefined;
  return linesOf(differencesOf({ predicted, truth }));
}

function differing({ missing, extra, reason }: TriedStep): string | undefined {
  return reason ? fenced([reason]) : linesOf({ missing, extra });
}

function linesOf({ missing, extra }: { missing: readonly string[]; extra: readonly string[] }): string | undefined {
  if (missing.length + extra.length === 0) return undefined;
  const shown = [...missing.map((line) => `- ${line}`), ...extra.map((line) => `+ ${line}`)];
  const more = shown.length > mostLines ? [`… ${shown.length - mostLines} more`] : [];
  return fenced([...shown.slice(0, mostLines).map(cut), ...more]);
}

function fenced(lines: readonly string[]): string {
  const text = lines.join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}diff\n${text}\n${mark}`;
}

const cut = (line: string) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line);
/** How a version is called in tables: A, B, C …. */
const letter = (index: number) => String.fromCharCode(65 + (index % 26));
const grouped = (count: number) => count.toLocaleString('en');
const scoreWords = (score: number | undefined) => (score === undefined ? '–' : score.toFixed(3));

function changeWords(change: number): string {
  const rounded = change.toFixed(3);
  if (Number(rounded) === 0) return 'same';
  return change > 0 ? `+${rounded}` : rounded.replace('-', '−');
}

/** A name as code, so that it means nothing to Markdown; it must not end its cell either. */
function cell(text: string): string {
  const line = text.replace(/[\s`]+/g, ' ').trim();
  return `\`${line.replaceAll('|', '\\|')}\``;
}

/** A table whose source is one, too: the first column to the left, the others to the right. The first row is the head. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(4, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) => {
    const cells = row.map((text, column) =>
      column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
    );
    return `| ${cells.join(' | ')} |`;
  };
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const [head = [], ...body] = rows;
  return [line(head), line(rule), ...body.map(line)];
}
