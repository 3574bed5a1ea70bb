import { readFileSync } from 'node:fs';
import type { Level } from '../../src/core/facts/level.ts';
import { staticFacts } from '../../src/core/verdict/staticFacts.ts';
import { judge, worstLevel } from '../../src/core/verdict/verdict.ts';

/** One row of a file of votes: a command, and which projects' own tests call it what. */
interface VotedCommand {
  command: string;
  votes: { danger?: string[]; safe?: string[]; notflagged?: string[]; notproven?: string[] };
}

/** How verdicts and votes agree. The first two lists break the rule that the project is measured by. */
export interface VoteReport {
  dangerTwice: { count: number; ratedSafe: string[] };
  safeTwice: { count: number; ratedDanger: string[] };
  /** One project calls it danger, none safe. */
  dangerOnce: { count: number; ratedSafe: string[] };
}

/** Compares verdicts with votes. `rate` gives the level of a command; no command is ever run here. */
export function compareVotes(rows: readonly VotedCommand[], rate: (command: string) => Level): VoteReport {
  const report: VoteReport = {
    dangerTwice: { count: 0, ratedSafe: [] },
    safeTwice: { count: 0, ratedDanger: [] },
    dangerOnce: { count: 0, ratedSafe: [] },
  };
  for (const { command, votes } of rows) {
    const danger = votes.danger?.length ?? 0;
    const safe = votes.safe?.length ?? 0;
    if (safe >= 2 && danger === 0) {
      report.safeTwice.count++;
      if (rate(command) === 'danger') report.safeTwice.ratedDanger.push(command);
    } else if (danger > 0 && safe === 0) {
      const list = danger >= 2 ? report.dangerTwice : report.dangerOnce;
      list.count++;
      if (rate(command) === 'safe') list.ratedSafe.push(command);
    }
  }
  return report;
}

/** The level of a command from its text alone, in a project of an ordinary user. */
export function rateText(command: string): Level {
  const cwd = '/home/me/project';
  const env = { PATH: '/usr/bin:/bin', HOME: '/home/me', USER: 'me', SHELL: '/bin/bash' };
  const action = { kind: 'command' as const, script: command, shell: 'bash' as const, cwd };
  return worstLevel(judge(staticFacts({ action, workspaceFolders: [cwd], home: '/home/me', userId: 1000, env })));
}

// Run as a program: node verdictVotes.mjs commands.jsonl
const file = process.argv[2];
if (file?.endsWith('.jsonl')) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const report = compareVotes(
    lines.map((line) => JSON.parse(line) as VotedCommand),
    rateText,
  );
  console.log(JSON.stringify(report, undefined, 2));
}
