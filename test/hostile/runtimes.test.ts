import { attemptSuite } from './attemptSuite.ts';
import { runtimeAttempts } from './cases/runtimes.ts';

// More than 300 hostile programs of every runtime, with the gate open. A run takes a share of them (FORETELL_SHARE=1: all).
attemptSuite(runtimeAttempts, {
  atLeast: 300,
  share: Number(process.env['FORETELL_SHARE'] ?? 16) === 1 ? 1 : 6,
  modes: ['copy'],
  title: (identity) => `with the gate open as ${identity}`,
});
