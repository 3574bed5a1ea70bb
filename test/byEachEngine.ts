import { describe } from 'node:test';
import { throwAwayForetell } from './throwAwayForetell.ts';

export type Made = ReturnType<typeof throwAwayForetell>;

/**
 * The same tests once by overlays and once by supervision, each with an engine and a folder of its own. How an engine makes
 * copies is decided when it is made. `name`: what the folders are called.
 */
export function byEachEngine(name: string, define: (made: Made, engine: 'overlays' | 'supervision') => void): void {
  for (const engine of ['overlays', 'supervision'] as const)
    describe(`by ${engine}`, () => define(makeForetell(name, engine), engine));
}

/** An engine that makes copies in this way, and in no other. */
export function makeForetell(name: string, engine: 'overlays' | 'supervision'): Made {
  const original = process.env['FORETELL_ENGINE'];
  process.env['FORETELL_ENGINE'] = engine;
  try {
    return throwAwayForetell(name, { spareLaunchers: 0 });
  } finally {
    if (original === undefined) delete process.env['FORETELL_ENGINE'];
    else process.env['FORETELL_ENGINE'] = original;
  }
}
