import { redactForPrompt } from '../../../context/secrets/redactForPrompt.ts';
import { secretFormOf } from '../../../context/secrets/secretFiles.ts';

// What files of secrets look like that are known by their names alone, where only their content is at hand.
const looks: readonly (readonly [string, RegExp])[] = [
  ['.env', /^(?:\s*(?:#[^\n]*|(?:export\s+)?[A-Za-z_][\w.]*=[^\n]*)?(?:\n|$))+$/],
  ['.pgpass', /^[^:\s#]+:(?:\d+|\*):[^:\n]*:[^:\n]*:[^\s:]+$/m],
  ['kubeconfig', /^kind:[ \t]*Config\b/m],
  ['.netrc', /^machine[ \t]+\S+/m],
];

/**
 * Takes the secrets out of what stands on a program's standard input. Nobody can say which file it comes from, so it is
 * read as each secret file that the script names, and as those that it looks like. Rejects as `redactForPrompt` does.
 */
export async function redactInput(
  text: string,
  script: string,
): Promise<{ text: string; found: { kind: string; count: number }[] }> {
  const named = script.split(/[\s'"<>|&;()`$={}]+/).filter((word) => secretFormOf(word) !== undefined);
  const alike = looks.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);
  let left = text;
  const found: { kind: string; count: number }[] = [];
  for (const path of new Set([...named, ...alike, ''])) {
    const redacted = await redactForPrompt(left, path === '' ? {} : { path });
    left = redacted.text;
    found.push(...redacted.found);
  }
  return { text: left, found };
}
