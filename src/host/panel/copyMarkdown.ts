import { isNewError } from '../../core/consequences/isNewError.ts';
import type { Prediction, Reason } from '../../core/prediction/prediction.ts';
import { headlineOf } from '../../core/verdict/headlineOf.ts';
import { countOf } from '../../core/view/quantity.ts';
import { headlineWord } from '../../core/words/headlineText.ts';

/** So many files are listed; the others are counted. */
const mostFiles = 100;

const letters = { created: 'A', modified: 'M', deleted: 'D', renamed: 'R', mode: 'M' } as const;

/**
 * A prediction as Markdown, for an issue or a chat. `title`: the command, or what an edit is called; `output`: its lines as
 * a terminal shows them.
 */
export function markdownOf(prediction: Prediction, title: string, output: string): string {
  const { verdict, diagnostics, files, exitCode, exitBasis, assumptions } = prediction;
  const head = `**${headlineWord(headlineOf(verdict, diagnostics), diagnostics?.filter(isNewError).length)}**, as predicted by Foretell (nothing was run for real):`;
  const known = exitBasis === 'assumed' || exitBasis === 'unknown' ? undefined : exitCode;
  const parts = [head, fenced(title, 'sh'), verdict.reasons.map(reasonLine).join('\n')];
  if (assumptions.length > 0)
    parts.push(assumptions.map(({ argv }) => `- Not known: what ${inCode(argv.join(' '))} does`).join('\n'));
  if (output !== '') parts.push(`Output${known === undefined ? '' : `, exit code ${known}`}:`, fenced(output, 'text'));
  if (files.length > 0) {
    const lines = files
      .slice(0, mostFiles)
      .map(
        ({ change, path, from }) =>
          `- ${letters[change]} ${from === undefined ? '' : `${inCode(from)} → `}${inCode(path)}`,
      );
    if (files.length > mostFiles) lines.push(`- and ${countOf(files.length - mostFiles, 'more path')}`);
    parts.push('Files:', lines.join('\n'));
  }
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function reasonLine({ level, text }: Reason): string {
  return `- ${level}: ${text.replaceAll('\n', ' ')}`;
}

/** A block that nothing in the text can end. */
function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function inCode(text: string): string {
  const ticks = '`'.repeat(longestRun(text) + 1);
  const room = text.includes('`') ? ' ' : '';
  return `${ticks}${room}${text.replaceAll('\n', '␊')}${room}${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** A prediction as a shell would have shown it; the first line says that it was none. */
export function transcriptOf(script: string, output: string): string {
  const typed = script.split('\n').map((line, index) => `${index === 0 ? '$' : '>'} ${line}`);
  return `# Predicted by Foretell; nothing was run for real.\n${typed.join('\n')}\n${output === '' || output.endsWith('\n') ? output : `${output}\n`}`;
}
