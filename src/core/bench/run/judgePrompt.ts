import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ChatMessage } from '../../worlds/language/client/provider.ts';
import { domains } from '../../worlds/language/prompt/turns/turn.ts';
import { withoutMarker } from '../../worlds/language/reply/parseReply.ts';
import { loadTemplate, type TemplateFolder } from '../../worlds/language/template/templates.ts';
import type { BenchProblem, BenchRow } from './benchRow.ts';

/**
 * What a judge is asked. `rubric`: five scores against the ground truth, as the benchmark wants it. `turing`: which of two
 * responses is real. `reference`: which of two predictions is closer to the ground truth.
 */
export const judgeStyles = ['rubric', 'turing', 'reference'] as const;
/** One of them. */
export type JudgeStyle = (typeof judgeStyles)[number];

/** The texts that prompts are made of. */
export interface JudgeTemplates {
  style: JudgeStyle;
  /** Of each domain. */
  system: Readonly<Record<string, string>>;
  user: string;
}

const userFiles: Readonly<Record<JudgeStyle, string>> = {
  rubric: 'user_prompt.txt',
  turing: 'turing_user_prompt.txt',
  reference: 'reference_user_prompt.txt',
};

/**
 * Reads the judge's templates: `<domain>/judge_system_prompt.txt` for the rubric, `judging/*.txt` for all else, each from the
 * first folder that has it.
 */
export async function loadJudgeTemplates(
  style: JudgeStyle,
  folders: readonly TemplateFolder[],
): Promise<JudgeTemplates | BenchProblem> {
  const user = await readJudging(userFiles[style], folders);
  if (typeof user !== 'string') return user;
  const system: Record<string, string> = {};
  if (style === 'rubric') {
    for (const domain of domains) {
      const read = await loadTemplate(domain, 'judge', folders);
      if (!read.ok) return { problem: read.message };
      system[domain] = read.text;
    }
    return { style, system, user };
  }
  const text = await readJudging(`${style}_system_prompt.txt`, folders);
  if (typeof text !== 'string') return text;
  for (const domain of domains) system[domain] = text.replaceAll('{domain}', domain);
  return { style, system, user };
}

async function readJudging(name: string, folders: readonly TemplateFolder[]): Promise<string | BenchProblem> {
  for (const folder of folders) {
    const file = path.join(folder.path, 'judging', name);
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') {
        return { problem: `The template ${file} cannot be read (${code}); make it readable.` };
      }
    }
  }
  return { problem: `There is no template judging/${name}; choose a folder that has it, or install Foretell again.` };
}

/** The responses that a judge compares. `predicted` and `reference` are observations as they were read from replies. */
export interface JudgedTexts {
  predicted: string;
  /** Of another model; for the style `reference`. */
  reference?: string;
}

/** Which response is called A, where two are compared. Chance decides, but the same for a row each time. */
export function isFirst(row: Pick<BenchRow, 'key'>): boolean {
  return Number.parseInt(row.key.slice(0, 2), 16) % 2 === 0;
}

/** The messages to a judge: history, current turn, prediction and ground truth in the order of the evaluation script. */
export function judgeMessages(templates: JudgeTemplates, row: BenchRow, texts: JudgedTexts): ChatMessage[] {
  const { prompt, response } = row.row;
  let context = '';
  for (let index = 0; index < row.turn - 1; index += 1) {
    const [asked, replied] = [prompt[index], response[index]];
    if (asked !== undefined && replied !== undefined) context += `${asked}\n${replied}\n\n`;
  }
  const predicted = withoutMarker(texts.predicted).observation;
  const truth = row.truth ?? '';
  const other = templates.style === 'turing' ? truth : withoutMarker(texts.reference ?? '').observation;
  const [a, b] = isFirst(row) ? [predicted, other] : [other, predicted];
  const values: Record<string, string> = {
    context: context === '' ? '' : `# Context (Historical Interactions):\n\n${context}`,
    world_model_input: `# Current Turn:\n\n${row.messages.at(-1)?.content ?? ''}`,
    predicted_observation: `**World Model Output (Simulated):**\n${fenced(predicted)}`,
    ground_truth: `**Ground Truth (Real Output):**\n${fenced(truth)}`,
    response_a: `**Response A:**\n${fenced(a)}`,
    response_b: `**Response B:**\n${fenced(b)}`,
  };
  // One pass: what a value says in braces is text.
  const content = templates.user
    .replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : whole))
    .trim();
  const system = templates.system[row.domain] ?? '';
  return [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), { role: 'user' as const, content }];
}

/** A fence that nothing in the text closes. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
