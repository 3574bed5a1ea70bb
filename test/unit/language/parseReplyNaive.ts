/** What the rules give, written a second time: as plainly as possible, without the code that is tested. */
export interface NaiveReading {
  observation: string;
  rule: string;
}

const pythonSpace = '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000';

function strip(text: string): string {
  const characters = text.split('');
  const isSpace = (character: string | undefined) =>
    character !== undefined && (pythonSpace.includes(character) || (character >= '\u2000' && character <= '\u200a'));
  while (isSpace(characters[0])) characters.shift();
  while (isSpace(characters.at(-1))) characters.pop();
  return characters.join('');
}

/** Positions of a tag, in any case of ASCII letters. */
function positions(text: string, tag: string): number[] {
  const small = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const found: number[] = [];
  for (let at = 0; at < small.length; at += 1) if (small.startsWith(tag, at)) found.push(at);
  return found;
}

export function naiveParse(text: string): NaiveReading {
  // 1
  if (text === '') return { observation: 'No output', rule: 'empty' };
  // 2
  const isGone: boolean[] = [];
  const remove = (start: number, end: number) => {
    for (let at = start; at < end; at += 1) isGone[at] = true;
  };
  const unused = positions(text, '</think>');
  for (const open of positions(text, '<think>')) {
    const next = unused.find((close) => close > open);
    if (next !== undefined) {
      unused.splice(unused.indexOf(next), 1);
      remove(open, next + '</think>'.length);
    } else {
      const tag = positions(text, '<predicted_observation>').find((at) => at > open);
      remove(open, tag ?? text.length);
    }
  }
  for (const close of unused) remove(0, close + '</think>'.length);
  const cleaned = strip(
    text
      .split('')
      .filter((_, at) => !isGone[at])
      .join(''),
  );
  // 3 and 4
  const opening = positions(cleaned, '<predicted_observation>').at(-1);
  let observation = cleaned;
  let rule = 'untagged';
  if (opening !== undefined) {
    const rest = cleaned.slice(opening + '<predicted_observation>'.length);
    const closing = positions(rest, '</predicted_observation>')[0];
    rule = closing === undefined ? 'unclosed' : 'tagged';
    observation = strip(closing === undefined ? rest : rest.slice(0, closing));
  } else if (cleaned === '') return { observation: 'No output', rule: 'nothing' };
  // 5
  const marker = '**Environment Observation:**';
  if (observation.indexOf(marker) === 0) return { observation: strip(observation.slice(marker.length)), rule };
  return { observation: strip(observation.split(marker).join('')), rule };
}
