import assert from 'node:assert/strict';
import type { HookAgentName } from '../../../src/core/hooks/hookCall.ts';

/**
 * What agents do with the answer of a hook that ended with 0, after their sources and documents. `asks`: as if nothing had been
 * said, the agent's own rules decide. Written apart from the writers, so that both have to agree.
 */
export type Taken = 'refused' | 'asks' | 'allowed';

type Value = Record<string, unknown>;
const onlyKeys = (value: Value, keys: readonly string[]) => Object.keys(value).every((key) => keys.includes(key));
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const objectOf = (text: string): Value => {
  const value: unknown = JSON.parse(text);
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), text);
  return value as Value;
};

const specific = (value: Value): Taken => {
  const said = value['hookSpecificOutput'] as Value | undefined;
  if (said === undefined) return 'asks';
  assert.equal(said['hookEventName'], 'PreToolUse');
  const decision = said['permissionDecision'];
  if (decision === undefined) return 'asks';
  assert.ok(decision === 'deny' || decision === 'allow', `${decision} is not obeyed everywhere`);
  assert.ok(isText(said['permissionDecisionReason']));
  return decision === 'deny' ? 'refused' : 'allowed';
};

/** How each agent takes an answer. Throws where the answer is not of its form. */
export const takenBy: Readonly<Record<HookAgentName, (text: string) => Taken>> = {
  claude(text) {
    if (text === '') return 'asks';
    const value = objectOf(text);
    assert.ok(onlyKeys(value, ['systemMessage', 'hookSpecificOutput']), text);
    return specific(value);
  },
  // One unknown field, and the hook has failed and the call runs.
  codex(text) {
    if (text === '') return 'asks';
    const value = objectOf(text);
    assert.ok(onlyKeys(value, ['systemMessage', 'hookSpecificOutput']), text);
    const said = value['hookSpecificOutput'] as Value;
    const keys = ['hookEventName', 'permissionDecision', 'permissionDecisionReason', 'additionalContext'];
    assert.ok(onlyKeys(said, keys), text);
    const taken = specific(value);
    assert.ok(taken !== 'allowed', 'allow without updatedInput fails');
    return taken;
  },
  // Of an empty output standard error is read, so something has to stand there.
  gemini(text) {
    const value = objectOf(text);
    assert.ok(onlyKeys(value, ['decision', 'reason', 'systemMessage', 'hookSpecificOutput']), text);
    const behind = value['hookSpecificOutput'] as Value | undefined;
    if (behind) assert.equal(behind['hookEventName'], 'AfterTool');
    if (value['decision'] === undefined) return 'asks';
    assert.equal(value['decision'], 'deny');
    assert.ok(isText(value['reason']));
    return 'refused';
  },
  vscode(text) {
    const value = objectOf(text);
    assert.ok(onlyKeys(value, ['systemMessage', 'hookSpecificOutput']), text);
    return specific(value);
  },
  copilot(text) {
    if (text === '') return 'asks';
    const value = objectOf(text);
    assert.ok(onlyKeys(value, ['permissionDecision', 'permissionDecisionReason', 'additionalContext']), text);
    const decision = value['permissionDecision'];
    if (decision === undefined && isText(value['additionalContext'])) return 'asks';
    assert.ok(decision === 'deny' || decision === 'allow', `${decision} is not obeyed everywhere`);
    assert.ok(isText(value['permissionDecisionReason']));
    return decision === 'deny' ? 'refused' : 'allowed';
  },
  // The permission is a field that must be there; `allow` leaves it to the user's own settings.
  cursor(text) {
    const value = objectOf(text);
    if (Object.keys(value).length === 0) return 'asks';
    assert.ok(onlyKeys(value, ['permission', 'user_message', 'agent_message']), text);
    if (value['permission'] === 'allow') return 'asks';
    assert.equal(value['permission'], 'deny');
    assert.ok(isText(value['user_message']) && isText(value['agent_message']));
    return 'refused';
  },
  opencode(text) {
    const value = objectOf(text);
    assert.ok(onlyKeys(value, ['note', 'deny']), text);
    if (value['deny'] === undefined) return 'asks';
    assert.ok(isText(value['deny']));
    return 'refused';
  },
};
