import * as z from 'zod/mini';
import { captureContext } from '../../context/captureContext.ts';
import { lookTitle } from '../../context/gather/candidate.ts';
import { redactForPrompt } from '../../context/secrets/redactForPrompt.ts';
import { homeFolder } from '../../context/user.ts';
import type { Looker } from '../../view/view.ts';
import type { ChatMessage } from '../../worlds/language/client/provider.ts';
import { type Asking, readableReply } from '../../worlds/language/client/readableReply.ts';
import { parseReply } from '../../worlds/language/reply/parseReply.ts';
import type { Failure } from './failure.ts';

/** So long may a sequence be, and so many may one reply have: more is not what was asked for. */
const mostCommands = 8;
const mostSequences = 10;

const Sequences = z.array(
  z.array(z.string().check(z.maxLength(4_000))).check(z.minLength(1), z.maxLength(mostCommands)),
);

/** What a sequence that was tried really came to. */
export interface Tried {
  commands: readonly string[];
  /** What its last command printed, or why that is not known. */
  came: string;
}

/** What a model is asked about. */
export interface ProposalWish {
  failure: Failure;
  /** How many sequences are wanted. */
  count: number;
  /** Absolute; what is in it is shown. */
  cwd: string;
  looker: Looker;
  /** Most tokens of the workspace in the prompt. */
  budgetTokens: number;
}

/** Asks a model for sequences of commands that would end in a failure. A problem is one sentence. */
export async function proposeSequences(
  wish: ProposalWish,
  tried: readonly Tried[],
  asking: Asking,
): Promise<{ sequences: string[][] } | { problem: string }> {
  const messages = await proposalMessages(wish, tried, asking.signal);
  const again = 'Reply with the JSON array alone.';
  const found = await readableReply(asking, messages, sequencesIn, again);
  return 'problem' in found ? found : { sequences: found.sequences.slice(0, Math.min(wish.count, mostSequences)) };
}

async function proposalMessages(
  { failure, count, cwd, looker, budgetTokens }: ProposalWish,
  tried: readonly Tried[],
  signal: AbortSignal,
): Promise<ChatMessage[]> {
  const context = await captureContext({
    action: { kind: 'command', script: 'true', shell: 'bash', cwd },
    looker,
    workspaceFolders: [cwd],
    cwd,
    home: homeFolder(process.env),
    budgetTokens,
    signal,
  });
  const looks = context.observations.map(({ look, text }) => `$ ${lookTitle(look)}\n${text}`);
  const { text } = await redactForPrompt(failure.text);
  const code = failure.exitCode === undefined ? '' : ` The last command ends with exit code ${failure.exitCode}.`;
  const system = [
    'You find short sequences of shell commands that end in a given failure. Each begins in the workspace below as it is, in bash, without a network; its last command prints the failure. They differ from each other in what causes the failure. They may write files first, as a test would. They are run on a copy, so nothing can be harmed.',
    '',
    `Reply with a JSON array of ${count} sequences and nothing else; each is an array of at most ${mostCommands} commands:`,
    '',
    '[["first command", "second command"], ["another command"]]',
  ];
  const user = [
    `The workspace is ${cwd}. It looks like this:`,
    '',
    ...looks,
    '',
    `The failure:${code}`,
    '',
    text,
    ...(tried.length > 0 ? ['', 'These were tried and end otherwise:', ''] : []),
    ...tried.flatMap(({ commands, came }) => [`${JSON.stringify(commands)} ended in:`, came, '']),
  ];
  return [
    { role: 'system', content: system.join('\n') },
    { role: 'user', content: user.join('\n').trimEnd() },
  ];
}

/** The sequences of a reply. */
function sequencesIn(reply: string): { sequences: string[][] } | { problem: string } {
  const { observation } = parseReply(reply);
  const array = observation.slice(observation.indexOf('['), observation.lastIndexOf(']') + 1);
  try {
    const read = Sequences.safeParse(JSON.parse(array));
    if (!read.success) return { problem: `The array is not as it was asked for: ${read.error.issues[0]?.message}.` };
    const sequences = read.data.filter((one) =>
      one.every((command) => command.trim() !== '' && !command.includes('\0')),
    );
    return sequences.length > 0 ? { sequences } : { problem: 'There is no command in the array.' };
  } catch {
    return { problem: 'There is no JSON array in the reply.' };
  }
}
