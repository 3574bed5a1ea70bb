import { styleText } from 'node:util';
import type { Level } from '../../facts/level.ts';
import type { Basis } from '../../view/basis.ts';
import type { FileChange } from '../../view/fileChange.ts';

/** Marks of the bases: a sign that is readable without colour. */
const basisSigns: Record<Basis, string> = {
  rehearsed: '●',
  computed: '∴',
  remembered: '↺',
  imagined: '☁',
  assumed: '?',
  observed: '◉',
  unknown: '∅',
};

/** Colours for a terminal, or none. */
export interface Painter {
  bold(text: string): string;
  dim(text: string): string;
  error(text: string): string;
  level(level: Level, text: string): string;
  change(change: FileChange['change'], text: string): string;
  basis(basis: Basis): string;
  /** Its sign and its name. */
  namedBasis(basis: Basis): string;
}

type Style = Parameters<typeof styleText>[0];

/** Colours for a terminal; without them the text as it is. */
export function createPainter(colored: boolean): Painter {
  // The lines of a colour start and end it, so that indenting does not spread it. Whether there are colours is decided: this
  // process may have no terminal itself.
  const paint = (style: Style, text: string) =>
    colored
      ? text
          .split('\n')
          .map((line) => (line === '' ? '' : styleText(style, line, { validateStream: false })))
          .join('\n')
      : text;
  const levels: Record<Level, Style> = {
    safe: ['bold', 'green'],
    caution: ['bold', 'yellow'],
    danger: ['bold', 'red'],
  };
  const changes: Record<FileChange['change'], Style> = {
    created: 'green',
    modified: 'yellow',
    deleted: 'red',
    renamed: 'cyan',
    mode: 'magenta',
  };
  const basisSign = (basis: Basis) =>
    paint(
      basis === 'rehearsed' || basis === 'remembered'
        ? 'green'
        : basis === 'assumed' || basis === 'unknown'
          ? 'yellow'
          : 'cyan',
      basisSigns[basis],
    );
  return {
    bold: (text) => paint('bold', text),
    dim: (text) => paint('gray', text),
    error: (text) => paint('red', text),
    level: (level, text) => paint(levels[level], text),
    change: (change, text) => paint(changes[change], text),
    basis: basisSign,
    namedBasis: (basis) => `${basisSign(basis)} ${basis}`,
  };
}
