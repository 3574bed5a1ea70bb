import { decodedBytes } from '../../core/prediction/decodedBytes.ts';
import type { Observed } from '../../protocol/panelProtocol.ts';
import type { Run } from '../predict/run.ts';

const differing = {
  exitCode: 'the real exit code was another',
  output: 'the real output was another',
  files: 'real files came out otherwise',
} as const;

/** A prediction, or one part of it, as text for the clipboard. */
export async function copyText(
  run: Run,
  what: 'command' | 'summary' | 'output' | 'json' | 'markdown' | 'transcript',
  observed?: Observed,
): Promise<string> {
  const { action, prediction } = run;
  const { differs = [], exitCode } = observed ?? {};
  switch (what) {
    case 'command':
      return action.kind === 'command' ? action.script : (run.origin?.text ?? JSON.stringify(action, null, 2));
    case 'output':
      return prediction.output.map((piece) => piece.text ?? decodedBytes(piece.base64)).join('');
    case 'markdown':
    case 'transcript': {
      const [{ markdownOf, transcriptOf }, { printedText }] = await Promise.all([
        import('./copyMarkdown.ts'),
        import('../../core/prediction/text/printedText.ts'),
      ]);
      const title = action.kind === 'command' ? action.script : (run.origin?.title ?? 'an edit');
      const printed = printedText(prediction);
      return what === 'markdown' ? markdownOf(prediction, title, printed) : transcriptOf(title, printed);
    }
    case 'json': {
      const { toJson } = await import('../../core/prediction/json.ts');
      const json = toJson(prediction, String(run.number));
      const seen = { observed: { differs, ...(exitCode === undefined ? {} : { exitCode }) } };
      return `${JSON.stringify(observed?.state === 'ended' ? { ...json, ...seen } : json, null, 2)}\n`;
    }
    case 'summary': {
      // The words of the command line, so that a prediction reads the same wherever it is pasted.
      const [{ renderPrediction }, { createPainter }] = await Promise.all([
        import('../../core/prediction/text/renderPrediction.ts'),
        import('../../core/prediction/text/painter.ts'),
      ]);
      const title = action.kind === 'command' ? `$ ${action.script}` : (run.origin?.title ?? 'An edit');
      const cwd = action.cwd ?? '/';
      const differed = differs.length === 0 ? '' : `DIFFERS  ${differs.map((one) => differing[one]).join(', ')}\n\n`;
      return `${title}\n\n${differed}${renderPrediction(prediction, createPainter(false), { all: false, cwd })}`;
    }
  }
}
