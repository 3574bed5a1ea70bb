import { type Dimension, dimensions } from '../run/judgeReply.ts';

/** What is scored of a row: the fields of `judged.jsonl`. Absent or 0: no score. */
export interface JudgedFields {
  task?: string;
  /** 0: it was judged. */
  failed?: number | boolean;
  total_score?: number;
  format?: number;
  factuality?: number;
  consistency?: number;
  realism?: number;
  quality?: number;
}

/** A judge's mean on the scale of the report: 1–5 becomes 0–100. */
export const normalised = (raw: number): number => ((raw - 1) / 4) * 100;

/** The domain of a row, from its `task`. */
export const domainOfTask = (task: string | undefined): string => (task ?? 'mcp').split('/').at(-1) ?? '';

/** A mean without rounding errors, like Python's `statistics.mean`. */
export interface ExactMean {
  add(value: number): void;
  count(): number;
  /** The double that is nearest to the mean; `undefined` for nothing. */
  value(): number | undefined;
}

/** Doubles are whole multiples of 2^-1074. */
const smallest = 1074n;

/** Sums up exactly, so the order of the values makes no difference. */
function exactMean(): ExactMean {
  let sum = 0n;
  let count = 0;
  return {
    add(value) {
      sum += Number.isInteger(value) && Math.abs(value) < 2 ** 53 ? BigInt(value) << smallest : exactOf(value);
      count += 1;
    },
    count: () => count,
    value: () => (count === 0 ? undefined : ratio(sum, BigInt(count) << smallest)),
  };
}

/** A finite double in units of 2^-1074. */
function exactOf(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const all = bits.getBigUint64(0);
  const exponent = (all >> 52n) & 0x7ffn;
  const fraction = all & 0xfffffffffffffn;
  const size = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return value < 0 ? -size : size;
}

const lengthOf = (value: bigint): number => value.toString(2).length;

/** The double nearest to a quotient. */
function ratio(above: bigint, below: bigint): number {
  if (above === 0n) return 0;
  const size = above < 0n ? -above : above;
  // 70 bits and one that says whether something is left: enough for `Number()` to round once, correctly.
  const shift = Math.max(0, 70 - (lengthOf(size) - lengthOf(below)));
  const shifted = size << BigInt(shift);
  const quotient = (shifted / below) * 2n + (shifted % below === 0n ? 0n : 1n);
  const value = Number(quotient) / 2 ** (shift + 1);
  return above < 0n ? -value : value;
}

/** Python's `f"{value:.2f}"`: a value that is exactly between two goes to the even one. */
export function fixed2(value: number): string {
  const twoHundredfold = value * 200;
  if (Number.isInteger(value * 8) && Number.isInteger(twoHundredfold) && twoHundredfold % 2 !== 0) {
    const below = Math.floor(twoHundredfold / 2);
    return ((below % 2 === 0 ? below : below + 1) / 100).toFixed(2);
  }
  return value.toFixed(2);
}

const scored = [...dimensions, 'total_score'] as const;
type Scored = Dimension | 'total_score';

/** Sums up judged rows as the evaluation script of AgentWorldBench does. */
export interface OfficialScore {
  add(row: JudgedFields): void;
  /** What the script prints, character by character. */
  text(): string;
  /** The numbers of it, 0–100, before they are rounded. `overall` is over all rows (micro). */
  numbers(): {
    domains: Record<string, { rows: number; valid: number; scores: Partial<Record<Scored, number>> }>;
    overall?: number;
    rows: number;
    valid: number;
  };
}

const titles: Readonly<Record<string, string>> = {
  mcp: 'MCP',
  search: 'Search',
  terminal: 'Terminal',
  swe: 'SWE',
  android: 'Android',
  web: 'Web',
  os: 'OS',
};

/** The name of a domain as it is printed. */
export const domainTitle = (domain: string): string =>
  titles[domain] ?? domain.slice(0, 1).toUpperCase() + domain.slice(1).toLowerCase();

/** Keeps sums only, no rows. */
export function officialScore(): OfficialScore {
  const domains = new Map<string, { rows: number; valid: number; means: Record<Scored, ExactMean> }>();
  const totals = exactMean();
  let rows = 0;
  const scoresOf = (means: Record<Scored, ExactMean>) =>
    // Without a valid score the script takes 0 for the mean, which prints as -25.
    scored.map((name) => [name, normalised(means[name].value() ?? 0)] as const);
  const sorted = () => [...domains].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    add(row) {
      rows += 1;
      const name = domainOfTask(row.task);
      let domain = domains.get(name);
      if (!domain) {
        const means = Object.fromEntries(scored.map((one) => [one, exactMean()])) as Record<Scored, ExactMean>;
        domain = { rows: 0, valid: 0, means };
        domains.set(name, domain);
      }
      domain.rows += 1;
      if (Number(row.failed ?? 1) !== 0) return;
      domain.valid += 1;
      for (const one of scored) {
        const value = row[one] ?? 0;
        if (value === 0) continue;
        domain.means[one].add(value);
        if (one === 'total_score') totals.add(value);
      }
    },
    text() {
      const rule = '='.repeat(70);
      const lines = ['', rule, 'AgentWorldBench Evaluation Results', rule];
      for (const [name, { rows: count, valid, means }] of sorted()) {
        lines.push('', `--- ${domainTitle(name)} (${valid}/${count} valid, ${count - valid} failed) ---`);
        if (valid === 0) lines.push('  No valid results.');
        else for (const [one, score] of scoresOf(means)) lines.push(`  ${one.padStart(15)}: ${fixed2(score)}`);
      }
      const overall = totals.value();
      if (overall !== undefined) {
        const count = totals.count();
        lines.push('', rule, `Overall: ${fixed2(normalised(overall))}`);
        lines.push(`Total samples: ${rows}, Valid: ${count}, Failed: ${rows - count}`, rule);
      }
      return `${lines.join('\n')}\n`;
    },
    numbers() {
      const overall = totals.value();
      return {
        domains: Object.fromEntries(
          sorted().map(([name, { rows: count, valid, means }]) => [
            name,
            { rows: count, valid, scores: valid === 0 ? {} : Object.fromEntries(scoresOf(means)) },
          ]),
        ),
        ...(overall === undefined ? {} : { overall: normalised(overall) }),
        rows,
        valid: totals.count(),
      };
    },
  };
}
