import { factsOfObservation } from '../../worlds/language/imagine/imagineTurn.ts';
import { domains } from '../../worlds/language/prompt/turns/turn.ts';
import { parseReply } from '../../worlds/language/reply/parseReply.ts';
import type { BenchRow } from '../run/benchRow.ts';
import { type ComparedFacts, factualScore } from './factualScore.ts';

/** How much of a prediction is true, without a judge. Shares are 0–1; what cannot be said of the row is absent. */
export interface RowFacts {
  /** See `factualScore`. */
  score: number;
  /** The observation is the real one, character by character, but for blanks around it. */
  exact: boolean;
  /** Standard output is that of the real run, apart from lines that vary; of shell tools only. */
  exactStdout?: boolean;
  /** The exit code is the real one; where the row tells it. */
  exitCode?: boolean;
  /** Which files were changed, and how, is the same; where one of the observations tells it. */
  effects?: boolean;
  /** Share of the real lines that were said. */
  recall: number;
}

/** Compares a reply with what really happened. `undefined`: the row does not tell what happened. */
export function factualRow(row: BenchRow, gen: string): RowFacts | undefined {
  if (row.truth === undefined) return undefined;
  const predictedText = gen === '' ? '' : parseReply(gen).observation;
  const said = factsIn(row, predictedText);
  const truth = factsIn(row, row.truth);
  const isShell = truth.exitCode !== undefined;
  // Where the real text is silent, the row itself may know.
  if (said.exitCode !== undefined) truth.exitCode ??= row.facts?.exitCode;
  const score = factualScore(said, truth);
  const { turn } = row.action;
  const isWriting = turn.kind === 'tool' && writingTools.has(turn.name);
  return {
    score: gen === '' ? 0 : score.score,
    exact: gen !== '' && predictedText === row.truth,
    ...(isShell ? { exactStdout: gen !== '' && sameStdout(said, truth) } : {}),
    ...(truth.exitCode === undefined ? {} : { exitCode: score.exitCode.same }),
    ...(isWriting ? { effects: gen !== '' && changeIn(predictedText) === changeIn(row.truth) } : {}),
    recall: gen === '' && score.lines.truth > 0 ? 0 : score.lines.recall,
  };
}

function factsIn(row: BenchRow, observation: string): ComparedFacts {
  const domain = domains.find((name) => name === row.domain) ?? 'mcp';
  const facts: ComparedFacts = { output: [], files: [], effects: [] };
  for (const event of factsOfObservation(row.action, domain, observation, 'qwen')) {
    if (event.type === 'exit') facts.exitCode = event.code;
    else facts.output.push(event);
  }
  return facts;
}

function sameStdout(said: ComparedFacts, truth: ComparedFacts): boolean {
  const only = (facts: ComparedFacts): ComparedFacts => ({
    output: facts.output.filter(({ stream }) => stream === 'stdout'),
    files: [],
    effects: [],
  });
  return factualScore(only(said), only(truth)).lines.exact;
}

/** Tools that change files, in both dialects. */
const writingTools = new Set(['write_file', 'edit', 'replace', 'Write', 'Edit', 'MultiEdit']);

/** What their replies say that they did. */
const claims: readonly { pattern: RegExp; change: string }[] = [
  { pattern: /Successfully created and wrote to new file: (.+?)\.?$/m, change: 'created' },
  { pattern: /File created successfully at: (.+?)$/m, change: 'created' },
  { pattern: /Successfully overwrote file: (.+?)\.?$/m, change: 'modified' },
  { pattern: /Successfully modified file: (.+?) \(\d+ replacements\)/m, change: 'modified' },
  { pattern: /^The file (.+?) has been updated/m, change: 'modified' },
];

/** The change that a reply claims; empty: none, it failed. */
function changeIn(observation: string): string {
  for (const { pattern, change } of claims) {
    const path = pattern.exec(observation)?.[1];
    if (path !== undefined) return `${change} ${path}`;
  }
  return '';
}
