import { createChance, shuffled } from '../../../view/chance.ts';
import type { ChatMessage } from '../client/provider.ts';
import { type Asking, readableReply } from '../client/readableReply.ts';
import type { Domain } from '../prompt/turns/turn.ts';
import { parseReply } from '../reply/parseReply.ts';
import { readWorldText, type World } from './world.ts';

/** What a world is to be. The same request gives the same prompt. */
export interface WorldWish {
  domain: Domain;
  /** What it is about, in the user's words; may be empty. */
  about: string;
  seed: number;
  /** How many things it is to have. */
  entities: number;
}

/** What is drawn for a world, so that many of them are not all alike. */
interface Drawn {
  place: string;
  size: string;
  state: string;
  difficulty: string;
  letters: string;
}

const places = ['Lisbon', 'Sapporo', 'Nairobi', 'Tromsø', 'Oaxaca', 'Tbilisi', 'Hobart', 'Ghent', 'Izmir', 'Halifax'];
const sizes = ['a one-person operation', 'a small team', 'a company of a hundred', 'a large organisation'];
const states = ['newly set up', 'in the middle of a busy week', 'neglected for months', 'just after a migration'];
const difficulties = [
  'everything is in order',
  'two records are nearly alike and must not be confused',
  'one record refers to another that is not there',
  'some values are missing',
];

/** The same for the same seed. Consecutive seeds have each difficulty equally often. */
export function drawWorld(seed: number): Drawn {
  const chance = createChance(seed);
  const one = (from: readonly string[]) => shuffled(from, chance)[0] ?? '';
  const round = Math.floor(seed / difficulties.length);
  const order = shuffled(difficulties, createChance(round));
  const letters = Array.from({ length: 3 }, () => String.fromCharCode(97 + Math.floor(chance() * 26))).join('');
  return {
    ...{ place: one(places), size: one(sizes), state: one(states), letters },
    difficulty: order[seed % order.length] ?? '',
  };
}

const surroundings: Readonly<Record<Domain, string>> = {
  mcp: 'the records behind a set of tools: what is stored, who may do what, what is used up',
  search: 'the pages of a small web: their addresses, titles, dates and what they say',
  terminal: 'a computer as its shell shows it: files with their contents, users, services, versions',
  swe: 'a code repository: its files with their contents, tests, configuration, history',
  android: 'a phone: its apps, contacts, messages, settings, files',
  web: 'a web site: its pages, products or posts, accounts, forms and their rules',
  os: 'a desktop computer: its programs, windows, documents, files, settings',
};

/** The messages that ask for a world. */
export function worldMessages({ domain, about, seed, entities }: WorldWish): ChatMessage[] {
  const { place, size, state, difficulty, letters } = drawWorld(seed);
  const system = [
    'You design fictional worlds in which agents are trained. A world is consistent, concrete and complete enough that somebody else can simulate it turn by turn without making up anything that matters.',
    '',
    'Reply with one JSON object and nothing else, in this form:',
    '',
    '{"version": 1, "title": "…", "description": "…", "entities": [{"id": "…", "kind": "…", "facts": {"name": "value"}}]}',
    '',
    'The description is whole sentences: where and what it is, who is there, what its rules are, what must not happen. Every entity has an id that no other has and that occurs in results as it stands; values of facts are text, numbers or booleans. Facts of different entities agree with each other. Names of people and organisations are made up.',
  ].join('\n');
  const user = [
    `Design ${surroundings[domain]}.`,
    about.trim() === '' ? '' : `It is about this: ${about.trim()}`,
    `It is ${size} in ${place}, ${state}; ${difficulty}.`,
    `It has ${entities} entities. Ids that are not addresses or paths contain the letters ${letters} and a number, such as ${letters}-17.`,
  ];
  return [
    { role: 'system', content: system },
    { role: 'user', content: user.filter((line) => line !== '').join('\n') },
  ];
}

/** Asks a model for a world; what is no world is asked for once more, with what is wrong. A problem is one sentence. */
export async function buildWorld(wish: WorldWish, asking: Asking): Promise<World | { problem: string }> {
  const parameters = { ...asking.parameters, seed: wish.seed };
  const again = 'Reply with the whole JSON object once more, and nothing else.';
  return readableReply({ ...asking, parameters }, worldMessages(wish), (text) => worldIn(text, wish), again);
}

function worldIn(text: string, { domain, seed }: WorldWish): World | { problem: string } {
  const { observation } = parseReply(text);
  const object = observation.slice(observation.indexOf('{'), observation.lastIndexOf('}') + 1);
  const read = readWorldText(object) ?? { problem: 'There is no JSON object in the reply.' };
  return 'problem' in read ? read : { ...read, domain, seed };
}
