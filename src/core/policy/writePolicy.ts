import { applyEdits, modify } from 'jsonc-parser';
import type { PolicyEffect } from '../facts/policyFact.ts';
import type { Bounds, Policy, PolicyRule } from './policy.ts';
import type { PresetName } from './presets.ts';

/** A new policy file. */
export function newPolicyText(preset?: PresetName): string {
  const policy: Policy = { version: 1, ...(preset ? { extends: [preset] } : {}), rules: [] };
  return `${JSON.stringify(policy, undefined, 2)}\n`;
}

/**
 * A rule that allows what has these effects and no more: paths below the project by their folder, others by their name.
 * `blocked`: effects that no rule can allow.
 */
export function ruleFor(
  effects: readonly PolicyEffect[],
  { name, root }: { name: string; root: string | undefined },
): { rule: PolicyRule; blocked: PolicyEffect[] } {
  const blocked: PolicyEffect[] = [];
  const only: Bounds = {};
  const add = <K extends 'writes' | 'deletes' | 'permissions' | 'loses' | 'git' | 'marks'>(
    key: K,
    value: NonNullable<Bounds[K]>[number],
  ) => {
    const values: unknown[] = only[key] ?? [];
    if (!values.includes(value)) Object.assign(only, { [key]: [...values, value] });
  };
  for (const effect of effects) {
    switch (effect.kind) {
      case 'writes':
      case 'deletes':
      case 'permissions':
        add(effect.kind, patternFor(effect, root));
        break;
      case 'loses':
        add('loses', effect.way);
        break;
      case 'git':
        if (effect.isElsewhere) blocked.push(effect);
        else add('git', effect.part);
        break;
      case 'connects':
        if (effect.host === undefined) blocked.push(effect);
        else if (effect.reach === 'loopback') only.network ??= 'loopback';
        else only.network = [...(Array.isArray(only.network) ? only.network : []), effect.host];
        break;
      case 'letIn':
        only.programs = 'consented';
        break;
      case 'leavesRunning':
        only.leavesRunning = true;
        break;
      case 'remembered':
        only.certainty = ['rehearsed', 'computed', 'remembered'];
        break;
      case 'exits':
        if (effect.code === 0) only.exit = 'success';
        break;
      case 'marks':
        if (isMark(effect.effect)) add('marks', effect.effect);
        else blocked.push(effect);
        break;
      case 'listens':
      case 'judged':
      case 'unknown':
        blocked.push(effect);
    }
  }
  const folders = root === undefined ? {} : { in: [escaped(root)] };
  return { rule: { name, answer: 'allow', ...folders, only }, blocked };
}

type Mark = NonNullable<Bounds['marks']>[number];

function isMark(effect: string): effect is Mark {
  return effect !== 'git' && effect !== 'network';
}

const escaped = (file: string) => file.replace(/[\\*?[\]]/g, '\\$&');

/** Below the project: everything in the first folder of the path; else exactly this path. */
function patternFor({ path: file, isFolder }: { path: string; isFolder?: true }, root: string | undefined): string {
  if (root === undefined || !file.startsWith(`${root}/`)) return escaped(file);
  const [first = '', ...rest] = file.slice(root.length + 1).split('/');
  return rest.length > 0 || isFolder ? `${escaped(first)}/**` : escaped(first);
}

/** The text of a policy file with one more rule; what else stands there stays as it is, comments too. */
export function withRule(text: string, rule: PolicyRule): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  return applyEdits(text, modify(text, ['rules', -1], rule, { formattingOptions, isArrayInsertion: true }));
}
