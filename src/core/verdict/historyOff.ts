import { declaringBuiltins, staticText } from '../shell/script.ts';
import type { ScriptCommand } from '../shell/scriptReading.ts';
import { shellOf } from '../shell/shells.ts';

/** Whether a command turns off that the shell remembers what is typed from then on. */
export function turnsHistoryOff({ words, assignments }: ScriptCommand): boolean {
  const [name = '', ...rest] = words.map((word) => staticText(word) ?? '');
  if (name === 'unset') return rest.includes('HISTFILE');
  if (name === 'set') return rest.some((word, at) => word === 'history' && rest[at - 1] === '+o');
  // Before another program they hold for that alone, which may be a shell in which somebody goes on.
  const isOwn =
    name === '' || declaringBuiltins.has(name) || (shellOf(name) && rest.every((word) => /^-[ilv]+$/.test(word)));
  const given = isOwn
    ? [...assignments.map((one) => [one.name, one.value ? staticText(one.value) : '']), ...rest.map(parted)]
    : [];
  return given.some(([variable, value]) =>
    variable === 'HISTFILE'
      ? value === '' || value === '/dev/null'
      : /^HIST(?:FILE)?SIZE$/.test(variable ?? '') && value === '0',
  );
}

function parted(word: string): [string, string | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}
