/** A part of a template: what stands below a heading, between two tags, or in a fence. */
export interface TemplateSection {
  kind: 'heading' | 'tag' | 'fence';
  /** Words of the heading, name of the tag, or language of the fence. */
  title: string;
  /** Of a heading 1–6, as Markdown counts; 7 for a line in bold. 0 for tags and fences. */
  level: number;
  /** The whole part, in UTF-16 code units: from the beginning of its first line to the end of its last. */
  start: number;
  end: number;
  /** Where its first line ends. */
  titleEnd: number;
}

/**
 * The parts of a template in the order in which they begin: Markdown headings and lines that are bold as a whole, tags that
 * stand alone on their lines (`<output> … </output>`), fenced code. Nothing in a fence is a heading.
 */
export function templateSections(text: string): TemplateSection[] {
  const sections: TemplateSection[] = [];
  const headings: TemplateSection[] = [];
  const tags: TemplateSection[] = [];
  let fence: (TemplateSection & { mark: string }) | undefined;
  const closeHeadings = (level: number, end: number) => {
    while ((headings.at(-1)?.level ?? -1) >= level) Object.assign(headings.pop() ?? {}, { end });
  };
  for (const { start, end, line } of linesOf(text)) {
    const at = { start, end, titleEnd: end };
    if (fence) {
      if (new RegExp(`^\\s{0,3}${fence.mark}+\\s*$`).test(line)) {
        fence.end = end;
        fence = undefined;
      }
      continue;
    }
    const opened = /^\s{0,3}(```+|~~~+)\s*([\w.+-]*)/.exec(line);
    if (opened) {
      fence = { kind: 'fence', title: opened[2] ?? '', level: 0, ...at, mark: opened[1] ?? '```' };
      sections.push(fence);
      continue;
    }
    const heading = /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line);
    const bold = heading ? undefined : /^\*\*([^*]+)\*\*:?\s*$/.exec(line);
    const title = heading?.[2] ?? bold?.[1];
    if (title) {
      const level = heading?.[1]?.length ?? 7;
      closeHeadings(level, Math.max(start - 1, 0));
      const section: TemplateSection = { kind: 'heading', title, level, ...at };
      headings.push(section);
      sections.push(section);
      continue;
    }
    const tag = /^\s*<(\/?)([A-Za-z][\w-]*)>\s*$/.exec(line);
    if (!tag) continue;
    const name = tag[2] ?? '';
    if (tag[1] === '') {
      const section: TemplateSection = { kind: 'tag', title: name, level: 0, ...at };
      tags.push(section);
      sections.push(section);
      continue;
    }
    const open = tags.findLastIndex((one) => one.title === name);
    if (open < 0) continue;
    Object.assign(tags[open] ?? {}, { end });
    tags.length = open;
  }
  closeHeadings(0, text.length);
  if (fence) fence.end = text.length;
  // A tag that is never closed is a word in angle brackets.
  return sections
    .filter((section) => !tags.includes(section))
    .map(({ kind, title, level, start, end, titleEnd }) => ({ kind, title, level, start, end, titleEnd }));
}

function* linesOf(text: string): Generator<{ start: number; end: number; line: string }> {
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline;
    const end = next > start && text.charAt(next - 1) === '\r' ? next - 1 : next;
    yield { start, end, line: text.slice(start, end) };
    start = next + 1;
  }
}
