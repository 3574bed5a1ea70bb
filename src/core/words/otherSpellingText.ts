import type { OtherSpelling } from '../facts/otherSpelling.ts';
import { showCall } from '../shell/quoteWord.ts';

const reasons: Readonly<Record<OtherSpelling['because'], string>> = {
  spelling: 'this file system takes both names for one',
  link: 'a symbolic link leads there',
  parent: '.. is counted from where the folder really is',
  mount: 'the same folder is mounted twice',
};

/** Both names of what is destroyed, as a sentence: “`Foo` is `foo` (…)”. */
export function otherSpellingText({ written, real, folder, because }: OtherSpelling): string {
  const isRelative = !written.startsWith('/') && !written.startsWith('~');
  const within = folder === '/' ? '/' : `${folder}/`;
  const shown = isRelative && real.startsWith(within) ? real.slice(within.length) : real;
  return `\`${showName(written)}\` is \`${showName(shown)}\` (${reasons[because]}): that is what would be destroyed.`;
}

/** Names that the file system takes for one may look alike: what shows that they are not the same is told by its code. */
function showName(name: string): string {
  const text = name.replace(/[^\u0000-\u007f]/gu, (letter) => (looksLikeOthers(letter) ? codeOf(letter) : letter));
  return text === name ? showCall([name]) : text;
}

/** Marks that belong to a letter, letters that only stand for others (K for kelvins, ﬁ), and what is invisible. */
function looksLikeOthers(letter: string): boolean {
  return /[\p{M}\p{Default_Ignorable_Code_Point}]/u.test(letter) || letter.normalize('NFKC') !== letter;
}

/** As bash writes it in `$'…'`. */
function codeOf(letter: string): string {
  const code = (letter.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
