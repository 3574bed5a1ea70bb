import { attemptSuite } from './attemptSuite.ts';
import { gitAttempts } from './cases/git.ts';
import { exhaustionAttempts, kernelAttempts, memoryAttempts } from './cases/kernel.ts';
import { libraryAttempts } from './cases/libraries.ts';
import { programAttempts } from './cases/programs.ts';
import { rootAttempts } from './cases/root.ts';
import { shellAttempts } from './cases/shell.ts';

// Every attempt to get out, by everybody, in both modes: directly against the launcher, through its frames.
const attempts = [
  ...programAttempts,
  ...libraryAttempts,
  ...gitAttempts,
  ...shellAttempts,
  ...kernelAttempts,
  ...rootAttempts,
  ...memoryAttempts,
  ...exhaustionAttempts,
];

attemptSuite(attempts, {
  atLeast: 80,
  modes: ['copy', 'look'],
  title: (identity, mode) => `confined as ${identity}, ${mode} mode`,
});
