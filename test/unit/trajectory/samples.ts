import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { checkTrajectory, readTrajectory, trajectoryText } from '../../../src/core/trajectory/file/trajectoryFile.ts';
import { type ImportedTrajectory, importTrajectory } from '../../../src/core/trajectory/importTrajectory.ts';
import type { TrajectoryStep } from '../../../src/core/trajectory/step/step.ts';

export const folder = path.join(process.cwd(), 'test/fixtures/trajectories');
export const fixture = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');

export async function imported(text: string, fileName = 'file.json'): Promise<ImportedTrajectory> {
  const read = await importTrajectory(text, { fileName });
  assert.ok(!('failure' in read), JSON.stringify(read));
  // Whatever is imported is a file of ours without a mistake.
  assert.deepEqual(checkTrajectory(readTrajectory(trajectoryText(read.steps))), []);
  return read;
}

export const commandOf = ({ action }: TrajectoryStep) => {
  assert.ok(action.kind === 'turn');
  if (action.turn.kind === 'keystrokes') return action.turn.keystrokes.map(({ keystrokes }) => keystrokes).join('');
  return action.turn.kind === 'tool' ? action.turn.name : action.turn.text;
};
export const outputOf = ({ observation }: TrajectoryStep) =>
  observation?.facts?.output.map(({ text, stream }) => `${stream === 'stderr' ? '!' : ''}${text}`).join('') ?? '';
