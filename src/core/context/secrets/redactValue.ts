import { redactForPrompt } from './redactForPrompt.ts';

/** How often secrets of one kind were taken out. */
export interface RedactedKind {
  kind: string;
  count: number;
}

/** Takes the secrets out of values, and counts them. */
export interface Redactor {
  /**
   * Plain data without the secrets in its texts, whatever field they stand in, as before a text is sent to a model; names and
   * structure stay. `path`: the file that it is about. Rejects when the scanner cannot be loaded: then nothing may be kept or sent.
   */
  redact(value: unknown, path?: string): Promise<unknown>;
  found(): RedactedKind[];
}

/** One for values that belong together: texts that come again are read once. */
export function createRedactor(): Redactor {
  const counts = new Map<string, number>();
  // Prompts repeat their beginning from step to step.
  const known = new Map<string, { text: string; found: readonly RedactedKind[] }>();

  async function redactText(text: string, path?: string): Promise<string> {
    if (text.length < 8) return text;
    const key = `${path ?? ''}\u0000${text}`;
    let read = known.get(key);
    if (!read) {
      read = await redactForPrompt(text, path === undefined ? {} : { path });
      known.set(key, read);
    }
    for (const { kind, count } of read.found) counts.set(kind, (counts.get(kind) ?? 0) + count);
    return read.text;
  }

  async function redactValue(value: unknown, name: string, path: string | undefined): Promise<unknown> {
    if (typeof value === 'string')
      return name === 'arguments' ? redactJson(value, path) : redactNamed(value, name, path);
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      for (const one of value) list.push(await redactValue(one, name, path));
      return list;
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries: [string, unknown][] = [];
    for (const [field, one] of Object.entries(value)) entries.push([field, await redactValue(one, field, path)]);
    return Object.fromEntries(entries);
  }

  /** A field that is called a password is one, although its value alone does not show it. */
  async function redactNamed(text: string, name: string, path: string | undefined): Promise<string> {
    const redacted = await redactText(text, path);
    if (redacted !== text || !secretName.test(name) || text.includes('\n')) return redacted;
    const named = await redactText(`${JSON.stringify(name)}: ${JSON.stringify(text)}`);
    return named.includes('[redacted: ') && !text.includes('[redacted: ') ? '[redacted: secret]' : text;
  }

  /** The arguments of a call are JSON in a text: redacted as the values they are, so that they stay JSON. */
  async function redactJson(text: string, path: string | undefined): Promise<string> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return redactText(text, path);
    }
    const redacted = await redactValue(value, '', path);
    const changed = JSON.stringify(redacted);
    return changed === JSON.stringify(value) ? text : changed;
  }

  return {
    redact: (value, path) => redactValue(value, '', path),
    found: () => [...counts].map(([kind, count]) => ({ kind, count })),
  };
}

const secretName = /pass|secret|token|credential|auth|(?:^|_|-)key$|apikey|privatekey/i;
