import type { Scope, StaticField } from './evaluated.ts';

/** Options of `shopt` that decide what a pattern becomes. */
const aboutPatterns = /^(?:nullglob|dotglob|failglob|globstar|nocaseglob|extglob|globasciiranges|globskipdots)$/;

/** `shopt`: a pattern may become other words from then on. */
export function changePatterns(words: readonly StaticField[], scope: Scope): void {
  const [, flag, ...names] = words;
  if (flag?.isOpen || (flag?.text === '-s' && names.some(({ text, isOpen }) => isOpen || aboutPatterns.test(text))))
    scope.patterns = 'changed';
}

/** `set`: its options that matter here, and the arguments that it sets. */
export function changeOptions(words: readonly StaticField[], scope: Scope): void {
  for (let at = 1; at < words.length; at++) {
    const text = words[at]?.text ?? '';
    if (text === '--') {
      scope.positional = words.slice(at + 1, 4096);
      return;
    }
    if (!/^[-+]/.test(text)) {
      delete scope.positional;
      return;
    }
    const isOn = text.startsWith('-');
    const name = /^[-+][A-Za-z]*o$/.test(text) ? words[++at]?.text : undefined;
    if (name === 'noglob' || /^.[A-Za-z]*f/.test(text)) changeNoGlob(isOn, scope);
    if (name === 'errexit' || /^.[A-Za-z]*e/.test(text)) scope.endsOnFailure = isOn;
  }
}

function changeNoGlob(isOn: boolean, scope: Scope): void {
  if (scope.patterns === 'changed') return;
  if (isOn) scope.patterns = 'off';
  else delete scope.patterns;
}

/** What a word with a pattern is under these options. */
export function underOptions(field: StaticField, { patterns }: Scope): StaticField {
  if (patterns === undefined || field.pattern === undefined || field.isOpen) return field;
  if (patterns === 'changed') return { text: field.text, pattern: '*', isOpen: true, why: 'shell' };
  const { pattern: _, ...letters } = field;
  return field.isEach ? field : letters;
}
