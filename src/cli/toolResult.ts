import { type Foretell, foldAll } from '../core/foretell.ts';
import { toJson } from '../core/prediction/json.ts';
import type { Prediction } from '../core/prediction/prediction.ts';
import type { Painter } from '../core/prediction/text/painter.ts';
import { renderPrediction } from '../core/prediction/text/renderPrediction.ts';
import { type AskedCall, promptOfCall, readAskedCall } from '../core/trajectory/askedCall.ts';
import type { LanguageRequest } from '../core/worlds/language/imagine/languageRequest.ts';
import { domains } from '../core/worlds/language/prompt/turns/turn.ts';
import { type CliProcess, readNamed } from './cliProcess.ts';
import type { CliOptions } from './options.ts';

/** The tool call that the command line names; a problem is one sentence. */
export async function callFor(
  { words, file, domain }: CliOptions,
  around: CliProcess,
): Promise<AskedCall | { problem: string }> {
  const [word, ...more] = words;
  if (more.length > 0 || (word !== undefined && file !== undefined))
    return { problem: 'tool-result takes one FILE with the call, or - for standard input.' };
  const known = domains.find((one) => one === domain);
  if (domain !== undefined && known === undefined)
    return { problem: `There is no domain called ${domain}; choose from ${domains.join(', ')}.` };
  const name = word ?? file ?? '-';
  try {
    return readAskedCall(
      (await readNamed(name, around)).toString('utf8'),
      known === undefined ? {} : { domain: known },
    );
  } catch (error) {
    return { problem: `${name} cannot be read (${(error as NodeJS.ErrnoException).code}).` };
  }
}

/** Has the model predict the result of a call, and says it; beside it what really came, where the text has that. */
export async function predictCall(
  asked: AskedCall,
  language: LanguageRequest,
  run: {
    foretell: Foretell;
    isJson: boolean;
    painter: Painter;
    cwd: string;
    signal: AbortSignal;
    say(text: string): Promise<unknown>;
  },
): Promise<Prediction> {
  const { foretell, isJson, painter, cwd, signal, say } = run;
  const action = { kind: 'turn', domain: asked.domain, turn: asked.turn } as const;
  const turn = await promptOfCall(asked);
  const prediction = await foldAll(
    action,
    foretell.predict({ action, language: { ...language, whole: false, turn }, signal }).events,
  );
  const { observed } = asked;
  if (isJson) {
    const beside = observed === undefined ? {} : { observed: { text: observed, basis: 'observed' } };
    await say(`${JSON.stringify({ ...toJson(prediction, ''), ...beside })}\n`);
    return prediction;
  }
  await say(renderPrediction(prediction, painter, { all: false, cwd }));
  if (observed !== undefined) {
    const lines = observed
      .split('\n')
      .map((line) => `  ${line.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '␡')}`);
    await say(`\n${painter.bold('Really came')} ${painter.basis('observed')}\n${lines.join('\n')}\n`);
  }
  return prediction;
}
