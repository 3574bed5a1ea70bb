import * as z from 'zod/mini';
import { parseShellEnvelope, renderShellReply } from '../../src/core/worlds/language/prompt/turns/turnTextShell.ts';

/** What a server is sent, as far as a scripted model reads it. */
const Body = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });
const Keys = z.array(z.object({ keystrokes: z.string() }));
export type Messages = z.infer<typeof Body>['messages'];

/** One call of a tool in a prompt, and what it is said to have given; the last has nothing yet. */
export interface Call {
  name: string;
  arguments: Record<string, unknown>;
  reply: string | undefined;
}

/** The messages of a request; throws where it is none. */
export function messagesIn(body: unknown): Messages {
  return Body.parse(body).messages;
}

/** The tool calls of a prompt in order, read as a model would read them; what is typed is a call named `keystrokes`. */
export function callsIn(messages: Messages): Call[] {
  const calls: Call[] = [];
  for (const { role, content } of messages) {
    const last = calls.at(-1);
    if (role === 'assistant' && last) last.reply = content.replace(/^\*\*Environment Observation:\*\*\n/, '');
    if (role !== 'user') continue;
    const fence = /```json\n([\s\S]*?)\n```/.exec(content)?.[1];
    const json: unknown = JSON.parse(fence ?? '{}');
    if (Array.isArray(json)) {
      const typed = Keys.parse(json).map(({ keystrokes }) => keystrokes);
      calls.push({
        name: 'keystrokes',
        arguments: { command: typed[0]?.replace(/\n$/, ''), asksExitCode: typed.length > 1 },
        reply: undefined,
      });
      continue;
    }
    const call = z.object({ name: z.string(), arguments: z.string() }).parse(json);
    const words = z.record(z.string(), z.unknown()).parse(JSON.parse(call.arguments));
    calls.push({ name: call.name, arguments: words, reply: undefined });
  }
  return calls;
}

/** A command of a shell tool: its words without variables in front, what stands on its standard input, and where it runs. */
export function commandIn(call: Call): {
  words: string;
  program: string;
  stdin: string;
  cwd: string | undefined;
  /** What is asked for behind the program, and the lines that mark its parts. */
  behind?: { look: string; exit: string; end: string };
} {
  const whole = String(call.arguments['command'] ?? '');
  const tail = /\ncode=\$\?; echo '([^']*)' \$code; ([\s\S]*); echo '([^']*)'; exit \$code$/.exec(whole);
  const command = tail ? whole.slice(0, tail.index) : whole;
  const here = /^([^\n]*) <<'(\w+)'\n([\s\S]*)\n\2$/.exec(command);
  const line = here?.[1] ?? command;
  const words = splitWords(line);
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? '') && words.length > 1) words.shift();
  const [name = '', ...rest] = words;
  const program = name.slice(name.lastIndexOf('/') + 1);
  const directory = call.arguments['directory'];
  return {
    words: [program, ...rest].join(' '),
    program,
    stdin: here ? `${here[3]}\n` : '',
    cwd: typeof directory === 'string' ? directory : undefined,
    ...(tail ? { behind: { exit: tail[1] ?? '', look: tail[2] ?? '', end: tail[3] ?? '' } } : {}),
  };
}

/** The files of a question for the contents of several, and the marker in front of each. */
export function filesIn(call: Call): { names: string[]; marker: string; end: string } | undefined {
  const command = String(call.arguments['command'] ?? '');
  const match = /^for file in ([\s\S]*); do echo "(.*) \$file"; cat -- "\$file"; done; echo '(.*)'$/.exec(command);
  if (!match) return undefined;
  return { names: splitWords(match[1] ?? ''), marker: match[2] ?? '', end: match[3] ?? '' };
}

/** The reply about a program and the look behind it, of the replies about each. */
export function replyWithLook(reply: string, look: string, { exit, end }: { exit: string; end: string }): string {
  const [program, listing] = [parseShellEnvelope(reply), parseShellEnvelope(look)];
  if (program?.exitCode === undefined || !listing) return reply;
  const stdout = `${program.stdout}${exit} ${program.exitCode}\n${listing.stdout}${end}\n`;
  return renderShellReply('qwen', { command: 'command', stdout, stderr: program.stderr, exitCode: program.exitCode });
}

function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const match of line.matchAll(/'([^']*)'|\\([\s\S])|([ \n]+)|([^' \n\\]+)/g)) {
    if (match[3] === undefined) word = `${word ?? ''}${match[1] ?? match[2] ?? match[4] ?? ''}`;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

/** A reply as models give it. */
export function tagged(observation: string): string {
  return `<think>\nIt follows from what was shown.\n</think>\n<predicted_observation>\n${observation}\n</predicted_observation>`;
}
