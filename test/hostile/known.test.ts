import { attemptSuite } from './attemptSuite.ts';
import { knownAttempts } from './cases/known.ts';

// More than 300 hostile snippets of Python, and more of Perl and Node, without consent. A run takes a share of them.
attemptSuite(knownAttempts, {
  atLeast: 450,
  share: Number(process.env['FORETELL_SHARE'] ?? 16) === 1 ? 1 : 12,
  modes: ['copy'],
  title: (identity) => `let in for the form of its words as ${identity}`,
});
