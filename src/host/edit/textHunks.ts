/** A larger file is replaced as a whole. */
const longestText = 4 * 1024 ** 2;

/** Both sides as text, where an editor would write exactly these bytes; else nothing. */
export function plainTexts(
  before: Uint8Array,
  after: Uint8Array,
): { before: string; after: string; encoding: 'utf8' | 'utf8bom' } | undefined {
  if (Math.max(before.length, after.length) > longestText) return undefined;
  const one = decoded(before);
  const other = decoded(after);
  if (!one || !other || one.hasMark !== other.hasMark) return undefined;
  // An editor writes one kind of line ending in the whole file.
  if (one.ending === 'mixed' || other.ending === 'mixed') return undefined;
  if (one.ending !== other.ending && one.ending !== 'none' && other.ending !== 'none') return undefined;
  // A text without line ends gets those of the machine.
  if (one.ending === 'none' && other.ending === 'crlf') return undefined;
  return { before: one.text, after: other.text, encoding: one.hasMark ? 'utf8bom' : 'utf8' };
}

function decoded(
  bytes: Uint8Array,
): { text: string; hasMark: boolean; ending: 'lf' | 'crlf' | 'mixed' | 'none' } | undefined {
  try {
    const all = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (all.includes('\0')) return undefined;
    const hasMark = all.startsWith('\uFEFF');
    const text = hasMark ? all.slice(1) : all;
    const pairs = text.split('\r\n').length - 1;
    const lines = text.split('\n').length - 1;
    const returns = text.split('\r').length - 1;
    const isMixed = returns !== pairs || (pairs > 0 && pairs !== lines);
    const ending = isMixed ? 'mixed' : lines === 0 ? 'none' : pairs > 0 ? 'crlf' : 'lf';
    return { text, hasMark, ending };
  } catch {
    return undefined;
  }
}

/** The stretches of `before` that are replaced, in order: start line and character, end line and character, from 0. */
export async function hunksOf(
  before: string,
  after: string,
): Promise<{ range: [number, number, number, number]; text: string }[]> {
  const { diffRows } = await import('../../core/view/lineDiff.ts');
  const lines = (text: string) => text.split(/(?<=\n)/);
  const old = lines(before);
  const rows = diffRows(old, lines(after), Number.POSITIVE_INFINITY);
  // Behind the last line, which may not end.
  const placeOf = (line: number): [number, number] => {
    const last = old.at(-1) ?? '';
    if (line < old.length || last.endsWith('\n')) return [line, 0];
    return [old.length - 1, last.length];
  };
  const hunks: { range: [number, number, number, number]; text: string }[] = [];
  let at = 0;
  let open: { start: number; text: string } | undefined;
  const close = () => {
    if (open) hunks.push({ range: [...placeOf(open.start), ...placeOf(at)], text: open.text });
    open = undefined;
  };
  for (const { kind, text } of rows) {
    if (kind === 'same') {
      close();
      at += 1;
      continue;
    }
    open ??= { start: at, text: '' };
    if (kind === 'predicted') at += 1;
    else open.text += text;
  }
  close();
  return hunks;
}
