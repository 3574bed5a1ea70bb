import { outputPaths } from '../programs/outputs.ts';
import type { View } from '../view/view.ts';
import type { Prediction } from './prediction.ts';

const mostOutputs = 32;

/** Files that programs which nobody ran would write, by their arguments, and which are there: absolute paths. */
export async function standingOutputs({ programs }: Prediction, view: View): Promise<string[]> {
  const named = programs
    .filter(({ basis }) => basis === 'assumed' || basis === 'imagined')
    .flatMap(({ argv, cwd }) => outputPaths(argv, cwd));
  const standing: string[] = [];
  for (const path of [...new Set(named)].slice(0, mostOutputs)) {
    // An empty file has nothing to lose.
    if ((await view.read(path, 'after', 1))?.length) standing.push(path);
  }
  return standing;
}
