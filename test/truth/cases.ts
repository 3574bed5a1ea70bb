import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** One command of the suite, or several that follow each other in one session. */
export interface TruthCase {
  /** `<kind>:<line>`. */
  id: string;
  kind: string;
  /** One step, or more in a session: each is typed after the one before has ended. */
  steps: string[];
  /** Only this identity runs it. */
  only?: 'user' | 'root';
}

/**
 * Reads the cases of one kind: one command a line.
 *
 * - an empty line, or one that begins with `# `, says nothing
 * - a line `<<<` begins a command of several lines and `>>>` ends it; `===` within begins the next step of a session
 * - a line `#: user` or `#: root` says that only this identity runs the next command
 */
export function parseCases(kind: string, text: string): TruthCase[] {
  const cases: TruthCase[] = [];
  let only: TruthCase['only'];
  let block: string[][] | undefined;
  let start = 0;
  const add = (line: number, steps: string[]) => {
    cases.push({ id: `${kind}:${line}`, kind, steps, ...(only ? { only } : {}) });
    only = undefined;
  };
  for (const [index, line] of text.split('\n').entries()) {
    if (block) {
      if (line === '>>>') {
        add(
          start,
          block.map((lines) => lines.join('\n')),
        );
        block = undefined;
      } else if (line === '===') block.push([]);
      else block.at(-1)?.push(line);
    } else if (line === '<<<') {
      block = [[]];
      start = index + 1;
    } else if (line === '#: user' || line === '#: root') only = line.slice(3) as 'user' | 'root';
    else if (line !== '' && line !== '#' && !line.startsWith('# ')) add(index + 1, [line]);
  }
  if (block) throw new Error(`${kind}.txt:${start}: the block has no end`);
  return cases;
}

/** Reads every `*.txt` of a folder, sorted by kind. */
export function readCases(folder: string): TruthCase[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => parseCases(basename(name, '.txt'), readFileSync(join(folder, name), 'utf8')));
}
