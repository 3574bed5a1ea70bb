import { countOf } from '../../view/quantity.ts';
import { agreedChangeText } from '../../words/agreementText.ts';
import { programText } from '../../words/programText.ts';
import type { Futures } from '../parts.ts';
import type { Prediction } from '../prediction.ts';
import type { Painter } from './painter.ts';

/** How texts and paths of others are shown. */
interface Shown {
  said(text: string): string;
  name(path: string): string;
}

/** Of files and of lines of output on which samples disagree, so many are listed. */
const most = 20;

/** Where several samples lead: each end, and how many samples have what not all of them have. */
export function futureLines({ futures }: Prediction, painter: Painter, { said, name }: Shown): string[] {
  if (!futures || futures.ends.length === 0) return [];
  const { of } = futures;
  const lines = [painter.bold('Several futures, by samples of the model')];
  for (const { count, detail, isShown, programExit, exitCode, ...program } of futures.ends) {
    const ended = programExit === undefined ? '' : ` exits ${programExit}`;
    const then = isShown ? `as shown here; exit code ${exitCode}` : detail;
    lines.push(`  ${count} of ${of}: ${said(programText(program))}${ended}: ${painter.dim(said(then))}`);
  }
  const disputed = [...disputedFiles(futures, name), ...disputedLines(futures)];
  lines.push(...disputed.slice(0, most).map((line) => `  ${line}`));
  if (disputed.length > most) lines.push(painter.dim(`  and ${disputed.length - most} more`));
  return lines;
}

function disputedFiles({ of, files }: Futures, name: Shown['name']): string[] {
  return files
    .filter(({ count }) => count < of)
    .map(({ path, change, count }) => `${count} of ${of}: ${name(path)} ${agreedChangeText(change)}`);
}

function disputedLines({ of, output }: Futures): string[] {
  return output.flatMap(({ stream, counts }) => {
    const disputed = counts.filter((count) => count < of);
    if (disputed.length === 0) return [];
    const least = Math.min(...disputed);
    return [`${least} of ${of}, at least: ${countOf(disputed.length, 'line')} of ${stream} that not all samples have`];
  });
}
