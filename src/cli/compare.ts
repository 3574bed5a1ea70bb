import path from 'node:path';
import type { CommandAction } from '../core/action/action.ts';
import {
  alternativesIn,
  type Comparison,
  compareAlternatives,
  mostAlternatives,
} from '../core/alternatives/compareAlternatives.ts';
import { comparisonJson, comparisonText } from '../core/alternatives/comparisonText.ts';
import { mayBeSafer, proveSafer, type Safer } from '../core/alternatives/proveSafer.ts';
import type { SharedRequest } from '../core/alternatives/rehearseAlternatives.ts';
import { keepingStamp } from '../core/alternatives/saferCandidates.ts';
import { homeFolder } from '../core/context/user.ts';
import type { Foretell } from '../core/foretell.ts';
import type { Prediction } from '../core/prediction/prediction.ts';
import type { Painter } from '../core/prediction/text/painter.ts';
import { inSentence } from '../core/view/quantity.ts';
import { saferText } from '../core/words/alternativeText.ts';
import { type CliProcess, readNamed } from './cliProcess.ts';
import type { CliOptions } from './options.ts';

/** The alternatives that the command line names; a problem is one sentence. */
export async function alternativesFor(
  options: CliOptions,
  around: CliProcess,
): Promise<CommandAction[] | { problem: string }> {
  const scripts = await scriptsOf(options, around);
  if ('problem' in scripts) return scripts;
  if (scripts.length < 2 || scripts.length > mostAlternatives) {
    const count = scripts.length;
    return {
      problem: `compare takes 2 to ${mostAlternatives} commands, not ${count}; quote each: foretell compare 'git stash' 'git reset --hard'`,
    };
  }
  const cwd = path.resolve(options.cwd);
  return scripts.map((script) => ({ kind: 'command', script, shell: options.shell, cwd }));
}

async function scriptsOf({ words, file }: CliOptions, around: CliProcess): Promise<string[] | { problem: string }> {
  if (file === undefined) return words.filter((word) => word.trim() !== '');
  if (words.length > 0) return { problem: 'Give either commands or --file, not both.' };
  try {
    const text = (await readNamed(file, around)).toString('utf8');
    return alternativesIn(text);
  } catch (error) {
    return { problem: `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).` };
  }
}

/** What comparing needs of the process around it. */
export interface CompareRun {
  foretell: Foretell;
  request: SharedRequest;
  painter: Painter;
  say(text: string): Promise<unknown>;
}

/** Predicts the alternatives and says which leave the same state. Returns what was compared. */
export async function runCompare(
  actions: readonly CommandAction[],
  isJson: boolean,
  { foretell, request, painter, say }: CompareRun,
): Promise<Comparison> {
  const comparison = await compareAlternatives(foretell, actions, request);
  if (isJson) await say(`${JSON.stringify(comparisonJson(comparison))}\n`);
  else await say(comparisonText(comparison, painter, actions[0]?.cwd ?? '/'));
  return comparison;
}

/** Safer commands in the place of what was predicted; empty where none proves itself. */
export async function saferOnes(
  foretell: Foretell,
  prediction: Prediction,
  { request, env }: { request: SharedRequest } & Pick<CliProcess, 'env'>,
): Promise<Safer[]> {
  if (!mayBeSafer(prediction)) return [];
  const home = homeFolder(env);
  return proveSafer(foretell, prediction, request, { home, stamp: keepingStamp(new Date()) });
}

/** Safer commands for people; empty where there are none. */
export function saferLines(safer: readonly Safer[], painter: Painter): string {
  if (safer.length === 0) return '';
  const lines = safer.flatMap(({ script, keeps, saves, remains }) => [
    `  ${painter.bold(inSentence(script, 2000))}`,
    `    ${painter.dim(saferText(keeps, saves))}`,
    ...remains.map(({ text }) => `    ${painter.dim('still:')} ${inSentence(text, 400)}`),
  ]);
  return `\n${[painter.level('safe', 'Safer'), ...lines].join('\n')}\n`;
}

/** The same for programs. */
export function saferJson(safer: readonly Safer[]): unknown[] {
  return safer.map(({ script, keeps, level, saves, remains }) => ({
    ...{ script, keeps, level, saves },
    proven: saferText(keeps, saves),
    ...(remains.length > 0 ? { remains } : {}),
  }));
}
