import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { WorkspaceContext } from '../../../src/core/context/workspaceContext.ts';
import { conditionPresets } from '../../../src/core/worlds/language/conditions/conditionPresets.ts';
import type { Conditions } from '../../../src/core/worlds/language/prompt/conditions.ts';
import { type PromptRequest, renderPrompt } from '../../../src/core/worlds/language/prompt/prompt.ts';
import { groundingTurns, terminalState } from '../../../src/core/worlds/language/prompt/turns/groundingTurns.ts';
import type { EarlierStep } from '../../../src/core/worlds/language/prompt/turns/session.ts';
import { sessionTurns } from '../../../src/core/worlds/language/prompt/turns/sessionTurns.ts';
import type { Dialect, Domain, Turn } from '../../../src/core/worlds/language/prompt/turns/turn.ts';
import type { PromptStyle } from '../../../src/core/worlds/language/prompt/turns/turnText.ts';
import type { TerminalPlace } from '../../../src/core/worlds/language/prompt/turns/turnTextScreen.ts';

// Each file is one prompt: `# request` is what it is made of, as JSON; then every block with its text, a line break added.
// With UPDATE_GOLDEN=1 the blocks are written anew; look at the difference before it is kept.
const folder = path.join(process.cwd(), 'test/golden/prompts');

interface GoldenRequest {
  domain: Domain;
  style: PromptStyle;
  dialect: Dialect;
  /** `turns` leaves out the text of what is the same in every prompt of the domain. */
  shows: 'everything' | 'turns';
  /** Instead of the shipped template. */
  template?: string;
  values?: PromptRequest['values'];
  place: TerminalPlace;
  observations: (Pick<WorkspaceContext['observations'][number], 'look' | 'why'> & { text: string | string[] })[];
  /** Earlier steps of a session, behind the looks at the workspace. */
  session?: (Omit<EarlierStep, 'contents'> & { contents: Record<string, { before?: string; after?: string }> })[];
  turns: Turn[];
  currentState?: string | string[];
  /** Ids of presets. */
  under?: string[];
  conditions?: Conditions;
}

const joined = (text: string | string[]) => (typeof text === 'string' ? text : text.join('\n'));

const bytesOf = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));

async function renderGolden(request: GoldenRequest): Promise<string> {
  const { domain, style, dialect, place } = request;
  const context: WorkspaceContext = {
    observations: request.observations.map((one) => ({ ...one, text: joined(one.text), tokens: 1, volatility: 0 })),
    leftOut: [],
    redacted: [],
    tokens: 1,
    budgetTokens: 1,
    durationMs: 1,
  };
  const grounding =
    domain === 'terminal' || domain === 'swe' ? groundingTurns(context, { domain, style, dialect, place }) : [];
  const steps = (request.session ?? []).map(
    (step): EarlierStep => ({
      ...step,
      contents: new Map(
        Object.entries(step.contents).map(([file, { before, after }]) => [
          file,
          { before: bytesOf(before), after: bytesOf(after) },
        ]),
      ),
    }),
  );
  const session =
    domain === 'terminal' || domain === 'swe'
      ? (await sessionTurns(steps, { domain, style, dialect, place, budgetTokens: 8_000 }, [])).turns
      : [];
  const shipped = path.join(process.cwd(), 'prompts', domain, 'system_prompt.txt');
  const template = request.template ?? (style === 'quickstart' ? undefined : readFileSync(shipped, 'utf8'));
  const state = request.currentState ?? (domain === 'terminal' ? terminalState(place) : undefined);
  const chosen = conditionPresets.filter((one) => request.under?.includes(one.id));
  const prompt = renderPrompt({
    domain,
    style,
    dialect,
    turns: [...grounding, ...session, ...request.turns],
    conditions: { ...request.conditions, presets: chosen },
    ...(template === undefined ? {} : { template }),
    ...(request.values ? { values: request.values } : {}),
    ...(state === undefined ? {} : { currentState: joined(state) }),
  });
  if (!prompt.ok) return `# failure ${prompt.code}\n${prompt.message}\n`;
  let text = '';
  for (const block of prompt.blocks) {
    const message = prompt.messages[block.message];
    const isSame = ['template', 'tools', 'demonstrations'].includes(block.part);
    const shown = message?.content.slice(block.start, block.end) ?? '';
    const body = isSame && request.shows === 'turns' && !request.template ? '…' : shown;
    const role = block.start === 0 ? `\n# ${message?.role}\n` : '';
    text += `${role}## ${block.part}: ${block.title}\n${body}\n`;
  }
  return text;
}

const files = readdirSync(folder).sort();

for (const file of files) {
  test(`prompt: ${file}`, async () => {
    const wanted = readFileSync(path.join(folder, file), 'utf8');
    const [, json = ''] = /^# request\n([\s\S]*?\n\})\n/.exec(wanted) ?? [];
    const request = JSON.parse(json) as GoldenRequest;
    const actual = `# request\n${JSON.stringify(request, null, 2)}\n${await renderGolden(request)}`;
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path.join(folder, file), actual);
    else assert.equal(actual, wanted);
  });
}

test('there are golden prompts of every domain, both dialects and both styles', () => {
  assert.ok(files.length >= 20);
  const requests = files.map((file) => readFileSync(path.join(folder, file), 'utf8'));
  for (const word of [
    'mcp',
    'search',
    'terminal',
    'swe',
    'android',
    'web',
    'os',
    'qwen',
    'claude',
    'quickstart',
    'benchmark',
  ]) {
    assert.ok(
      requests.some((text) => text.slice(0, 200).includes(`"${word}"`)),
      word,
    );
  }
});
