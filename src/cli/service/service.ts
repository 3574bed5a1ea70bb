import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { serviceFolder } from '../../core/hooks/hookFolder.ts';
import { countOf } from '../../core/view/quantity.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { readWord } from '../readArguments.ts';
import { answerClient } from './answerClient.ts';
import { serveClients } from './serve.ts';
import { warmUp } from './warmUp.ts';

/** What `foretell service` needs of the process around it. */
export interface ServiceProcess {
  /** Of the built command line. */
  distFolder: string;
  env: Readonly<Record<string, string | undefined>>;
  say(text: string): Promise<unknown>;
  tell(line: string): void;
}

const words = ['status', 'stop', 'run'];

/** Whoever types comes back: the first line after a pause is asked in time, too. */
const typingIdleMs = 4 * 3_600_000;

const flags = {
  folder: { type: 'string', value: 'FOLDER', help: 'run: where its socket lies; a private folder' },
  name: { type: 'string', value: 'NAME', help: 'run: what its socket is called' },
  lock: { type: 'string', value: 'DESCRIPTOR', help: 'run: is closed when the service listens' },
  idle: { type: 'string', value: 'SECONDS', help: 'run: it ends after so long without work (default: 900)' },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell service [status|stop]

Predicts for agents' hooks and for the command line without starting again each time. Nobody has to start it: the small
programs foretell and foretell-hook in ~/.local/share/foretell/bin (foretell hooks install puts them there; with that folder
before others in PATH, what you type as foretell is the fast one) do when they are called, and predict by themselves until it
is there. Models, --apply, batch, mcp and all other words are always done by the process that you start. The service is yours
alone, predicts as they would, and ends by itself after a quarter of an hour without work (four hours, once it was asked at
Enter), or when Foretell is updated. FORETELL_SERVICE=off in the environment does without it.

${optionsText({ Options: flags })}
Exit status
  0 done   1 no service runs   3 it could not be done   64 wrong usage
`;

/** Whether the arguments of the command line ask for the service, not for a program that is called so. */
export function asksForService([first, second]: readonly string[]): boolean {
  return first === 'service' && (second === undefined || second.startsWith('-') || words.includes(second));
}

/** Runs `foretell service …`; `args` come after `service`. Gives the exit status. */
export async function runService(args: string[], around: ServiceProcess): Promise<number> {
  const read = await readWord(args, flags, { word: 'foretell service', usage }, around);
  if ('status' in read) return read.status;
  const { values, positionals, wrong } = read;
  const [word = 'status', ...more] = positionals;
  if (more.length > 0 || !words.includes(word))
    return wrong('service takes status or stop; see foretell service --help.');
  if (word !== 'run') return word === 'stop' ? stop(around) : status(around);
  const { folder, name, idle } = values;
  const seconds = Number(idle ?? 900);
  if (folder === undefined || !path.isAbsolute(folder) || name === undefined || !/^[0-9a-f]{32}$/.test(name))
    return wrong('service run is started by foretell and foretell-hook alone.');
  if (!(seconds > 0)) return wrong(`--idle takes a number of seconds, not ${idle}.`);
  let isTypedFor = false;
  const warm = path.join(folder, `.warm-${name}`);
  try {
    forgetOld(folder);
    await serveClients({
      ...{ distFolder: around.distFolder, folder, name },
      idleMs: () => (isTypedFor && idle === undefined ? typingIdleMs : seconds * 1_000),
      answer(client) {
        isTypedFor ||= client.request.role === 'enter';
        return answerClient(client, around.distFolder);
      },
      ready() {
        if (values.lock !== undefined) fs.closeSync(Number(values.lock));
        void warmUp(around.distFolder, warm).catch(() => {});
      },
    });
    fs.rmSync(warm, { recursive: true, force: true });
    return 0;
  } catch (error) {
    around.tell(`foretell: The service cannot run: ${error instanceof Error ? error.message : String(error)}.`);
    return 3;
  }
}

/** What ended services of other versions and surroundings left. A service that is older than a day ends for want of its socket. */
function forgetOld(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    const status = fs.lstatSync(file, { throwIfNoEntry: false });
    if (status && status.mtimeMs < Date.now() - 24 * 3_600_000) fs.rmSync(file, { recursive: true, force: true });
  }
}

async function status({ env, say }: ServiceProcess): Promise<number> {
  const count = (await running(serviceFolder(env))).length;
  await say(
    count === 0
      ? 'No service runs; the next call of foretell-hook, or of foretell beside it, starts one.\n'
      : `${countOf(count, 'service')} ${count === 1 ? 'runs' : 'run'} for you, one for each kind of surroundings (limits, containers, rights).\n`,
  );
  return count === 0 ? 1 : 0;
}

/** A service ends when its socket is gone. */
async function stop({ env, say }: ServiceProcess): Promise<number> {
  const folder = serviceFolder(env);
  const files = await running(folder);
  for (const file of files) fs.rmSync(path.join(folder, file), { force: true });
  await say(files.length === 0 ? 'No service runs.\n' : 'The service ends within ten seconds.\n');
  return files.length === 0 ? 1 : 0;
}

/** Sockets behind which somebody listens. */
async function running(folder: string): Promise<string[]> {
  let names: string[];
  try {
    names = fs.readdirSync(folder).filter((name) => name.endsWith('.socket'));
  } catch {
    return [];
  }
  const found = await Promise.all(names.map(async (name) => ({ name, listens: await listens(folder, name) })));
  return found.filter(({ listens }) => listens).map(({ name }) => name);
}

function listens(folder: string, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const descriptor = fs.openSync(folder, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
    // Paths of sockets may be 107 bytes long.
    const socket = net.connect(`/proc/self/fd/${descriptor}/${name}`);
    const end = (isThere: boolean) => {
      socket.destroy();
      fs.closeSync(descriptor);
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
