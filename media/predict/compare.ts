import { compareOutput } from '../../src/core/prediction/compareOutput.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import type { Observed } from '../../src/protocol/panelProtocol.ts';
import { allOf, counted } from '../shared/format.ts';

/** One thing that was predicted, beside what was observed. */
export interface Comparison {
  what: 'Output' | 'Exit code' | 'Files';
  /** `apart`: differs only where the prediction itself said that it varies. `unknown`: could not be observed. */
  result: 'agrees' | 'differs' | 'apart' | 'unknown';
  sentence: string;
  /** The first lines that differ. */
  predicted?: string;
  observed?: string;
}

/** Compares a prediction with what its real run did. Empty while it still runs. */
export function compare(prediction: Prediction, observed: Observed): Comparison[] {
  if (observed.state === 'running') return [];
  // Nothing was run, so there is neither output nor exit code.
  if (observed.isApplied) return [compareFiles(observed)];
  return [compareOutputs(prediction, observed), compareExit(prediction, observed), compareFiles(observed)];
}

function compareExit(prediction: Prediction, observed: Observed): Comparison {
  const what = 'Exit code';
  if (observed.exitCode === undefined) return { what, result: 'unknown', sentence: 'The shell did not report it.' };
  if (prediction.exitCode === undefined) {
    return { what, result: 'unknown', sentence: `Not predicted; it was ${observed.exitCode}.` };
  }
  const agrees = prediction.exitCode === observed.exitCode;
  return {
    what,
    result: agrees ? 'agrees' : 'differs',
    sentence: agrees
      ? `${observed.exitCode}, as predicted`
      : `predicted ${prediction.exitCode}, observed ${observed.exitCode}`,
  };
}

function compareFiles(observed: Observed): Comparison {
  const what = 'Files';
  if (!observed.files) return { what, result: 'unknown', sentence: 'They were not compared.' };
  const wrong = observed.files.filter((file) => !file.agrees).length;
  if (wrong === 0) {
    const count = observed.files.length;
    return {
      what,
      result: 'agrees',
      sentence: count === 0 ? 'none changed, as predicted' : `${allOf(count, 'path')} as predicted`,
    };
  }
  return {
    what,
    result: 'differs',
    sentence:
      observed.files.length === 1
        ? 'the one path is not as predicted'
        : `${wrong} of ${counted(observed.files.length, 'path')} ${wrong === 1 ? 'is' : 'are'} not as predicted`,
  };
}

function compareOutputs(prediction: Prediction, observed: Observed): Comparison {
  const what = 'Output';
  if (!observed.output) return { what, result: 'unknown', sentence: 'The terminal did not report it.' };
  const compared = compareOutput(prediction.output, observed.output);
  if (compared.result === 'differs') {
    const { stream, line } = compared;
    return {
      what,
      result: 'differs',
      sentence: `${stream === undefined ? 'line' : `${stream} line`} ${line} is not as predicted`,
      predicted: compared.predicted ?? '(no such line)',
      observed: compared.observed ?? '(no such line)',
    };
  }
  return compared.result === 'apart'
    ? { what, result: 'apart', sentence: 'as predicted, apart from what was marked volatile' }
    : {
        what,
        result: 'agrees',
        sentence: `${observed.output.some(({ text }) => text) ? 'every line' : 'nothing printed,'} as predicted`,
      };
}
