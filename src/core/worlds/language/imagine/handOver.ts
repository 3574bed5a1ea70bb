import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { ProgramOutcome, StoppedProgram } from '../../../prediction/rehearsal.ts';
import type { Grounds } from '../prompt/turns/trajectory.ts';
import { createAsker } from './ask.ts';
import { imagineProgram } from './imagineProgram.ts';
import { createTold } from './told.ts';

/**
 * Answers for programs that may not run by asking a language world model: one question tells what a program prints, how it ends and
 * what it changes. What the model cannot know, and what is no answer, is assumed, and says so.
 *
 * A program is asked about with what was said of those that ended before it; programs that wait at the same time are asked
 * about at the same time.
 */
export function createHandOver(grounds: Grounds): (program: StoppedProgram) => Promise<ProgramOutcome> {
  let tell: (event: FactEvent) => void = () => {};
  const asker = createAsker(grounds.language, (event) => tell(event));
  const told = createTold(grounds);
  return (program) => {
    tell = program.tell;
    return imagineProgram({ grounds, asker, told, program });
  };
}
