import { createScreen, plainText, writeText } from '../../action/terminalScreen.ts';
import { unknownOutputText } from '../../words/boundText.ts';
import { callText } from '../../words/shownPrograms.ts';
import type { Prediction } from '../prediction.ts';

/** What a command prints, as a terminal of any width would show it, without colours; what nobody can say is said so. */
export function printedText({ output, programs }: Pick<Prediction, 'output' | 'programs'>): string {
  const screen = createScreen();
  for (const { basis, text, base64 = '', dependsOn = [], limit } of output) {
    const names = dependsOn.map((argv) => `\`${callText(argv, programs)}\``);
    const unknown = basis === 'unknown' ? `(${unknownOutputText(names, limit)})\n` : undefined;
    writeText(screen, unknown ?? text ?? Buffer.from(base64, 'base64').toString('utf8'));
  }
  return plainText(screen);
}
