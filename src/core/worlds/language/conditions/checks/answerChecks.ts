import type { TurnAction } from '../../../../action/turnAction.ts';
import { createLedger, type TakenTurn } from '../../world/ledger.ts';
import { canonical, leavesOf, listsOf, resultValue } from '../../world/resultValue.ts';
import type { answerConditions } from '../answerConditions.ts';
import type { Check, ConditionedReply } from './check.ts';

/** A result that is no JSON, as search tools write it: numbered entries with their lines. */
function entriesOf(text: string): string[][] {
  const entries: string[][] = [];
  for (const line of text.split('\n')) {
    if (/^\s*(?:\[?\d{1,3}[.):\]]|#{1,4} \d|[-*•] )\s*\S/.test(line)) entries.push([line]);
    else if (line.trim() !== '') entries.at(-1)?.push(line);
  }
  return entries;
}

const months = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\\.?';
/** Dates with their year, in the orders that search engines write them in. */
const dated = new RegExp(
  [
    '\\b(\\d{4})[-/.]\\d{2}(?:[-/.]\\d{2})?(?!\\d)',
    '\\b\\d{1,2}[/.]\\d{1,2}[/.](\\d{4})\\b',
    `\\b${months} (?:\\d{1,2}(?:st|nd|rd|th)?, )?(\\d{4})\\b`,
    `\\b\\d{1,2}\\.? ${months} (\\d{4})\\b`,
  ].join('|'),
  'g',
);

function yearsOf(text: string): number[] {
  return [...text.matchAll(dated)].map((found) => Number(found.slice(1).find((year) => year !== undefined)));
}

/** A line that only says when: `2018-06-30`, `Published: June 2018`. */
function isDate(line: string): boolean {
  return (
    yearsOf(line).length > 0 &&
    line
      .replace(dated, '')
      .replace(/[\w-]+:/, '')
      .trim() === ''
  );
}

const excerptNames = /^(?:snippet|excerpt|description|content|text|summary|body)$/i;
const address = /https?:\/\//;

/** What each result says of its page: the fields that hold it, or what follows title and address. */
function excerptsOf(text: string): string[] {
  const value = resultValue(text);
  if (value !== undefined) {
    return leavesOf(value).flatMap(({ path, value: leaf }) =>
      excerptNames.test(path.at(-1) ?? '') && typeof leaf === 'string' ? [leaf] : [],
    );
  }
  return entriesOf(text).flatMap(([, ...lines]) => {
    const last = lines.filter((line) => !address.test(line) && !isDate(line)).at(-1);
    return last === undefined ? [] : [last];
  });
}

const hiddenAnswer: Check = {
  shows({ domain, observation }) {
    if (domain === 'search') {
      const excerpts = excerptsOf(observation);
      return excerpts.length > 0 && excerpts.every((text) => /(?:…|\.\.\.)["”]?\s*$/.test(text));
    }
    const value = resultValue(observation);
    return value !== undefined && leavesOf(value).some(({ value: leaf }) => leaf === null);
  },
  meets({ domain, observation }) {
    if (domain === 'search') return excerptsOf(observation).length > 0;
    const value = resultValue(observation);
    return value !== undefined && leavesOf(value).length > 0;
  },
};

/** How many things the longest list of a result has. */
function listedCount(observation: string): number {
  const value = resultValue(observation);
  if (value === undefined) return entriesOf(observation).length;
  return Math.max(0, ...listsOf(value).map(({ length }) => length));
}

/** A result says that there is more: a cursor, a next page, a total. */
function tellsMore(observation: string, count: number): boolean {
  const value = resultValue(observation);
  if (value === undefined) return /\b(?:next|more|page \d|of \d)/i.test(observation);
  return leavesOf(value).some(({ path, value: leaf }) => {
    const name = path.at(-1) ?? '';
    const number = typeof leaf === 'string' && /^\d+$/.test(leaf) ? Number(leaf) : leaf;
    if (/^(?:total_?|last_?)?pages?$|^pages?_?count$/i.test(name) && name.toLowerCase() !== 'page')
      return typeof number === 'number' && number > 1;
    if (/total|count/i.test(name)) return typeof number === 'number' && number > count;
    return /cursor|next|more|page_?token/i.test(name) && leaf !== null && leaf !== false && leaf !== '' && leaf !== 0;
  });
}

const partialPage: Check = {
  shows({ observation }) {
    const count = listedCount(observation);
    return count > 0 && count <= 3 && tellsMore(observation, count);
  },
  meets: ({ observation }) => listedCount(observation) >= 3,
};

/** What the same call brought before. */
function sameBefore({ action, earlier }: ConditionedReply): string | undefined {
  if (action.kind !== 'tool') return undefined;
  const key = callKey(action);
  return earlier.findLast((turn) => turn.action.kind === 'tool' && callKey(turn.action) === key)?.observation;
}

function callKey({ name, arguments: given }: TurnAction & { kind: 'tool' }): string {
  return canonical([name, given]);
}

const staleCache: Check = {
  shows(reply) {
    const before = sameBefore(reply);
    if (before === undefined) return false;
    const [was, is] = [resultValue(before), resultValue(reply.observation)];
    return was && is ? canonical(was) === canonical(is) : before.trim() === reply.observation.trim();
  },
  meets: (reply) => sameBefore(reply) !== undefined,
};

/** What the reply says against the results before it. */
function comparedWithEarlier({ domain, action, earlier, observation }: ConditionedReply): TakenTurn {
  const ledger = createLedger(domain);
  for (const turn of earlier) {
    if (turn.observation !== undefined) ledger.take({ action: turn.action, observation: turn.observation });
  }
  return ledger.take({ action, observation });
}

const contradiction: Check = {
  shows: (reply) => comparedWithEarlier(reply).contradictions.length === 1,
  meets: (reply) => comparedWithEarlier(reply).compared > 0,
};

const wrongSchema: Check = {
  shows({ observation }) {
    const value = resultValue(observation);
    if (value === undefined || !keepsToWrongSchema(observation)) return false;
    return leavesOf(value).some(
      ({ path, value: leaf }) => path.includes('0') || (typeof leaf === 'string' && /^-?\d+(?:\.\d+)?$/.test(leaf)),
    );
  },
  meets({ observation }) {
    return resultValue(observation) !== undefined && !keepsToWrongSchema(observation);
  },
};

/** No number and no list is in it. */
function keepsToWrongSchema(observation: string): boolean {
  const value = resultValue(observation);
  if (value === undefined) return true;
  return listsOf(value).length === 0 && leavesOf(value).every(({ value: leaf }) => typeof leaf !== 'number');
}

const cutResult: Check = {
  shows({ observation }) {
    const text = observation.trim();
    const isOpen = /^[[{]/.test(text) ? resultValue(text) === undefined : /[\w,:"]$/.test(text);
    return isOpen && text.length > 150 && text.length <= 260;
  },
  meets: ({ observation }) => observation.trim().length > 200,
};

/** Every call is refused with this status; the words of the server are its own. */
function refusedWith(status: number, further?: RegExp): Check {
  const said = new RegExp(`(?<![\\d.])${status}(?![\\d.]*\\d)`);
  return {
    shows: ({ observation }) => said.test(observation) && (further?.test(observation) ?? true),
    meets: () => true,
  };
}

const opensAddress = ({ action }: ConditionedReply): boolean =>
  action.kind === 'tool'
    ? leavesOf(JSON.parse(JSON.stringify(action.arguments))).some(
        ({ value }) => typeof value === 'string' && address.test(value),
      )
    : action.kind === 'text' && address.test(action.text);

const noResults: Check = {
  shows: (reply) => !opensAddress(reply) && !address.test(reply.observation) && listedCount(reply.observation) === 0,
  meets: (reply) => !opensAddress(reply),
};

const oldIndex: Check = {
  shows({ observation }) {
    const years = yearsOf(observation);
    return years.length > 0 && years.every((year) => year <= 2019);
  },
  meets: (reply) =>
    yearsOf(reply.observation).length > 0 || (!opensAddress(reply) && listedCount(reply.observation) > 0),
};

/** How each condition of tools and search engines is found in a reply. */
export const answerChecks: Readonly<Record<(typeof answerConditions)[number]['id'], Check>> = {
  'hidden-answer': hiddenAnswer,
  'partial-page': partialPage,
  'stale-cache': staleCache,
  contradiction,
  'wrong-schema': wrongSchema,
  'cut-result': cutResult,
  'rate-limit': refusedWith(429, /(?<!\d)30(?:000)?(?!\d)/),
  'signed-out': refusedWith(401),
  'service-down': refusedWith(503),
  'no-results': noResults,
  'old-index': oldIndex,
  'page-gone': { shows: refusedWith(404).shows, meets: opensAddress },
};
