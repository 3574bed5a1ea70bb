import * as z from 'zod/mini';
import type { BadArguments, Tool, ToolAround, ToolReply } from './tool.ts';

/** A tool of a schema and of what is done with what it reads. */
export function toolOf<S extends z.ZodMiniObject>(
  named: Pick<Tool, 'name' | 'title' | 'description'>,
  input: S,
  run: (read: z.infer<S>, around: ToolAround) => Promise<ToolReply | BadArguments>,
): Tool {
  return {
    ...named,
    input,
    async call(given, around) {
      const parsed = input.safeParse(given ?? {});
      return parsed.success ? run(parsed.data, around) : { problem: problemOf(parsed.error, input, named.name) };
    },
  };
}

/** The schema of a tool's arguments as JSON Schema. */
export function inputSchemaOf({ input }: Pick<Tool, 'input'>): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
}

/** What is wrong with arguments, in one sentence with a next step. */
function problemOf({ issues }: z.core.$ZodError, input: z.ZodMiniObject, tool: string): string {
  // A name that is spelt wrong is missing too.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const fields = Object.keys(input.shape).join(', ');
  const at = issue?.path.map(String).join('.') ?? '';
  if (issue?.code === 'unrecognized_keys') {
    const where = at === '' ? tool : `${at} of ${tool}`;
    return `${where} has no argument ${issue.keys.join(', ')}${at === '' ? `; it has ${fields}` : '; leave it out'}.`;
  }
  if (at === '') return `The arguments of ${tool} are an object; give ${fields}.`;
  if (issue?.code === 'too_small') return `${at} has too little in it; give at least ${String(issue.minimum)}.`;
  if (issue?.code === 'too_big') return `${at} has too much in it; give at most ${String(issue.maximum)}.`;
  if (issue?.code === 'invalid_value') return `${at} is one of ${issue.values.map(String).join(', ')}; choose one.`;
  const wanted = issue?.code === 'invalid_type' ? `, which has to be ${article(issue.expected)}` : '';
  return `${tool} needs ${at}${wanted}; see its schema.`;
}

function article(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
