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

/** Two Unicode forms of one name look alike: letters with marks of their own are told by their code. */
function showName(name: string): string {
  const text = name.replace(/\p{M}/gu, (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
  return text === name ? showCall([name]) : text;
}
