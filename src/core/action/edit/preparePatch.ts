/** A text as a tool can read it, and what was taken out of it: a sentence each. */
export interface PreparedText {
  text: string;
  notices: string[];
}

/** What makes a text a patch: the beginnings of unified, git's and context diffs. */
const beginning =
  /^(?:diff --git |@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|--- \S.*\r?\n\+\+\+ \S|\*\*\* \S.*\r?\n--- \S.*\r?\n\*{15})/m;

/** True where a text looks like a unified diff, a context diff or a git patch. */
function isDiff(text: string): boolean {
  return beginning.test(text);
}

/** Where the first diff begins; -1 where there is none. */
export function diffStart(text: string): number {
  return text.search(beginning);
}

/**
 * Takes out what a terminal, a mail program or a Markdown text put around a patch: colours, the marks of a quotation, and an
 * indentation. Fences need no care, because the tools leave out what stands between patches; and lines inside a patch may be
 * fences themselves.
 */
export function preparePatch(given: string): PreparedText {
  const notices: string[] = [];
  let text = given;
  if (text.includes('\u001b[')) {
    const plain = withoutColours(text);
    if (isDiff(plain) && plain !== text) {
      notices.push('The colours in the text were left out; as it is, no tool would read the patch.');
      text = plain;
    }
  }
  if (!isDiff(text)) {
    const inner = withoutMarks(text);
    if (inner !== undefined) {
      notices.push('The marks or blanks before the lines of the patch were left out.');
      text = inner;
    }
  }
  if (/^Content-Transfer-Encoding: *(?:quoted-printable|base64)/im.test(text) && /^From |^From: /m.test(text))
    notices.push('The mail is encoded for transport; git am would decode it, git apply and patch do not.');
  return { text, notices };
}

/** A text without the sequences with which terminals are told colours, and without those that clear the rest of a line. */
export function withoutColours(text: string): string {
  return text.replace(/\u001b\[[0-9;:]*[mK]/g, '');
}

/** The lines of a text that all have the same mark before a diff, without that mark. */
function withoutMarks(text: string): string | undefined {
  const first = /^((?:[ \t]*>)*[ \t]*)(?:diff --git |--- \S.*\r?\n\1\+\+\+ \S|\*\*\* \S.*\r?\n\1--- \S)/m.exec(text);
  const mark = first?.[1] ?? '';
  if (!first || mark === '') return undefined;
  // An empty line of a quotation has no blank behind its mark, and one of an indented block has nothing.
  const bare = mark.trimEnd();
  const lines = text.slice(first.index).split('\n');
  const kept: string[] = [];
  for (const line of lines) {
    if (line.startsWith(mark)) kept.push(line.slice(mark.length));
    else if (line.trimEnd() === bare) kept.push(line.endsWith('\r') ? '\r' : '');
    else break;
  }
  const inner = kept.join('\n');
  return isDiff(inner) ? inner : undefined;
}

/** What a text is that looks like a patch and that no tool applies, with a next step; undefined where it is something else. */
export function foreignPatch(text: string): string | undefined {
  if (/^diff --(?:cc|combined) |^@@@+ -\d/m.test(text))
    return 'This is a combined diff, as git shows merges, which no tool applies; make one against one parent, with git diff HEAD^1 HEAD.';
  if (/^\d+(?:,\d+)?[acd]\d+(?:,\d+)?\r?\n[<>] /m.test(text))
    return 'This is a diff without file names and context; make it with diff -u, or with git diff.';
  if (/^\d+(?:,\d+)?[acd]\r?\n(?:[\s\S]*?\n)?\.\r?$/m.test(text))
    return 'This is a script for ed, which is not predicted; make the patch with diff -u, or with git diff.';
  return undefined;
}
