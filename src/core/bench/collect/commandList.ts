import * as z from 'zod/mini';

/** A command whose true observation is wanted; bash runs it, as an agent's shell tool does. */
export const CollectCommand = z.object({
  script: z.string(),
  /** Absolute, or relative to the workspace; absent: the workspace, or where the command before it in its session ended. */
  cwd: z.optional(z.string()),
  /** Commands that share it see what the ones before them did. */
  session: z.optional(z.string()),
});
export type CollectCommand = z.infer<typeof CollectCommand>;

/** Commands that were read, and lines that are none. `problem` is one sentence without the line's number. */
export interface CommandList {
  commands: CollectCommand[];
  bad: { line: number; problem: string }[];
}

/**
 * Reads a list of commands: one a line, or a JSON object a line with `script` and, if wanted, `cwd` and `session`. The first line that says something decides which. Empty lines and lines that begin with `#` say nothing.
 */
export function readCommandList(text: string): CommandList {
  const list: CommandList = { commands: [], bad: [] };
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const says = (line: string) => line.trim() !== '' && !line.trimStart().startsWith('#');
  const isJson = lines.find(says)?.trimStart().startsWith('{"') === true;
  for (const [index, line] of lines.entries()) {
    if (!says(line)) continue;
    if (line.includes('\0')) {
      list.bad.push({ line: index + 1, problem: 'It has a NUL, which no command can have.' });
      continue;
    }
    if (!isJson) {
      list.commands.push({ script: line.trim() });
      continue;
    }
    const read = readJsonLine(line);
    if ('problem' in read) list.bad.push({ line: index + 1, problem: read.problem });
    else list.commands.push(read);
  }
  return list;
}

function readJsonLine(line: string): CollectCommand | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { problem: `It is not JSON (${error instanceof Error ? error.message : String(error)}).` };
  }
  const read = CollectCommand.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { problem: `It is no command: ${issue?.path.join('.') || 'the line'} is ${issue?.message ?? 'wrong'}.` };
  }
  return read.data.script.trim() === '' ? { problem: 'Its script is empty.' } : read.data;
}
