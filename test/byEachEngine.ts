import { after, before, describe } from 'node:test';

/** The same tests once by overlays and once by supervision. */
export function byEachEngine(define: () => void): void {
  for (const engine of ['overlays', 'supervision'])
    describe(`by ${engine}`, () => {
      const original = process.env['FORETELL_ENGINE'];
      before(() => {
        process.env['FORETELL_ENGINE'] = engine;
      });
      after(() => {
        if (original === undefined) delete process.env['FORETELL_ENGINE'];
        else process.env['FORETELL_ENGINE'] = original;
      });
      define();
    });
}
