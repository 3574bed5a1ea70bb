import path from 'node:path';
import type { CommandAction } from '../../src/core/action/action.ts';
import { createForetell, type Foretell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import type { PredictionEvent } from '../../src/core/prediction/event.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import type { GivenRequest } from '../../src/core/prediction/request.ts';
import { createOpenAiProvider } from '../../src/core/worlds/language/client/client.ts';
import type { LanguageRequest } from '../../src/core/worlds/language/imagine/languageRequest.ts';
import { type CassetteServer, type Reply, type ServerOptions, startServer } from '../cassettes/server.ts';
import type { Json } from '../cassettes/wire.ts';
import type { Place } from './languageFixture.ts';

/** A server on this machine that answers with a function, the client that speaks to it, and the engine. */
export interface Model {
  foretell: Foretell;
  server: CassetteServer;
  language: LanguageRequest;
  close(): Promise<void>;
}

/** `answer` is what the model says to a request. */
export async function startModel(
  answer: (body: Json) => Reply | string | Promise<Reply | string>,
  options: Partial<ServerOptions> = {},
): Promise<Model> {
  const server = await startServer({ dialect: 'vllm', contextTokens: 4_000_000, answer, ...options });
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')) });
  const provider = createOpenAiProvider({ baseUrl: server.baseUrl, limits: { retries: 0 } });
  const templateFolders = [{ source: 'shipped' as const, path: path.resolve('prompts') }];
  return {
    foretell,
    server,
    language: { provider, templateFolders },
    async close() {
      await server.close();
      await foretell.dispose();
    },
  };
}

/** What came of a prediction. */
export interface Predicted {
  prediction: Prediction;
  events: PredictionEvent[];
  stdout: string;
  stderr: string;
  /** Names of changed files below the project, each with what became of it. */
  files: string[];
  /** Content of a file afterwards, as the prediction has it; undefined where there is none. */
  contents: Map<string, string | undefined>;
}

/** What a test asks for besides the script. */
export interface Asked extends Partial<GivenRequest> {
  language?: Partial<LanguageRequest> | undefined;
  /** Paths of which the content afterwards is wanted. */
  read?: readonly string[];
}

/** Predicts a script in a place, with the model; without one where `language` is undefined though given. */
export async function predictScript(model: Model, place: Place, script: string, asked: Asked = {}): Promise<Predicted> {
  const { language, read = [], ...rest } = asked;
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place.cwd };
  const withModel = !('language' in asked) || language !== undefined;
  const { events, view } = model.foretell.predict({
    action,
    env: place.env,
    signal: new AbortController().signal,
    ...(withModel ? { language: { ...model.language, ...language } } : {}),
    ...rest,
  });
  const all: PredictionEvent[] = [];
  const prediction = await foldAll(action, events, (event) => all.push(event));
  const contents = new Map<string, string | undefined>();
  for (const name of read) {
    const bytes = await view.read(path.resolve(place.cwd, name), 'after');
    contents.set(name, bytes === undefined ? undefined : Buffer.from(bytes).toString());
  }
  await view.close();
  return {
    prediction,
    events: all,
    stdout: outputOf(prediction, 'stdout'),
    stderr: outputOf(prediction, 'stderr'),
    files: prediction.files.map((file) => `${file.change} ${path.relative(place.cwd, file.path)}`).sort(),
    contents,
  };
}

/** All text of one stream. */
export function outputOf(prediction: Prediction, stream: 'stdout' | 'stderr'): string {
  const pieces = prediction.output.filter((piece) => piece.stream === stream);
  return pieces.map((piece) => piece.text ?? Buffer.from(piece.base64 ?? '', 'base64').toString('latin1')).join('');
}
