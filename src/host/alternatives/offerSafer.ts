import os from 'node:os';
import type * as vscode from 'vscode';
import type { SaferCommands } from '../../protocol/compareProtocol.ts';
import type { Engine } from '../engine/engine.ts';
import type { EditorRequest, Run } from '../predict/run.ts';

/** What offering a safer command needs. */
export interface OfferOptions {
  run: Run;
  /** The prediction is still the one that is shown. */
  isShown(): boolean;
  engine: Engine;
  request: EditorRequest;
  tell(safer: SaferCommands): void;
  log: vscode.LogOutputChannel;
}

/** Where a command is danger: looks for others that reach the same and lose nothing, and tells those that prove it. */
export async function offerSafer({ run, isShown, engine, request, tell, log }: OfferOptions): Promise<void> {
  // What starts from predicted steps has no real files to start from; what a model said proves nothing.
  if (run.position.length > 0 || run.whole || run.prediction.questions.length > 0) return;
  const abort = new AbortController();
  const watch = setInterval(() => {
    if (!isShown()) abort.abort();
  }, 200);
  try {
    const { mayBeSafer, proveSafer } = await import('../../core/alternatives/proveSafer.ts');
    if (!mayBeSafer(run.prediction)) return;
    const { keepingStamp } = await import('../../core/alternatives/saferCandidates.ts');
    const { saferText } = await import('../../core/words/alternativeText.ts');
    const { language: _, memory: _kept, ...shared } = request;
    const place = { home: request.env?.['HOME'] ?? os.homedir(), stamp: keepingStamp(new Date()) };
    const asked = { ...shared, openGate: run.openGate, signal: abort.signal };
    const safer = await proveSafer(await engine.load(), run.prediction, asked, place);
    if (safer.length === 0 || !isShown()) return;
    tell(
      safer.map(({ script, keeps, level, saves, remains }) => ({
        ...{ script, level, proven: saferText(keeps, saves) },
        remains: remains.map(({ text }) => text),
      })),
    );
  } catch (error) {
    log.warn(`No safer command could be looked for: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    clearInterval(watch);
  }
}
