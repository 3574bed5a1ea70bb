const lower = 0;
const upper = 1;
const digit = 2;
const blank = 3;
const lineBreak = 4;
const mark = 5;
const wide = 6;

const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return lower;
  if (code >= 65 && code <= 90) return upper;
  if (code >= 48 && code <= 57) return digit;
  if (code === 10 || code === 13) return lineBreak;
  return code === 32 || code === 9 ? blank : mark;
});

// Weights fitted (least squares on the relative error) to the tokenizer of Qwen 3 on 396 files of 16 kinds: source,
// Markdown, JSON, YAML, plain text. Mean error there 4.4 %, 90 % of the files within -10 … +9 %; o200k of OpenAI: the same
// on average. "Characters divided by four" has a mean error of 10.3 % on them.
const weight = {
  word: 0.91,
  /** Each letter of a word beyond six a hump. */
  longLetter: 0.145,
  /** `camelCase`: each capital after a small letter. */
  hump: 0.806,
  /** Qwen cuts numbers into single digits. */
  digit: 1.234,
  marks: 0.77,
  moreMarks: 0.271,
  /** White space that is more than one blank. */
  gap: 1.126,
  /** Beyond ASCII, a UTF-16 code unit. */
  wide: 0.583,
};

/**
 * About how many tokens a text is for the byte-pair encodings of the Qwen and GPT-4 families. Estimated from words, digits,
 * punctuation and gaps in one pass: 1 MB takes a few milliseconds, and no tokenizer needs to be loaded.
 * Usually within 10 % for a file, and too small or too large alike; leave room where a limit is hard.
 */
export function estimateTokens(text: string): number {
  const length = text.length;
  let tokens = 0;
  let at = 0;
  while (at < length) {
    const kind = classAt(text, at);
    let end = at + 1;
    if (kind <= upper) {
      let last = kind;
      let humps = 0;
      for (; end < length; end++) {
        const next = classAt(text, end);
        if (next > upper) break;
        if (next === upper && last === lower) humps++;
        last = next;
      }
      tokens += weight.word + weight.hump * humps;
      const tooLong = end - at - 6 * (humps + 1);
      if (tooLong > 0) tokens += weight.longLetter * tooLong;
    } else if (kind === digit) tokens += weight.digit;
    else if (kind === wide) tokens += weight.wide;
    else if (kind === mark) {
      while (end < length && classAt(text, end) === mark) end++;
      tokens += weight.marks + weight.moreMarks * (end - at - 1);
    } else {
      let isGap = kind === lineBreak;
      for (; end < length; end++) {
        const next = classAt(text, end);
        if (next !== blank && next !== lineBreak) break;
        isGap = true;
      }
      if (isGap) tokens += weight.gap;
    }
    at = end;
  }
  return Math.ceil(tokens);
}

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (classes[code] ?? mark) : wide;
}
