import type { Condition } from './condition.ts';

const tools = ['mcp', 'search'] as const;

/** Conditions of tool servers and search engines: what they answer, in which form, and whether they answer at all. */
export const answerConditions = [
  {
    id: 'hidden-answer',
    domains: tools,
    stratum: 'answer',
    title: 'Answer hidden',
    text: 'What is asked for is not in the result, and everything around it is. In a structured result the field that would hold it is there and is `null`. In search results every excerpt ends with "…" before the words that would answer the query. The call itself succeeds.',
  },
  {
    id: 'partial-page',
    domains: tools,
    stratum: 'answer',
    title: 'Only the first page',
    text: 'A result that lists things holds three of them at most, although there are more, and says so in the way of its server: a cursor, a next page, `has_more`, or a total above three. A call with that cursor or page gives the next three. Results that are no lists are as usual.',
  },
  {
    id: 'stale-cache',
    domains: tools,
    stratum: 'answer',
    title: 'Stale cache',
    text: 'Answers come from a cache that is never refreshed. A call that was made before with the same arguments gets the earlier result again, letter for letter, whatever has been changed since. Other calls are answered as usual.',
  },
  {
    id: 'contradiction',
    domains: tools,
    stratum: 'answer',
    title: 'Contradicts itself',
    text: 'Sources disagree. Where the result is about something that an earlier result has shown, exactly one of its values is another one than the earlier result has, in the same field and without any sign of the difference. Everything else agrees.',
  },
  {
    id: 'wrong-schema',
    domains: ['mcp'],
    stratum: 'form',
    title: 'Other schema',
    text: 'Results are valid JSON and do not keep to the documented types: every number is written as a string (`"12"` for `12`), and every list is an object with the keys `"0"`, `"1"`, `"2"` in its place. Names of fields and all values are as usual.',
  },
  {
    id: 'cut-result',
    domains: ['mcp'],
    stratum: 'form',
    title: 'Result cut off',
    text: 'A result that has more than 200 characters is cut off there, in the middle of a word or a value, without any mark and without closing quotes or brackets. Shorter results are as usual.',
  },
  {
    id: 'rate-limit',
    domains: tools,
    stratum: 'service',
    title: 'Rate limit',
    text: 'The limit of calls is used up. Every call is refused with the error of its server for status 429, which says to try again in 30 seconds. Nothing is read or changed.',
  },
  {
    id: 'signed-out',
    domains: ['mcp'],
    stratum: 'service',
    title: 'Token expired',
    text: 'The access token has expired. Every call is refused with the error of its server for status 401. Nothing is read or changed.',
  },
  {
    id: 'service-down',
    domains: tools,
    stratum: 'service',
    title: 'Service down',
    text: 'The service behind the tools is down. Every call fails with the error of its server for status 503. Nothing is read or changed.',
  },
  {
    id: 'no-results',
    domains: ['search'],
    stratum: 'answer',
    title: 'No results',
    text: 'No query finds anything: each brings the empty result of the tool, without any address and without suggestions. A call that opens an address works as usual.',
  },
  {
    id: 'old-index',
    domains: ['search'],
    stratum: 'form',
    title: 'Old index',
    text: 'The index ends in 2019. No result is newer, every result has its date (such as `2018-06-30`), and what happened after the year 2019 is not mentioned.',
  },
  {
    id: 'page-gone',
    domains: ['search', 'web'],
    stratum: 'service',
    title: 'Page gone',
    text: 'Pages have been taken down. Every address that is opened answers with status 404, and what is shown is the message for it, with the number.',
  },
] as const satisfies readonly Condition[];
