import * as vscode from 'vscode';
import type { Prices } from '../../core/bench/score/scoreRun.ts';

/** The settings of the bench, as they are now. */
export interface BenchSettings {
  concurrency: number;
  /** 0–100: a row passes whose factual score is at least this. */
  passFactual: number;
  /** 0–100: a row passes whose judgement is at least this. */
  passJudge: number;
  /** More models of the same server, and folders of templates in the place of the rows' own prompts: all in one run. */
  models: string[];
  templateFolders: string[];
  /** Server of the judge; empty: none. */
  judgeUrl: string;
  judgeModel?: string;
  prices?: Prices;
  judgePrices?: Prices;
}

export function readBenchSettings(): BenchSettings {
  const settings = vscode.workspace.getConfiguration('foretell.bench');
  const judgeModel = settings.get('judge.name', '').trim();
  const prices = pricesOf(settings.get<number[]>('price', []));
  const judgePrices = pricesOf(settings.get<number[]>('judge.price', []));
  return {
    concurrency: Math.max(1, settings.get('concurrency', 32)),
    passFactual: settings.get('passFactual', 100),
    passJudge: settings.get('passJudge', 75),
    models: settings.get<string[]>('models', []).filter((name) => name.trim() !== ''),
    templateFolders: settings.get<string[]>('templates', []).filter((folder) => folder.trim() !== ''),
    judgeUrl: settings.get('judge.baseUrl', '').trim(),
    ...(judgeModel === '' ? {} : { judgeModel }),
    ...(prices ? { prices } : {}),
    ...(judgePrices ? { judgePrices } : {}),
  };
}

function pricesOf([input, output, cachedInput]: readonly number[]): Prices | undefined {
  if (input === undefined || output === undefined) return undefined;
  return { input, output, ...(cachedInput === undefined ? {} : { cachedInput }) };
}
