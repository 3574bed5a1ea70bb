import { lastTagged, spaceClass, strip, withoutThinking } from '../../worlds/language/reply/officialText.ts';
import { type PythonValue, pythonInteger, pythonRound, pythonText, readPythonJson } from './pythonJson.ts';

/** What a judge scores, in the order of the evaluation script. */
export const dimensions = ['format', 'factuality', 'consistency', 'realism', 'quality'] as const;
/** One of the five dimensions. */
export type Dimension = (typeof dimensions)[number];

/** The tag that a judge's result stands in. */
const judgeTag = 'final_evaluation';

/** What a judge's reply says. */
export type JudgeReading =
  | {
      ok: true;
      /** 1–5 each; 0 (or less, as it was given) where there is no valid score. */
      scores: Record<Dimension, number>;
      /** Mean of the valid scores; 0 where none is. */
      total: number;
      strengths: string[];
      weaknesses: string[];
      /** Which rule found the JSON. */
      rule: 'fence' | 'object' | 'backwards';
      /** The JSON had to be repaired; `scores-only`: nothing but the scores could be read. */
      repair: 'none' | 'repaired' | 'scores-only';
    }
  | { ok: false; message: string };

/** Steps after which a reply full of braces that never close is given up. */
const mostSteps = 50_000_000;

/**
 * Reads a judge's reply by the rules of the evaluation script of AgentWorldBench: thinking is taken away; of the last
 * tagged block (else of everything) the last fence with `"scores"`, else the last object with it, else the object that ends
 * last; trailing commas and unquoted keys are repaired; if it is still no JSON, only the scores are read. Never throws.
 */
export function parseJudgeReply(raw: string): JudgeReading {
  const whole = strip(raw);
  if (whole === '') return { ok: false, message: 'The judge gave an empty reply.' };
  const { text: cleaned } = withoutThinking(whole, judgeTag);
  const found = findJson(lastTagged(cleaned, judgeTag)?.text || cleaned);
  if (!found) return { ok: false, message: 'There is no JSON in the reply of the judge.' };
  const repaired = repairJson(found.text);
  let read = readPythonJson(repaired);
  let repair: 'none' | 'repaired' | 'scores-only' = repaired === found.text ? 'none' : 'repaired';
  if (!read.ok && read.why === 'syntax') {
    const only = onlyScores.exec(repaired);
    if (only) {
      read = readPythonJson(`{"strengths":[],"weaknesses":[],${only[0]}}`);
      repair = 'scores-only';
    }
  }
  if (!read.ok) return { ok: false, message: 'The JSON in the reply of the judge cannot be read.' };
  const result = fieldsOf(read.value);
  const given = result && fieldsOf(result['scores'] ?? null);
  if (!given) return { ok: false, message: 'The JSON in the reply of the judge has no scores.' };
  const scores: Record<Dimension, number> = { format: 0, factuality: 0, consistency: 0, realism: 0, quality: 0 };
  for (const dimension of dimensions) {
    const score = readScore(Object.hasOwn(given, dimension) ? (given[dimension] ?? null) : 0n);
    if (score === undefined) return { ok: false, message: `The judge's score for ${dimension} is no number.` };
    scores[dimension] = score;
  }
  const valid = dimensions.map((dimension) => scores[dimension]).filter((score) => score > 0);
  return {
    ok: true,
    scores,
    total: valid.length === 0 ? 0 : valid.reduce((sum, score) => sum + score, 0) / valid.length,
    strengths: remarks(result['strengths'] ?? null),
    weaknesses: remarks(result['weaknesses'] ?? null),
    rule: found.rule,
    repair,
  };
}

function fieldsOf(value: PythonValue): { readonly [name: string]: PythonValue } | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

/** A score as it counts; undefined where the script fails on it. */
function readScore(value: PythonValue): number | undefined {
  let score: bigint | number;
  if (typeof value === 'bigint') score = value;
  else if (typeof value === 'boolean') score = Number(value);
  else if (typeof value === 'number') {
    const rounded = pythonRound(value);
    if (rounded === undefined) return undefined;
    score = rounded;
  } else if (typeof value === 'string') score = pythonInteger(strip(value.split('/')[0] ?? '')) ?? 0;
  else score = 0;
  return score > 0 ? Math.min(5, Number(score)) : Number(score);
}

function remarks(value: PythonValue): string[] {
  if (Array.isArray(value)) return value.map(pythonText);
  return typeof value === 'string' && value !== '' ? [value] : [];
}

function findJson(text: string): { text: string; rule: 'fence' | 'object' | 'backwards' } | undefined {
  const fence = lastFence(text);
  if (fence) return { text: fence, rule: 'fence' };
  const object = lastObject(text);
  if (object) return { text: object, rule: 'object' };
  const backwards = objectThatEndsLast(text);
  return backwards === undefined ? undefined : { text: backwards, rule: 'backwards' };
}

const scoresKey = '"scores"';
const fenceMark = '```';

/** The last fenced block that is an object with scores, else the last that is an object. */
function lastFence(text: string): string | undefined {
  const objects: string[] = [];
  for (let at = text.indexOf(fenceMark); at >= 0; ) {
    const start = at + fenceMark.length + (text.startsWith('json', at + fenceMark.length) ? 4 : 0);
    const end = text.indexOf(fenceMark, start);
    if (end < 0) break;
    const content = strip(text.slice(start, end));
    if (content.startsWith('{') && content.endsWith('}')) objects.push(content);
    at = text.indexOf(fenceMark, end + fenceMark.length);
  }
  return objects.findLast((object) => object.includes(scoresKey)) ?? objects.at(-1);
}

/** The last object with scores, else the last one. Braces inside of strings do not count. */
function lastObject(text: string): string | undefined {
  const objects: string[] = [];
  let steps = 0;
  for (let at = text.indexOf('{'); at >= 0 && steps < mostSteps; ) {
    const end = closingBrace(text, at);
    steps += (end ?? text.length) - at;
    if (end !== undefined) objects.push(text.slice(at, end));
    at = text.indexOf('{', end ?? at + 1);
  }
  return objects.findLast((object) => object.includes(scoresKey)) ?? objects.at(-1);
}

/** Where the object that begins at `start` ends. */
function closingBrace(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\' && isInString) at += 1;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** From the last closing brace back to the one that opens it. */
function objectThatEndsLast(text: string): string | undefined {
  const end = text.lastIndexOf('}');
  let depth = 0;
  let isInString = false;
  for (let at = end; at >= 0; at -= 1) {
    const character = text[at];
    if (character === '"' && text[at - 1] !== '\\') isInString = !isInString;
    if (isInString) continue;
    if (character === '}') depth += 1;
    else if (character === '{') {
      depth -= 1;
      if (depth === 0) return text.slice(at, end + 1);
    }
  }
  return undefined;
}

const word = '[\\p{L}\\p{N}_]+';
const trailingComma = new RegExp(`,(${spaceClass}*[}\\]])`, 'gu');
const quotedKey = new RegExp(`'(${word})'(${spaceClass}*:)`, 'gu');
const bareKey = new RegExp(`([{,])${spaceClass}*(${word})${spaceClass}*:`, 'gu');
const onlyScores = new RegExp(`"scores"${spaceClass}*:${spaceClass}*\\{[^}]+\\}`, 'u');

function repairJson(text: string): string {
  return text.replace(trailingComma, '$1').replace(quotedKey, '"$1"$2').replace(bareKey, '$1"$2":');
}

/** Which of two responses a judge chose; undefined: the reply does not say. The rules are those of the evaluation script. */
export function parseChoice(raw: string): 'A' | 'B' | undefined {
  const whole = strip(raw);
  if (whole === '') return undefined;
  const { text } = withoutThinking(whole);
  const boxed = ([...text.matchAll(boxedChoice)].at(-1) ?? [...text.matchAll(bareBoxedChoice)].at(-1))?.[1];
  const choice = boxed ?? choiceWords.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined);
  return choice === undefined ? undefined : choice.toUpperCase() === 'A' ? 'A' : 'B';
}

const boxedChoice = new RegExp(`\\\\boxed\\{${spaceClass}*([AaBb])${spaceClass}*\\}`, 'giu');
const bareBoxedChoice = new RegExp(`boxed\\{${spaceClass}*([AaBb])${spaceClass}*\\}`, 'giu');
const choiceWords = [
  new RegExp(
    `(?:answer|choice|select|choose|pick)${spaceClass}*(?:is|:)?${spaceClass}*\\**${spaceClass}*([AaBb])(?![\\p{L}\\p{N}_])`,
    'iu',
  ),
  new RegExp(
    `(?<![\\p{L}\\p{N}_])([AaBb])${spaceClass}*(?:is|appears|seems)${spaceClass}+(?:more${spaceClass}+)?(?:realistic|correct|better)`,
    'iu',
  ),
  new RegExp(
    `(?:Response|Option)${spaceClass}+([AaBb])${spaceClass}+is${spaceClass}+(?:the${spaceClass}+)?(?:real|correct|better)`,
    'iu',
  ),
];
