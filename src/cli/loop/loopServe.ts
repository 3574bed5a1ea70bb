import path from 'node:path';
import { folderProblem } from '../../core/prediction/request.ts';
import type { BenchProcess } from '../bench/benchProcess.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { openOutput } from '../outputFile.ts';
import { readWord } from '../readArguments.ts';
import { hybridFlags, hybridOptions } from './loopHybrid.ts';
import { readWorld, worldFlags } from './loopWorld.ts';

const flags = {
  port: { type: 'string', value: 'N', help: 'the port (default: a free one)' },
  cwd: {
    type: 'string',
    value: 'DIR',
    help: 'sessions may be grounded in this folder and those below it (default: in none); with --hybrid they act on a copy of it (default: here)',
  },
  jobs: { type: 'string', value: 'N', help: 'turns that are asked of the model server at once (default: 32)' },
  waiting: { type: 'string', value: 'N', help: 'turns that may wait for these; more get 429 (default: 10000)' },
  sessions: { type: 'string', value: 'N', help: 'most sessions (default: 20000)' },
  turns: { type: 'string', value: 'N', help: 'most turns of a session (default: 1000)' },
  idle: { type: 'string', value: 'SECONDS', help: 'a session that nobody asks for so long is closed (default: 1800)' },
  context: { type: 'string', value: 'TOKENS', help: 'context of the model, where its server does not tell' },
  record: { type: 'string', value: 'FILE', help: 'every turn is written there, as a step of a trajectory' },
  environment: { type: 'boolean', help: 'serve a simulated environment (needed)' },
  ...hybridFlags,
  'open-gate': {
    type: 'boolean',
    help: 'with --hybrid: really run every program, still confined and without network',
  },
  host: { type: 'string', value: 'ADDRESS', help: 'the address that is listened at (default: 127.0.0.1)' },
  name: {
    type: 'string',
    value: 'NAME[,NAME]',
    help: 'names under which a proxy or another machine asks, besides those of the loopback interface',
  },
  ...worldFlags,
  world: { type: 'string', value: 'FILE', help: 'not here: give fictionalWorld or world to /start' },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell serve --environment --model-url URL [options]

Serves a simulated environment on the loopback interface: POST /start, /step, /state, /reset, /close with JSON, and the
protocol of OpenEnv. A language model says what each action of an agent leads to, and nothing is run; with --hybrid the
agent acts in a real shell on a copy. Sessions are independent: a harness may hold thousands.

${optionsText({ Options: flags })}
The token that every request needs is printed at the start; FORETELL_SERVICE_TOKEN sets it. From Python:

  import json, os, urllib.request
  def ask(path, **body):
      request = urllib.request.Request("http://127.0.0.1:8765" + path, data=json.dumps(body).encode(), headers={
          "Content-Type": "application/json", "Authorization": "Bearer " + os.environ["FORETELL_SERVICE_TOKEN"]})
      with urllib.request.urlopen(request) as answer:
          return json.load(answer)
  session = ask("/start", domain="terminal")
  print(ask("/step", id=session["id"], action=[{"keystrokes": "ls\\n", "duration": 1}])["observation"])

A client of OpenEnv takes the address with the token behind it: http://127.0.0.1:8765/TOKEN.
`;

/** So many copies are ready to be made when a session begins. */
const spareLaunchers = 4;

const numbers = ['port', 'jobs', 'waiting', 'sessions', 'turns', 'idle', 'context'] as const;

/** `foretell serve --environment`. Runs until it is told to end (SIGTERM, SIGINT); answers what is under way before. */
export async function runServeWord(args: string[], around: BenchProcess): Promise<number> {
  const rules = { word: 'foretell serve', usage, takesFiles: false };
  const parsed = await readWord(
    args,
    flags,
    { ...rules, isEnough: ({ values }) => values.environment === true },
    around,
  );
  if ('status' in parsed) return parsed.status;
  const { values, wrong: complain } = parsed;
  const wrong = numbers.find((name) => values[name] !== undefined && !/^\d{1,9}$/.test(values[name] ?? ''));
  if (wrong) return complain(`--${wrong} takes a whole number, not ${values[wrong]}.`);
  const numberOf = (name: (typeof numbers)[number]) => (values[name] === undefined ? undefined : Number(values[name]));
  if ((numberOf('port') ?? 0) > 65_535) return complain(`--port takes a number up to 65535, not ${values.port}.`);
  if (values.world !== undefined)
    return complain('A service has no world of its own; give fictionalWorld or world to /start.');
  const hybrid = hybridOptions(values, around);
  const world = readWorld(values, around, hybrid !== undefined);
  if ('problem' in world) return complain(world.problem);
  const isPlaced = values.cwd !== undefined || hybrid !== undefined;
  const workspace = isPlaced ? path.resolve(around.cwd, values.cwd ?? '.') : undefined;
  const lost = workspace === undefined ? undefined : folderProblem(workspace);
  if (lost !== undefined) return complain(lost);
  const output = values.record === undefined ? undefined : openOutput(path.resolve(around.cwd, values.record), false);
  if (output && 'problem' in output) return complain(output.problem);
  const [{ createEnvironment }, { startService }, { stepLine }] = await Promise.all([
    import('../../core/loop/environment.ts'),
    import('../../core/loop/service.ts'),
    import('../../core/trajectory/file/trajectoryFile.ts'),
  ]);
  const [concurrency, mostWaiting, mostSessions] = [numberOf('jobs'), numberOf('waiting'), numberOf('sessions')];
  const [mostTurns, contextTokens, idleSeconds] = [numberOf('turns'), numberOf('context'), numberOf('idle')];
  const foretell = around.foretell(hybrid ? spareLaunchers : 0);
  const environment = createEnvironment(foretell, {
    ...(world.language ? { language: world.language } : {}),
    ...(hybrid ? { hybrid } : {}),
    ...(workspace === undefined ? {} : { workspace }),
    ...(concurrency === undefined ? {} : { concurrency: Math.max(1, concurrency) }),
    ...(mostWaiting === undefined ? {} : { mostWaiting }),
    ...(mostSessions === undefined ? {} : { mostSessions }),
    ...(mostTurns === undefined ? {} : { mostTurns }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(idleSeconds === undefined ? {} : { idleMs: idleSeconds * 1000 }),
    ...(output ? { record: (step) => void output.write(`${stepLine(step)}\n`) } : {}),
  });
  const token = process.env['FORETELL_SERVICE_TOKEN'];
  let service: Awaited<ReturnType<typeof startService>>;
  try {
    const port = numberOf('port');
    service = await startService({
      environment,
      usual: { domain: hybrid ? 'swe' : 'terminal' },
      names: (values.name ?? '').split(',').filter((name) => name !== ''),
      ...(values.host === undefined ? {} : { host: values.host }),
      ...(port === undefined ? {} : { port }),
      ...(token ? { token } : {}),
    });
  } catch (error) {
    environment.dispose();
    return complain(
      `${values.host ?? '127.0.0.1'}:${values.port ?? 0} cannot be listened at (${(error as NodeJS.ErrnoException).code}); choose another --port or --host.`,
    );
  }
  const told = token ? '' : `token ${service.token}\n`;
  await around.say(`${service.url}\n${told}`);
  await new Promise<void>((resolve) => {
    if (around.signal.aborted) resolve();
    around.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await service.close();
  await output?.close();
  await foretell.dispose();
  return 0;
}
