import type {
  GitPart,
  NamedRule,
  PolicyDecision,
  PolicyEffect,
  PolicyOrigin,
  PolicyProblem,
  UnknownPart,
  WayBack,
} from '../facts/policyFact.ts';
import { quoteCall } from '../shell/quoteWord.ts';
import { inSentence } from '../view/quantity.ts';

/** Of more effects the rest are counted. */
const toldEffects = 5;

/** What a decision says, as one or two sentences. */
export function decisionText(decision: PolicyDecision): string {
  switch (decision.kind) {
    case 'allow':
      return `${ruleText(decision.rule)} allows it: ${effectsText(decision.effects) || 'it only reads'}.`;
    case 'deny':
      return `${ruleText(decision.rule)} denies it${because(decision.effects)}.`;
    case 'ask':
      return `${ruleText(decision.rule)} leaves it to the user${because(decision.effects)}.`;
    case 'unreadable':
      return `A policy does not count, so everything that changes something is left to the user: ${problemText(decision.problem)}`;
    case 'none': {
      const { nearest } = decision;
      if (!nearest) return 'No rule of a policy is about it.';
      return `No rule allows it. ${ruleText(nearest.rule)} comes nearest, but it has no room for this: ${effectsText(nearest.broken)}.`;
    }
  }
}

function because(effects: readonly PolicyEffect[]): string {
  return effects.length > 0 ? `: ${effectsText(effects)}` : '';
}

const origins: Readonly<Record<NamedRule['origin'], string>> = {
  user: 'your policy',
  team: 'the policy of this machine',
  workspace: 'the policy of the workspace',
  signed: 'the policy of the workspace, as you signed it',
  preset: 'the shipped policy',
};

/** Whose policy it is, as a phrase. */
export function originText(origin: PolicyOrigin): string {
  return origins[origin];
}

/** A rule and where it stands, as a phrase. */
function ruleText({ origin, file, name }: NamedRule): string {
  return `The rule “${inSentence(name)}” of ${origins[origin]} (${inSentence(file)})`;
}

/** Some effects in a row; empty: none. */
export function effectsText(effects: readonly PolicyEffect[]): string {
  const told = effects.slice(0, toldEffects).map(effectText);
  const more = effects.length - told.length;
  return more > 0 ? `${told.join('; ')}; and ${more} more` : told.join('; ');
}

/** One effect, as a clause without a subject. */
function effectText(effect: PolicyEffect): string {
  switch (effect.kind) {
    case 'writes':
      return `writes ${inSentence(effect.path)}`;
    case 'deletes':
      return `deletes ${inSentence(effect.path)}`;
    case 'permissions':
      return `changes who may use ${inSentence(effect.path)}`;
    case 'loses':
      return effect.way === 'none'
        ? `loses ${inSentence(effect.what)} for good`
        : `takes away ${inSentence(effect.what)}, which comes back from ${ways[effect.way]}`;
    case 'connects':
      return `connects to ${inSentence(effect.to)}`;
    case 'listens':
      return `listens on ${inSentence(effect.on)}`;
    case 'letIn':
      return `runs ${inSentence(quoteCall(effect.argv))} by your consent`;
    case 'leavesRunning':
      return `leaves ${inSentence(quoteCall(effect.argv))} running`;
    case 'git':
      return `${gitParts[effect.part]}${effect.isElsewhere ? ' of another repository' : ''}`;
    case 'exits':
      return effect.code === 0 ? 'succeeds' : `ends with exit code ${effect.code}`;
    case 'marks':
      return `has an effect of the kind “${effect.effect}”${marked(effect)}`;
    case 'remembered':
      return 'is answered from memory';
    case 'judged':
      return `is ${effect.level} for a reason (${effect.risk}) that no rule can allow`;
    case 'unknown':
      return unknownText(effect.part);
  }
}

function marked({ path, more }: { path?: string; more?: number }): string {
  if (path === undefined) return '';
  return ` (${inSentence(path)}${more === undefined ? '' : ` and ${more} more`})`;
}

const ways: Readonly<Record<Exclude<WayBack, 'none'>, string>> = {
  own: 'the agent, who wrote it in this session',
  commit: 'a commit',
  index: 'the index',
  gitName: 'another name of git',
  objectDatabase: 'git’s object database until the next gc',
  storedByAction: 'what is stored in git by it',
  reflog: 'the reflog until it expires',
  remote: 'a remote',
  tool: 'a tool that makes it again',
  linkTarget: 'its target',
  localHistory: 'the editor’s local history',
  editor: 'an open editor',
  file: 'another file',
  otherNames: 'another name of the same file',
};

const gitParts: Readonly<Record<GitPart, string>> = {
  upkeep: 'refreshes git’s own files',
  index: 'changes the index',
  commits: 'makes commits, branches or tags',
  refs: 'moves, renames or deletes branches or tags',
  head: 'checks out something else',
  stash: 'changes the stash',
  unfinished: 'begins or ends a merge or rebase',
  remote: 'changes what is known of a remote',
  worktrees: 'changes worktrees',
  settings: 'changes settings of git',
  hooks: 'changes hooks of git',
  objects: 'packs objects of git',
  objectsRemoved: 'removes objects of git for good',
  repository: 'makes or deletes a repository',
  records: 'writes records of git by hand',
};

function unknownText(part: UnknownPart): string {
  switch (part.of) {
    case 'ending':
      return 'cannot be known to its end';
    case 'program':
      return `what ${inSentence(quoteCall(part.argv))} does is not known`;
    case 'path':
      return `what becomes of ${inSentence(part.path)} is not certain`;
    case 'exit':
      return 'how it ends is not known';
    case 'effect':
      return `an effect of the kind “${part.effect}” is not certain`;
    case 'model':
      return 'rests on what a model says';
    case 'network':
      return 'may do something else with a network';
    case 'inputs':
      return 'what it reads cannot be compared just before it runs';
    case 'missing':
      return `${inSentence(part.name)} is no program here, and may be one where the call is made`;
    case 'changed':
      return `${inSentence(part.path)} is another one by now`;
  }
}

/** Why a policy does not count: one sentence with a next step. */
export function problemText(problem: PolicyProblem): string {
  const name = inSentence(problem.file);
  switch (problem.kind) {
    case 'notJson':
      return `${name} is not JSON from line ${problem.line} on; mend it.`;
    case 'notPolicy':
      return problem.at === ''
        ? `${name} is no policy: it needs "version": 1 and "rules"; see foretell policy --help.`
        : `${name} is no policy at ${inSentence(problem.at)}; see foretell policy --help.`;
    case 'otherVersion':
      return `${name} is of version ${problem.version}, which this Foretell does not know; install a newer one.`;
    case 'notOwn':
      return `${name} is no regular file that only its owner can write (mode 0644 or stricter, no symbolic link); make it one.`;
    case 'tooLarge':
      return `${name} is larger than 1 MiB; make it smaller.`;
    case 'notRead':
      return `${name} cannot be read (${problem.code}); make it readable, or remove it.`;
  }
}
