import type { TurnAction } from '../../../action/turnAction.ts';
import type { WorldFact } from '../../../facts/contradiction.ts';
import type { Domain } from '../prompt/turns/turn.ts';
import { parseReadReply } from '../prompt/turns/turnTextTools.ts';
import { canonical, type Json, resultValue } from './resultValue.ts';

/** What was done, and what was seen after it. */
export interface SeenTurn {
  action: TurnAction;
  observation: string;
}

/** Names under which records say who they are, the surest first. */
const identities = ['id', 'uuid', 'url', 'href', 'link', 'path', 'email', 'key', 'slug', 'name', 'title'];
/** These are another one each time, and nobody's state. */
const momentary =
  /(?:^|[_.-])(?:time|timestamp|now|elapsed|duration|took|latency|cursor|token|nonce|etag|(?:request|trace)_?id)(?:_?ms)?$/;
/** Longest value that is kept, in characters. */
const longest = 4000;

/**
 * What an observation shows of things, as far as its form tells: the fields of records in structured results, results of a
 * call that are none, and contents of files that were read whole. Screens and printed text have no such form.
 */
export function observedFacts(domain: Domain, { action, observation }: SeenTurn): WorldFact[] {
  if (action.kind !== 'tool') return [];
  const place = filePath(action);
  if (domain === 'swe') return place === undefined ? [] : contentFacts(place, action, observation);
  if (domain !== 'mcp' && domain !== 'search') return [];
  const value = resultValue(observation);
  const call = callName(action);
  if (value === undefined) return [{ entity: call, attribute: 'text', value: observation.slice(0, longest) }];
  const facts: WorldFact[] = [];
  collect(value, { entity: call, kind: action.name, path: [] }, facts);
  return facts;
}

/** The name of a call that stands for what it is asked for: `get_balance {"account":7}`. */
function callName(action: TurnAction & { kind: 'tool' }): string {
  return `${action.name} ${canonical(action.arguments)}`;
}

interface Owner {
  entity: string;
  /** What the records here are called: the name of the list that they stand in. */
  kind: string;
  path: readonly string[];
}

function collect(value: Json, owner: Owner, facts: WorldFact[]): void {
  if (typeof value !== 'object' || value === null) {
    const attribute = owner.path.join('.') || 'value';
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (!isMomentary(attribute) && text.length <= longest) facts.push({ entity: owner.entity, attribute, value: text });
    return;
  }
  if (Array.isArray(value)) {
    // A record without an identity in a list may stand elsewhere the next time.
    for (const one of value) {
      const named = isRecord(one) ? entityOf(one, owner.kind) : undefined;
      if (named !== undefined) collect(one, { entity: named, kind: owner.kind, path: [] }, facts);
    }
    return;
  }
  const own = entityOf(value, owner.kind);
  const here = own === undefined ? owner : { ...owner, entity: own, path: [] };
  for (const [name, inner] of Object.entries(value)) {
    // Who it is says its name already.
    if (own !== undefined && name === identityOf(value)) continue;
    collect(inner, { entity: here.entity, kind: name, path: [...here.path, name] }, facts);
  }
}

function isRecord(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field that says which one a record is. */
function identityOf(record: { [name: string]: Json }): string | undefined {
  return identities.find((name) => typeof record[name] === 'string' || typeof record[name] === 'number');
}

/** What a record is called. Numbers and names are those of their kind only; addresses and long identifiers are of the world. */
function entityOf(record: { [name: string]: Json }, kind: string): string | undefined {
  const name = identityOf(record);
  if (name === undefined) return undefined;
  const value = `${record[name]}`;
  const isGlobal = /^(?:uuid|url|href|link|email)$/.test(name) || (name === 'id' && /[a-z].*\d|\d.*[a-z]/i.test(value));
  return isGlobal ? value : `${kind} ${value}`;
}

function isMomentary(attribute: string): boolean {
  const snake = attribute.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  return momentary.test(snake);
}

/** The file that a call of an editing agent is about. */
export function filePath(action: TurnAction & { kind: 'tool' }): string | undefined {
  const { absolute_path: absolute, file_path: file, path } = action.arguments;
  const place = absolute ?? file ?? path;
  return typeof place === 'string' ? place : undefined;
}

const readingTools = new Set(['read_file', 'Read']);

/** The tool shows what is in a file and changes nothing. */
export function isReadingTool(name: string): boolean {
  return readingTools.has(name);
}

function contentFacts(place: string, action: TurnAction & { kind: 'tool' }, observation: string): WorldFact[] {
  const { offset, limit, content } = action.arguments;
  if (action.name === 'write_file' || action.name === 'Write') {
    const isDone = parseReadReply(observation) !== undefined;
    return isDone && typeof content === 'string' ? [contentFact(place, content)] : [];
  }
  if (!isReadingTool(action.name) || offset !== undefined || limit !== undefined) return [];
  const read = parseReadReply(observation);
  return !read || read.isCut ? [] : [contentFact(place, read.text)];
}

function contentFact(place: string, text: string): WorldFact {
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return { entity: place, attribute: 'content', value: ended.slice(0, longest) };
}
