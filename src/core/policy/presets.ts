import type { Bounds, Policy, PolicyRule, Trigger } from './policy.ts';

/** The policies that are shipped. */
export const presetNames = ['careful', 'everyday', 'unattended'] as const;
/** The name of a shipped policy. */
export type PresetName = (typeof presetNames)[number];

/** Whether a policy of this name is shipped. */
export function isPreset(name: string): name is PresetName {
  return presetNames.some((one) => one === name);
}

const allow = (name: string, only: Bounds): PolicyRule => ({ name, answer: 'allow', only });
const ask = (name: string, trigger: Trigger): PolicyRule => ({ name, answer: 'ask', if: trigger });
const deny = (name: string, trigger: Trigger): PolicyRule => ({ name, answer: 'deny', if: trigger });

const reads = allow('Only reads', { git: ['upkeep'], marks: ['waits'] });

/** Work whose results git, the agent or a tool can bring back. */
const work: Bounds = {
  writes: ['**'],
  deletes: ['**'],
  permissions: ['**'],
  loses: ['own', 'commit', 'index', 'gitName', 'storedByAction', 'remote', 'tool', 'linkTarget', 'file', 'otherNames'],
  git: ['upkeep', 'index', 'commits', 'head', 'stash', 'unfinished', 'objects'],
  marks: ['waits', 'timestamp'],
};

const decidesLater: Trigger = { git: ['settings', 'hooks', 'records', 'objectsRemoved', 'repository'] };

/** Their rules, by name. */
export const presets: Readonly<Record<PresetName, Pick<Policy, 'rules'>>> = {
  careful: {
    rules: [
      reads,
      ask('What git runs and keeps', decidesLater),
      ask('Loses for good', { loses: ['none'] }),
      ask('Changes files elsewhere', { outside: ['**'] }),
    ],
  },
  everyday: {
    rules: [
      reads,
      allow('Work in the project that can be brought back', work),
      ask('What git runs and keeps', decidesLater),
    ],
  },
  unattended: {
    rules: [
      reads,
      allow('Work in the project that can be brought back', {
        ...work,
        programs: 'consented',
        certainty: ['rehearsed', 'computed', 'remembered'],
      }),
      deny('Danger', { level: ['danger'] }),
      deny('Loses for good', { loses: ['none'] }),
      deny('Changes files elsewhere', { outside: ['**', '/tmp/**'] }),
      deny('What git runs and keeps', decidesLater),
      deny('Commits that lose their name', { git: ['refs'] }),
      deny('Cannot be known', { unknown: true }),
    ],
  },
};
