import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hookAgents } from '../../../src/core/hooks/hookAgents.ts';
import type { HookAgentName } from '../../../src/core/hooks/hookCall.ts';
import { agentSettings, settingsFile } from '../../../src/core/hooks/settings/agentSettings.ts';
import { installed, withHooks, withoutHooks } from '../../../src/core/hooks/settings/changeSettings.ts';

const agents = Object.keys(hookAgents) as HookAgentName[];
const program = "/usr/bin/node '/opt/fore tell/dist/hook.js' x";

/** Settings as people have them. */
const kept: Readonly<Record<string, string>> = {
  empty: '{}\n',
  plain: '{\n  "model": "opus",\n  "permissions": { "allow": ["Bash(ls)"] }\n}\n',
  comments: '{\n\t// mine\n\t"model": "opus", /* keep */\n\t"env": {},\n}\n',
  otherHooks:
    '{\n    "hooks": {\n        "PreToolUse": [\n            {\n                "matcher": "Bash",\n                "hooks": [\n                    {\n                        "type": "command",\n                        "command": "guard"\n                    }\n                ]\n            }\n        ]\n    }\n}\n',
  oneLine:
    '{"a":1,"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"guard"}]}],"Stop":[]}}',
  inlineHooks:
    '{\n  "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ] },\n  "z": 1\n}\n',
  orderMark: '\ufeff{\r\n  "model": "opus"\r\n}\r\n',
  trailingCommas: '{\n  "hooks": { "Stop": [], },\n  "a": 1,\n}\n',
  windows: '{\r\n  "model": "opus",\r\n  "hooks": {\r\n    "Stop": []\r\n  }\r\n}\r\n',
};

const textOf = (result: { text?: string | undefined } | { because: string }) => {
  assert.ok('text' in result, JSON.stringify(result));
  return result.text;
};

describe('hooks in settings', () => {
  for (const name of agents) {
    const settings = agentSettings[name];
    test(`${name}: a file of its own is made, found, and gone again`, () => {
      const text = textOf(withHooks(settings, undefined, program)) ?? '';
      assert.equal(installed(settings, text, program), 'yes');
      assert.equal(installed(settings, text, `${program}2`), 'other');
      assert.equal(textOf(withHooks(settings, text, program)), text);
      assert.equal(textOf(withoutHooks(settings, text)), undefined);
    });
    if (settings.content) continue;
    for (const [kind, text] of Object.entries(kept)) {
      test(`${name}: ${kind} settings are as before when the hooks are removed`, () => {
        const once = textOf(withHooks(settings, text, program)) ?? '';
        assert.notEqual(once, text);
        assert.equal(installed(settings, once, program), 'yes');
        assert.equal(textOf(withHooks(settings, once, program)), once);
        // What is of another version is replaced, and nothing is there twice.
        const anew = textOf(withHooks(settings, once, '/other/hook.js x')) ?? '';
        assert.equal(installed(settings, anew, '/other/hook.js x'), 'yes');
        assert.ok(!anew.includes('fore tell'), anew);
        for (const one of [once, anew]) {
          if (kind === 'empty') assert.equal(textOf(withoutHooks(settings, one))?.trim() ?? '{}', '{}');
          else assert.equal(textOf(withoutHooks(settings, one)), text);
        }
      });
    }
  }

  test('what is no settings file is told, and nothing is made of it', () => {
    for (const [text, because] of [
      ['{"a":', 'is not JSON'],
      ['[]', 'is no JSON object'],
      ['{"hooks":[]}', 'has something else than an object at hooks'],
      ['{"hooks":{"PreToolUse":{}}}', 'has something else than a list at hooks.PreToolUse'],
      // The agent reads the last one.
      ['{"hooks":{},"hooks":{"PreToolUse":[]}}', 'has hooks twice'],
      ['{"hooks":{"PreToolUse":[],"PreToolUse":[]}}', 'has PreToolUse twice'],
    ] as const)
      assert.deepEqual(withHooks(agentSettings.claude, text, program), { because });
  });

  test('a comma behind the only hook goes with it', () => {
    for (const text of ['{"hooks":{},}', '{"hooks":{"PreToolUse":[],}}', '{"hooks":{"PreToolUse":[] /* mine */,},}']) {
      const once = textOf(withHooks(agentSettings.claude, text, program)) ?? '';
      const back = textOf(withoutHooks(agentSettings.claude, once));
      if (back !== undefined) assert.ok('text' in withHooks(agentSettings.claude, back, program), back);
    }
  });

  test('a handler of ours beside others of the same entry goes alone', () => {
    const others = '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"guard"}]}]}}';
    const both = others.replace('"guard"}', '"guard"},{"type":"command","command":"foretell hook claude"}');
    assert.equal(textOf(withoutHooks(agentSettings.claude, both)), others);
  });

  test('each agent has its place for the user and for a project', () => {
    const env = { HOME: '/home/u', CODEX_HOME: '/c' };
    assert.equal(settingsFile('claude', 'user', '/p', env), '/home/u/.claude/settings.json');
    assert.equal(settingsFile('codex', 'user', '/p', env), '/c/hooks.json');
    assert.equal(settingsFile('vscode', 'project', '/p', env), '/p/.github/hooks/foretell.json');
  });
});
