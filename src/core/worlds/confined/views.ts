import { maxTextBytes } from '../../loss/textLines.ts';
import type { TracedRun } from '../../prediction/rehearsal.ts';
import { defaultMaxBytes, realView } from '../../view/realView.ts';
import type { Looker, View } from '../../view/view.ts';
import { countAhead, type LinesAhead } from './linesAhead.ts';
import { plainEnvironment } from './look/looker.ts';
import type { StreamName } from './wire/codes.ts';
import { isOver } from './wire/events.ts';
import type { Launcher, Listing } from './wire/launcher.ts';

/** Reads before and after from the launcher that holds the copy. `ahead`: what was counted already; `listing`: of the only run in it. */
function launcherView(launcher: Launcher, ahead?: LinesAhead, listing?: Listing): View {
  // The listing itself is not kept: it may have 50,000 changes.
  const several = listing?.complete ? namesOfSeveral(listing) : undefined;
  return {
    async read(path, moment, maxBytes = defaultMaxBytes) {
      try {
        return await launcher.read(path, moment, maxBytes);
      } catch {
        return undefined;
      }
    },
    readMany: (paths, moment, maxBytes) => launcher.readMany(paths, moment, maxBytes).catch(() => []),
    async countLines(paths, moment, maxBytes) {
      const known = moment === 'before' && maxBytes === maxTextBytes ? await ahead : undefined;
      const others = known ? paths.filter((path) => !known.has(path)) : paths;
      const counts = others.length > 0 ? await launcher.countLines(others, moment, maxBytes).catch(() => []) : [];
      let at = 0;
      return paths.map((path) => (known?.has(path) ? known.get(path) : counts[at++]));
    },
    compare: (pairs) => launcher.compare(pairs).catch(() => []),
    async status(path, moment) {
      const node = await launcher.stat(path, moment).catch(() => undefined);
      if (!node || node.type === 'none') return undefined;
      const { type, mode, uid, gid, sizeBytes, mtimeNanos, links } = node;
      const kind = type === 'file' || type === 'directory' || type === 'symlink' ? type : 'other';
      return { type: kind, mode: mode & 0o7777, uid, gid, sizeBytes, mtimeNs: BigInt.asIntN(64, mtimeNanos), links };
    },
    severalNames: () => several,
    close: () => launcher.close(),
  };
}

function namesOfSeveral({ changes }: Listing): Set<string> {
  const several = changes.filter(({ before }) => before.type === 'file' && before.links > 1);
  return new Set(several.map(({ path }) => path));
}

/** What a launcher's view holds after an action, and how to ask about it. */
export interface HeldView {
  view: View;
  inView: Looker;
  /** It counts the names of files as the real file system does. */
  countsLinks?: boolean;
  /** What the run depended on, where that is known. */
  traced?: TracedRun | undefined;
  /** What the run named, whatever else decided what it did; asked for by `compared`. */
  named?: TracedRun | undefined;
}

/** The view of a launcher after a run. `shown`: what it did, where that will be judged. */
export function held(launcher: Launcher, shown?: { listing: Listing }): HeldView {
  const countsLinks = launcher.copying.by === 'supervision';
  const ahead = shown && countAhead(launcher, shown.listing);
  return { view: launcherView(launcher, ahead, shown?.listing), inView: viewLooker(launcher), countsLinks };
}

/** Runs programs in the view itself, one at a time; what they write stays there, so only programs that look should be asked. */
function viewLooker(launcher: Launcher): Looker {
  return {
    async look(argv, options) {
      const env = { ...plainEnvironment(launcher.caller), ...options.env };
      const output: { stream: StreamName; bytes: Uint8Array }[] = [];
      const collect = (stream: StreamName) =>
        Buffer.concat(output.filter((piece) => piece.stream === stream).map((piece) => piece.bytes));
      const running = launcher.run(
        {
          argv,
          env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
          cwd: options.cwd,
          columns: 0,
          rows: 0,
          stdin: options.stdin ? 'input' : 'null',
          newLayer: false,
        },
        (event) => {
          if (event.type === 'output') output.push(event);
          else if (event.type === 'gated') launcher.answer(event.token, { kind: 'fails', error: 'ENOENT' });
        },
      );
      const stop = () => launcher.cancel();
      const timer = setTimeout(stop, options.limitMs ?? 10_000);
      options.signal?.addEventListener('abort', stop, { once: true });
      try {
        if (options.stdin) {
          launcher.input(options.stdin, false);
          launcher.input(new Uint8Array(), true);
        }
        const finished = await running;
        const exitCode = isOver(finished) ? finished.exitCode : -1;
        return { exitCode, stdout: collect('stdout'), stderr: collect('stderr').toString('utf8') };
      } catch {
        return { exitCode: -1, stdout: new Uint8Array(), stderr: '' };
      } finally {
        clearTimeout(timer);
        options.signal?.removeEventListener('abort', stop);
      }
    },
  };
}

/** Nothing was changed: the view is the real state, and so is what can be asked about it. */
export function nothingHeld(looker: Looker): HeldView {
  return { view: realView(), inView: looker };
}
