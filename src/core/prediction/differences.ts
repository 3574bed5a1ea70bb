import { compareOutput, type ObservedOutput } from './compareOutput.ts';
import type { Prediction } from './prediction.ts';

/** What of a real run can differ from its prediction. */
export type Difference = 'exitCode' | 'output' | 'files';

/** What was seen of a real run; what is absent could not be observed. */
export interface ObservedRun {
  exitCode?: number | undefined;
  output?: ObservedOutput | undefined;
  files?: readonly { agrees: boolean }[] | undefined;
}

type Compared = Pick<Prediction, 'action' | 'exitCode' | 'output' | 'files'>;

/** Whether a real run of a command came out as predicted, and nothing of it went unobserved. */
export function agreesInAll(prediction: Compared, observed: ObservedRun): boolean {
  const { exitCode, output, files } = observed;
  const isObserved =
    exitCode !== undefined && output !== undefined && (prediction.files.length === 0 || !!files?.length);
  const isKnown = prediction.exitCode !== undefined && prediction.output.every(({ basis }) => basis !== 'unknown');
  return isObserved && isKnown && differences(prediction, observed).length === 0;
}

/**
 * Says what of a real run is not as predicted. What was not observed, not predicted, or marked volatile by the prediction
 * itself does not count.
 */
export function differences(prediction: Compared, observed: ObservedRun): Difference[] {
  const { exitCode, output, files } = observed;
  const found: Difference[] = [];
  const isCommand = prediction.action.kind === 'command';
  if (exitCode !== undefined && prediction.exitCode !== undefined && exitCode !== prediction.exitCode) {
    found.push('exitCode');
  }
  if (isCommand && output && compareOutput(prediction.output, output).result === 'differs') found.push('output');
  if (files?.some((file) => !file.agrees)) found.push('files');
  return found;
}
