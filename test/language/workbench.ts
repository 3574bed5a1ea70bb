import path from 'node:path';
import { after, before } from 'node:test';
import { renderShellReply } from '../../src/core/worlds/language/prompt/turns/turnTextShell.ts';
import type { Reply } from '../cassettes/server.ts';
import type { Json } from '../cassettes/wire.ts';
import { createPlace, type Place } from './languageFixture.ts';
import { becomeOrdinary } from './ordinaryUser.ts';
import { type Asked, type Model, type Predicted, predictScript, startModel } from './predictScript.ts';
import { type Call, callsIn, commandIn, filesIn, messagesIn, replyWithLook, tagged } from './promptReading.ts';

/** What a tool would reply, or the whole reply of the model. */
type Said = string | { whole: Reply };
/** Answers the last call of a prompt; `words` are those of a command, empty for other tools. */
export type Saying = (words: string, call: Call, calls: readonly Call[], body: Json) => Said | Promise<Said>;

/** A project and a model whose answers a test sets. Made before the tests of a file and removed after them. */
export interface Workbench {
  readonly place: Place;
  readonly model: Model;
  /** From here on the model says this. Looks that it does not answer (an empty text) show nothing new. */
  says(saying: Saying): void;
  predict(script: string, asked?: Asked): Promise<Predicted>;
  /** Every prompt since `says`, as the server saw it. */
  prompts(): string[];
}

/** Call it once, at the top of a test file. */
export function openWorkbench(): Workbench {
  const identity = becomeOrdinary();
  let opened: { place: Place; model: Model } | undefined;
  let saying: Saying = () => '';
  let from = 0;
  const open = () => {
    if (!opened) throw new Error('the workbench is open only while tests run');
    return opened;
  };
  const answer = async (body: Json): Promise<Reply | string> => {
    const calls = callsIn(messagesIn(body));
    const last = calls.at(-1);
    if (!last) return tagged('no call');
    const said = await sayAll(saying, last, calls, body);
    if (typeof said !== 'string') return { pieceLength: 4096, ...said.whole };
    return { content: tagged(said), pieceLength: 4096 };
  };
  before(async () => {
    opened = { place: createPlace(identity), model: await startModel(answer) };
  });
  after(async () => {
    await opened?.model.close();
    opened?.place.remove();
  });
  return {
    get place() {
      return open().place;
    },
    get model() {
      return open().model;
    },
    says(next) {
      saying = next;
      from = open().model.server.completions().length;
    },
    predict: (script, asked) => predictScript(open().model, open().place, script, asked),
    prompts: () =>
      open()
        .model.server.completions()
        .slice(from)
        .map(({ body }) => JSON.stringify(body)),
  };
}

/** Answers a call; of one that asks for several things each by itself, as a model does that knows them all. */
async function sayAll(saying: Saying, call: Call, calls: readonly Call[], body: Json): Promise<Said> {
  if (call.name !== 'run_shell_command') return (await saying('', call, calls, body)) || printed('');
  const files = filesIn(call);
  if (files) {
    let stdout = '';
    for (const name of files.names) {
      const absolute_path = path.resolve(String(call.arguments['directory']), name);
      const content = await saying(
        '',
        { name: 'read_file', arguments: { absolute_path }, reply: undefined },
        calls,
        body,
      );
      if (typeof content !== 'string') return content;
      // A file that it cannot show is left out.
      if (!/^(?:File not found|I'm sorry)/.test(content))
        stdout += `${files.marker} ${name}\n${content.replace(/\n?$/, '\n')}`;
    }
    return printed(`${stdout}${files.end}\n`);
  }
  const { words, behind } = commandIn(call);
  const said = (await saying(words, call, calls, body)) || printed('');
  if (!behind || typeof said !== 'string') return said;
  const look = { ...call, arguments: { ...call.arguments, command: behind.look } };
  const shown = (await saying(commandIn(look).words, look, calls, body)) || printed('');
  // What is no listing is left out, as by a model that answers only the first part.
  return typeof shown === 'string' ? replyWithLook(said, shown, behind) : said;
}

/** The reply of a shell tool. */
export function printed(stdout: string, exitCode = 0, stderr = ''): string {
  return renderShellReply('qwen', { command: 'command', stdout, stderr, exitCode });
}

/** A model that answers programs by a table and looks by a table of files: `null` is deleted. */
export function table(
  programs: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string | null>> = {},
): Saying {
  return (words, call) => {
    if (call.name === 'read_file') {
      const place = String(call.arguments['absolute_path']);
      const name = Object.keys(files).find((one) => place.endsWith(`/${one.replace(/^(\.\.?\/)+/, '')}`));
      return (name && files[name]) || `File not found: ${place}`;
    }
    if (words.startsWith('git status')) {
      return printed(
        Object.entries(files)
          .map(([name, content]) => `${content === null ? ' D' : '??'} ${name}\n`)
          .join(''),
      );
    }
    return programs[words] ?? programs['*'] ?? printed('', 99, `nobody knows ${words}\n`);
  };
}
