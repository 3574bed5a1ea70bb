import { type Effect, type EffectFact, effectKinds, type FoundEffect, type LaterRunner } from '../facts/effect.ts';
import { durationText } from './durationText.ts';
import { gitFactText } from './gitFactText.ts';
import { packagePlanText } from './packagePlanText.ts';
import { programText } from './programText.ts';

/** An effect with its words beside it. */
export function withEffectText(found: FoundEffect): Effect {
  const { basis, git, fact } = found;
  if (git !== undefined) return { effect: 'git', detail: gitFactText(git), basis, git };
  return { effect: effectKinds[fact.kind], detail: effectText(fact), basis, fact };
}

const laterRunners: Readonly<Record<LaterRunner, string>> = {
  git: 'git runs later',
  gitHooks: 'hooks of git run later',
  packages: 'a package manager runs later',
  build: 'a build tool runs later',
  tools: 'tools of the project run later',
  editor: 'an editor runs later',
  shell: 'a shell or another program in this folder runs later',
  otherMachines: 'other machines run later',
};

/** Who it is, where one program of the command is meant. */
function subject({ argv, label }: Extract<EffectFact, { kind: 'neverEnds' | 'goesOn' }>): string {
  return argv === undefined ? '' : `${programText({ argv, label })} `;
}

/** A mark besides files as one clause, for example `would connect to tcp 1.2.3.4:80`. */
function effectText(fact: EffectFact): string {
  switch (fact.kind) {
    case 'connects':
      return `would connect to ${fact.to}`;
    case 'listens':
      return `would listen on ${fact.on}`;
    case 'signals': {
      const to = fact.pid === undefined ? fact.command : `process ${fact.pid} (${fact.command})`;
      return `sends ${fact.signal} to ${to}`;
    }
    case 'asksSystem':
      return `asks the system for ${fact.what}, which a rehearsal refuses`;
    case 'changesSystem':
      return `would change ${fact.what}`;
    case 'timesOnly':
      return `changes only the time of ${pathsText(fact)}`;
    case 'attributes':
      return `changes access lists or attributes of ${pathsText(fact)}`;
    case 'writesDevice':
      return `would write to ${fact.path}`;
    case 'changesDeviceNode':
      return `would change the mode or the owner of ${fact.path}`;
    case 'writesKernel':
      return `would write to ${fact.path}, which belongs to the kernel`;
    case 'removesDevice':
      return `would remove or replace ${fact.path}`;
    case 'waits':
      return `waits ${durationText(fact.durationMs)} (skipped here)`;
    case 'neverEnds':
      return `${subject(fact)}does not end by itself`;
    case 'goesOn':
      return `${subject(fact)}was still running after ${durationText(fact.afterMs)}, and waited`;
    case 'packagePlan':
      return `\`${programText(fact.plan)}\` ${packagePlanText(fact.plan)}`;
    case 'runsLater':
      return `changes what ${laterRunners[fact.by]} from ${pathsText(fact)}`;
    case 'databaseParted':
      return partedText(fact);
    case 'databaseMixed':
      return `writes ${fact.database} beside the ${fact.from} ${fact.beside} of what stood there, which whoever opens it writes over it; move that away first`;
    case 'leavesRunning':
      return `leaves running: ${programText(fact)}`;
  }
}

function partedText({ database, from, beside, to, isCopy }: Extract<EffectFact, { kind: 'databaseParted' }>): string {
  const holds = from === 'log' ? 'where its last changes stand' : 'which takes back a change left half done';
  const ending = beside.slice(database.length);
  return `${isCopy ? 'copies' : 'moves'} ${database} without its ${from} ${beside}, ${holds}; it belongs at ${to}${ending}`;
}

function pathsText({ count, first }: { count: number; first: string }): string {
  return count === 1 ? first : `${count} files, such as ${first}`;
}
