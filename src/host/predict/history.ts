import type { Memento } from 'vscode';
import { headlineOf } from '../../core/verdict/headlineOf.ts';
import type { PastCommand } from '../../protocol/panelProtocol.ts';
import { isComplete, type Run } from './run.ts';

const key = 'foretell.pastCommands';
const mostKept = 100;
/** A longer script is a file of its own, and not looked for in a list. */
const longestScript = 4_000;

/** Commands that were predicted in this workspace, the latest first. */
export interface History {
  past(): Promise<readonly PastCommand[]>;
  /** Keeps the command of a prediction that came to its end. Resolves when it is stored. */
  take(run: Pick<Run, 'action' | 'prediction'>): Promise<void>;
}

/** `memento`: where they survive the window; a command in which a secret was found is kept in this window alone. */
export function createHistory(memento: Pick<Memento, 'get' | 'update'>): History {
  let kept: Promise<PastCommand[]> | undefined;
  const secret = new Set<PastCommand>();

  async function read(): Promise<PastCommand[]> {
    const { PastCommands } = await import('../../protocol/panelProtocol.ts');
    const { data = [] } = PastCommands.safeParse(memento.get(key));
    return data;
  }

  return {
    past: () => (kept ??= read()),
    async take({ action, prediction }) {
      if (action.kind !== 'command' || !isComplete(prediction) || action.script.length > longestScript) return;
      const { script, cwd, shell } = action;
      const headline = headlineOf(prediction.verdict, prediction.diagnostics);
      kept = (kept ?? read()).then((before) => {
        const atMs = Math.max(Date.now(), (before[0]?.atMs ?? 0) + 1);
        const others = before.filter((other) => other.script !== script || other.cwd !== cwd);
        return [{ script, cwd, shell, headline, atMs }, ...others].slice(0, mostKept);
      });
      const past = await kept;
      const { redactForPrompt } = await import('../../core/context/secrets/redactForPrompt.ts');
      const redaction = await redactForPrompt(script).catch(() => undefined);
      const [own] = past;
      if (own && redaction?.found.length !== 0) secret.add(own);
      await memento.update(
        key,
        past.filter((one) => !secret.has(one)),
      );
    },
  };
}
