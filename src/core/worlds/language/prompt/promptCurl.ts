import { quoteWord } from '../../../shell/quoteWord.ts';

// Linux takes at most 128 KiB in one argument (MAX_ARG_STRLEN, execve(2)).
const argumentLimit = 120_000;

/**
 * A request as a command for bash, zsh or sh. The key is not in it: `$OPENAI_API_KEY` is read when it is run. A body that
 * is too long for an argument is given as a here-document.
 */
export function asCurl(url: string, body: unknown): string {
  const json = JSON.stringify(body, null, 2) ?? 'null';
  const head = [
    `curl --no-buffer ${quoteWord(url)}`,
    `--header 'Content-Type: application/json'`,
    `--header "Authorization: Bearer $OPENAI_API_KEY"`,
  ].join(' \\\n  ');
  if (Buffer.byteLength(json) < argumentLimit) return `${head} \\\n  --data-raw ${quoteWord(json)}\n`;
  // Interactive shells would look for `!` in a here-document; in JSON it can be written as an escape, and it only stands
  // in strings. No line of JSON is the end word.
  return `${head} \\\n  --data-binary @- <<'END_OF_BODY'\n${json.replaceAll('!', '\\u0021')}\nEND_OF_BODY\n`;
}
