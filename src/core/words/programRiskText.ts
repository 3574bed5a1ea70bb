import type { CodeDeedKind } from '../facts/codeDeed.ts';
import type { RiskFactOf } from '../facts/risk.ts';
import { serverText } from './assumptionText.ts';
import { clockText } from './clockText.ts';
import { programText } from './programText.ts';

const outcomes = {
  failed: ' (it failed here)',
  nothingLost: ' (nothing would be lost now)',
  notStarted: ' (it was not started here)',
  notInstalled: ' (it is not installed here)',
  later: ' (only later, if at all)',
  nobodySignalled: ' (no process outside the command is sent a signal here)',
} as const;

const places = {
  machine: ' (on another machine)',
  container: ' (in a container)',
  root: ' (below another root)',
} as const;

const deeds: Readonly<Record<CodeDeedKind, string>> = {
  deletes: 'deletes files or directories',
  'deletes-temporary': 'deletes temporary files, or such as it wrote itself',
  runs: 'runs other programs, which are only known when it runs',
  evaluates: 'runs text that is only known when it runs',
  hidden: 'runs or unpacks code that is hidden or fetched',
  connects: 'talks to the network',
  'reads-secrets': 'reads keys, passwords or the environment',
  'sends-secrets': 'reads keys or the environment and talks to the network',
  'gives-shell': 'connects to others and starts a shell, which they may then use',
  writes: 'writes files',
  changes: 'changes files or processes',
  'changes-data': 'deletes or changes data of a database',
  endless: 'may run without end',
  unread: 'could not be read to its end',
  'too-deep': 'is too long or too deep to be read',
};

function shortScript(script: string): string {
  const line = script.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** The words of a call, which are quoted already. */
function shortHead(head: string): string {
  return head.length > 100 ? `${head.slice(0, 99)}…` : head;
}

/** What programs were asked to do, as a sentence. */
export function programRiskText(
  fact: RiskFactOf<
    | 'program'
    | 'forwardPush'
    | 'unknown'
    | 'unknownDestroys'
    | 'unknownRan'
    | 'unknownElsewhere'
    | 'answeredThen'
    | 'outOfPlace'
    | 'openProgram'
    | 'variableRuns'
    | 'pathOfOthers'
    | 'code'
  >,
): string {
  switch (fact.kind) {
    case 'program': {
      const network = fact.usesNetwork ? '; it talks to the network' : '';
      const place = fact.elsewhere === undefined ? '' : places[fact.elsewhere];
      const outcome = fact.outcome === undefined ? '' : outcomes[fact.outcome];
      return `\`${shortHead(fact.head)}\` ${fact.says}${network}${place}${outcome}.`;
    }
    case 'forwardPush':
      return `\`${shortHead(fact.head)}\` sends commits to the remote; as far as was fetched it takes none away.`;
    case 'unknown':
      return `\`${programText(fact)}\`${fact.wasStopped ? ' was not run, and' : ''} is not known to Foretell: it may do anything that you may.`;
    case 'unknownDestroys':
      return `\`${programText(fact)}\` is not known to Foretell, and its words ask to delete or stop something.`;
    case 'unknownRan':
      return `\`${programText(fact)}\` is not known to Foretell; what it did here is shown.`;
    case 'unknownElsewhere':
      return `\`${programText(fact)}\` is not known to Foretell; it was not started here, and may be another time.`;
    case 'answeredThen':
      return `What \`${programText(fact)}\` prints is what ${serverText(fact.to)} said at ${clockText(fact.at)}; it may say something else later.`;
    case 'outOfPlace':
      return `Runs ${fact.file}, a program of its own place that only has the name of a known one.`;
    case 'openProgram':
      return `Which program \`${programText(fact)}\` starts is only known when it runs.`;
    case 'variableRuns':
      return `Sets ${fact.name}, which decides what code other programs run.`;
    case 'pathOfOthers':
      return 'Puts programs of a place that others can write before those of the system.';
    case 'code': {
      const does = fact.script === undefined ? deeds[fact.deed] : `runs \`${shortScript(fact.script)}\``;
      return `The ${fact.language} code ${does}${fact.outcome === undefined ? '' : outcomes[fact.outcome]}.`;
    }
  }
}
