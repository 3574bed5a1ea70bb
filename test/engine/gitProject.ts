import assert from 'node:assert/strict';
import type { Loss } from '../../src/core/facts/loss.ts';
import { isWayBack } from '../../src/core/facts/recovery.ts';
import { analyseLoss } from '../../src/core/loss/analyseLoss.ts';
import { gitEffects } from '../../src/core/loss/git/gitEffects.ts';
import { gitFactText } from '../../src/core/words/gitFactText.ts';
import { withLossText } from '../../src/core/words/lossText.ts';
import { inCopy, type Pair, pairChanges, pairView, plainLooker, rehearse, run, throwAway } from './plainLooker.ts';

/** A small project with a remote, three branches, a stash and something in every state. */
export function project(more = ''): string {
  const base = throwAway();
  run(
    base,
    `set -e
git init -q --bare -b main origin.git
git init -q -b main project && cd project
git remote add origin ../origin.git
printf 'node_modules/\\n.env\\n' > .gitignore
seq 10 > a.txt; seq 20 > b.txt; git add -A; git commit -qm 'First'
git push -q -u origin main
seq 30 > c.txt; git add -A; git commit -qm 'Second'
seq 12 > a.txt; git commit -qam 'Third'
git checkout -q -b topic HEAD~1; seq 40 > t.txt; git add t.txt; git commit -qm 'On topic'; seq 8 > a.txt; git commit -qam 'Change a on topic'
git checkout -q main
${more}`,
  );
  return `${base}/project`;
}

export interface Outcome {
  pair: Pair;
  details: string[];
  commits: Loss[];
  files: Map<string, Loss>;
  looks: number;
}

export async function outcomeOf(real: string, script: string, folder = ''): Promise<Outcome> {
  const pair = rehearse(real, script, folder);
  const input = {
    files: pairChanges(pair),
    view: pairView(pair),
    looker: plainLooker(),
    inView: plainLooker((place) => inCopy(pair, place)),
    standsIn: [folder === '' ? real : `${real}/${folder}`],
    gitRan: /\bgit\b/.test(script),
    signal: new AbortController().signal,
  };
  const git = await gitEffects(input);
  const losses = await analyseLoss(input);
  return {
    pair,
    details: git.facts.map(gitFactText),
    commits: git.loss.map(withLossText),
    files: new Map(losses.map((loss) => [loss.path.slice(real.length + 1), withLossText(loss)])),
    looks: input.looker.looks.length + input.inView.looks.length,
  };
}

/** Does what the prediction says would bring it back, in the copy where the command has really run. */
export function bringBack(outcome: Outcome, loss: Loss | undefined): string {
  const command = loss !== undefined && isWayBack(loss.recovery) ? loss.recovery.command : undefined;
  assert.ok(command, `a command in “${loss?.recoverable}”`);
  return run(outcome.pair.copy, `${command} 2>&1`);
}

export function subjectsOf(outcome: Outcome, ref: string): string {
  return run(outcome.pair.copy, `git log --format=%s ${ref}`).trim().split('\n').join(', ');
}
