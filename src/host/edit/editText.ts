import type { NamedAgent } from '../../core/action/edit/agentVersions.ts';
import { withoutColours } from '../../core/action/edit/preparePatch.ts';
import type { ReadEdit } from '../../core/action/edit/readEdit.ts';

/** A text is an edit; or it wants to be one and cannot be read, in one sentence; or it is something else. */
export type TextAsEdit = { edit: ReadEdit } | { problem: string } | undefined;

/**
 * Reads a text that may be a patch or an agent's tool call. A script that gives a patch to a program (`git apply <<EOF`)
 * is a command. `wanted`: the user said that it is an edit, so that a problem is told whatever it looks like. `maker`: who makes
 * its calls, where the user said that.
 */
export async function editInText(
  text: string,
  cwd: string,
  wanted = false,
  maker: Partial<NamedAgent> = {},
): Promise<TextAsEdit> {
  // Most texts are commands: the parser is not loaded for them.
  if (!wanted && !mayBeEdit(text)) return undefined;
  const { readEdit } = await import('../../core/action/edit/readEdit.ts');
  const read = readEdit(text, { cwd, ...maker });
  if (!('problem' in read)) return { edit: read };
  return wanted || isMeantAsCall(text) ? read : undefined;
}

const beginning =
  /^(?:[ \t]*>)*[ \t]*(?:diff --git |@@ -\d|--- \S|Index: |\*\*\* (?:Begin Patch|\S.*\n(?:[ \t]*>)*[ \t]*--- \S)|[<-]{3,} ?SEARCH\b)/m;

/** Cheap, and never wrong about a text that is an edit. */
export function mayBeEdit(text: string): boolean {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (/^[{[]/.test(start)) return true;
  // Also in colours, quoted in a mail, and indented; and a call in a message.
  const plain = text.includes('\u001b[') ? withoutColours(text) : text;
  const head =
    beginning.exec(plain) ??
    /<(?:write_to_file|replace_in_file|apply_diff|(?:\w+:)?invoke name="\w+")>/.exec(plain) ??
    /^end_of_edit[ \t]*\r?$/m.exec(plain) ??
    /^ {0,3}(?:```|~~~).*\n\s*[{[]/m.exec(plain);
  if (!head) return false;
  // Agents write their edits as a call of a program that is in no shell.
  if (/^\s*apply_patch\b/.test(text)) return true;
  // What stands before a patch is a letter or a log, but no here-document that feeds it to a program.
  return !/<<[-~]?\s*["'\\]?\w/.test(plain.slice(0, head.index));
}

/** JSON that has the form of a tool call or of an edit, though it cannot be read as one; other JSON is just no command. */
function isMeantAsCall(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first !== 'object' || first === null) return false;
    return ['arguments', 'input', 'tool_input', 'toolArgs', 'tool_calls', 'function', 'changes', 'operations'].some(
      (key) => key in first,
    );
  } catch {
    return false;
  }
}

/** What a text that is an edit is called: `Patch of 3 files`, `Edit call`. */
export function titleOfText({ action }: ReadEdit): string {
  const { patch, calls } = action;
  if (patch) {
    const names = new Set([...patch.text.matchAll(/^\+\+\+ ([^\t\n]+)/gm)].map((match) => match[1]));
    const title = names.size > 1 ? `Patch of ${names.size} files` : 'Patch';
    return patch.reverse ? `${title}, taken back` : title;
  }
  if (calls && calls.length > 0) {
    const [first] = calls;
    return calls.length > 1 ? `${calls.length} edit calls` : `Edit call: ${first?.name ?? ''}`;
  }
  return 'Edit';
}
