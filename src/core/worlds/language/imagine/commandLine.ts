import { writtenText } from '../../../action/action.ts';
import { redactForPrompt } from '../../../context/secrets/redactForPrompt.ts';
import type { LeftOut, Redacted } from '../../../context/workspaceContext.ts';
import type { StoppedProgram } from '../../../prediction/rehearsal.ts';
import { quoteCall, quoteWord } from '../../../shell/quoteWord.ts';
import { redactInput } from '../prompt/redactInput.ts';
import type { Grounds } from '../prompt/turns/trajectory.ts';
import { ownVariables } from './ownVariables.ts';

/** Longest standard input that is shown to the model, in characters. */
const mostInput = 16_384;

/** What was kept from the model, for one program. */
export interface Withheld {
  secrets: Redacted[];
  leftOut: LeftOut[];
}

/** A text without secrets; what was found is noted. */
export async function redacted(text: string, where: string, { secrets }: Withheld): Promise<string> {
  const result = await redactForPrompt(text);
  for (const { kind, count } of result.found) secrets.push({ where, kind, count });
  return result.text;
}

/** The program as a command line: what differs in its environment, its words, its standard input. */
export async function commandLine(grounds: Grounds, program: StoppedProgram, withheld: Withheld): Promise<string> {
  const { secrets, leftOut } = withheld;
  const { bytes } = await program.readStdin(mostInput);
  const named = ownVariables(program.env, grounds.env).map(([name, value]) => `${name}=${quoteWord(value)}`);
  const words = [...named, quoteCall(program.argv)].join(' ');
  if (bytes.length === 0) return redacted(words, 'the command', withheld);
  const text = Buffer.from(bytes).toString('utf8');
  if (text.includes('\0') || text.includes('\ufffd')) {
    leftOut.push({ what: 'standard input', why: `${bytes.length} bytes that are no text` });
    return redacted(words, 'the command', withheld);
  }
  const shown = text.slice(0, mostInput);
  if (shown.length < text.length) leftOut.push({ what: 'the end of standard input', why: 'it is long' });
  const { script } = writtenText(grounds.action);
  const input = await redactInput(shown, script);
  for (const { kind, count } of input.found) secrets.push({ where: 'standard input', kind, count });
  const mark = input.text.includes('\nEOF\n') ? 'END_OF_INPUT' : 'EOF';
  const line = await redacted(words, 'the command', withheld);
  return `${line} <<'${mark}'\n${input.text}${input.text.endsWith('\n') ? '' : '\n'}${mark}`;
}
