/**
 * `node test/bench.mjs conditions`: for every condition in every domain that it is offered in, a session of the simulated
 * environment under that condition, with a scripted model that reads its prompt: it shows the condition where its text stands
 * there. A second one ignores what it reads. Each reply goes the whole way (prompt, reply's form, reader), and the condition's own
 * check judges what came out. Exit code 0: at least 95 % comply, and none that ignores it is taken for one that complies.
 */
import { resolve } from 'node:path';
import type { TurnAction } from '../../src/core/action/turnAction.ts';
import { createForetell } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { createEnvironment } from '../../src/core/loop/environment.ts';
import { createScriptedProvider } from '../../src/core/worlds/language/client/scripted.ts';
import { conditionPresets } from '../../src/core/worlds/language/conditions/conditionPresets.ts';
import { type Domain, domains } from '../../src/core/worlds/language/prompt/turns/turn.ts';
import { commandOf } from '../../src/core/worlds/language/prompt/turns/turnText.ts';
import { parseShellReply } from '../../src/core/worlds/language/prompt/turns/turnTextShell.ts';
import { type ConditionCase, conditionCases } from '../unit/language/conditionReplies.ts';
import { conditionWordings } from '../unit/language/conditionWordings.ts';

const taps: Partial<Record<Domain, string>> = {
  web: 'click [12]',
  android: 'tap(120, 300)',
  os: 'pyautogui.click(20, 30)',
};

process.exitCode = await main();

async function main(): Promise<number> {
  const foretell = createForetell({ launcher: launcherPath(resolve('dist')), spareLaunchers: 0 });
  const all: number = conditionPresets.length;
  const total = { conditions: all, replies: 0, good: 0, departing: 0, unmet: 0, wrong: 0 };
  const rows: [string, typeof total][] = [];
  for (const domain of domains) {
    const presets = conditionPresets.filter((one) => (one.domains as readonly Domain[]).includes(domain));
    const counts = { ...total, conditions: presets.length, replies: 0, good: 0, departing: 0, unmet: 0, wrong: 0 };
    for (const { id, text } of presets) {
      for (const one of casesOf(id, domain)) {
        const [shown, ignoring] = await Promise.all([true, false].map((follows) => howOf(one, text, follows)));
        counts.replies += 1;
        if (shown === 'complies') counts.good += 1;
        else console.log(`${domain}: ${id}: ${shown}: ${JSON.stringify(one.action)}`);
        if (ignoring === 'departs') counts.departing += 1;
        else if (ignoring === 'notMet') counts.unmet += 1;
        else counts.wrong += 1;
      }
    }
    rows.push([domain, counts]);
    for (const key of ['replies', 'good', 'departing', 'unmet', 'wrong'] as const) total[key] += counts[key];
  }
  await foretell.dispose();
  const lines = [...rows, ['**all**', total] as const].map(([name, { conditions, replies, ...one }]) => {
    const share = `${((100 * one.good) / Math.max(1, replies)).toFixed(1)} %`;
    return `| ${name} | ${conditions} | ${replies} | ${one.good} (${share}) | ${one.departing} | ${one.unmet} | ${one.wrong} |`;
  });
  const head = '| domain | conditions | replies | comply | ignoring: departs | may not meet it | taken for complying |';
  console.log([head, '| --- | --: | --: | --: | --: | --: | --: |', ...lines].join('\n'));
  return total.good / total.replies >= 0.95 && total.wrong === 0 ? 0 : 1;

  /** What the check says of the reply to the action, behind the turns before it. */
  async function howOf(one: ConditionCase, text: string, follows: boolean): Promise<string> {
    const tagged = (observation: string) => ({
      reasoning: '',
      content: `<predicted_observation>\n${observation}\n</predicted_observation>`,
    });
    const before = one.earlier ?? [];
    const said = (last: string) => [...before.map(({ observation }) => observation), last].map(tagged);
    const provider = createScriptedProvider(
      {
        model: 'scripted',
        contextTokens: 100_000,
        answers: [
          ...(follows ? [{ asks: [], under: text, replies: said(one.complies) }] : []),
          { asks: [], replies: said(one.departs) },
        ],
      },
      0,
    );
    const templateFolders = [{ source: 'shipped' as const, path: resolve('prompts') }];
    const environment = createEnvironment(foretell, { language: { provider, templateFolders } });
    try {
      const started = await environment.start({ domain: one.domain, perturbations: [one.condition], ...toolsOf(one) });
      if (!started.ok) return started.message;
      for (const { action } of before) await environment.step(started.id, wire(action));
      const step = await environment.step(started.id, wire(one.action));
      return step.ok ? (step.compliance?.[0]?.how ?? 'not judged') : step.message;
    } finally {
      environment.dispose();
    }
  }
}

/** The cases of a domain; where there are none, those of a domain whose observations look alike, with this one's actions. */
function casesOf(condition: string, domain: Domain): ConditionCase[] {
  const cases = [...conditionCases, ...conditionWordings].filter((one) => one.condition === condition);
  const own = cases.filter((one) => one.domain === domain);
  return own.length > 0 ? own : cases.flatMap((one) => inDomain(one, domain));
}

function inDomain(one: ConditionCase, domain: Domain): ConditionCase[] {
  const tap = taps[domain];
  if (tap !== undefined)
    return one.action.kind === 'text' ? [{ ...one, domain, action: { kind: 'text', text: tap } }] : [];
  const command = commandOf(one.action);
  if (domain !== 'terminal' || command === undefined) return [{ ...one, domain }];
  const screen = (reply: string) => {
    const { stdout, stderr } = parseShellReply('qwen', reply);
    return `root@box:/app# ${command}\n${[stdout, stderr].filter((text) => text !== '').join('\n')}\nroot@box:/app#`;
  };
  const keystrokes = [{ keystrokes: `${command}\n`, duration: 1 }];
  const action: TurnAction = { kind: 'keystrokes', keystrokes };
  return [{ ...one, domain, action, complies: screen(one.complies), departs: screen(one.departs) }];
}

/** Servers of tools have to say which there are. */
function toolsOf({ domain, action, earlier = [] }: ConditionCase) {
  if (domain !== 'mcp' && domain !== 'search') return {};
  const actions = [...earlier.map((turn) => turn.action), action];
  const names = new Set(actions.flatMap((one) => (one.kind === 'tool' ? [one.name] : [])));
  return { tools: [...names].map((name) => ({ name, description: name, parameters: { type: 'object' } })) };
}

/** An action as an agent sends it. */
function wire(action: TurnAction): unknown {
  if (action.kind === 'keystrokes') return action.keystrokes;
  return action.kind === 'tool' ? { name: action.name, arguments: action.arguments } : action.text;
}
