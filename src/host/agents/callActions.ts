import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { LiveAction } from '../../core/action/action.ts';
import type { AgentCall } from '../../core/hooks/calls/agentCall.ts';
import { countOf, inSentence } from '../../core/view/quantity.ts';
import type { Panel } from '../panel/panel.ts';
import type { PredictedDocuments } from '../panel/predictedDocuments.ts';
import type { Predictions } from '../predict/predictions.ts';
import type { AgentsSource, FoundCall } from './agentsSource.ts';
import type { CallDiff } from './callDiff.ts';

/** What actions on calls need. */
export interface CallActionParts {
  context: vscode.ExtensionContext;
  predictions: Predictions;
  panel: Panel;
  documents: PredictedDocuments;
}

/** What can be done with a call of an agent. */
export interface CallActions {
  /** Everything that is kept of it, as a text. */
  open(found: FoundCall): Promise<void>;
  openDiff(found: FoundCall, file: string | undefined): Promise<void>;
  /** Predicts it again, from the files as they are now. */
  replay(found: FoundCall): Promise<void>;
  /** Opens the session up to this call in the trajectory editor, as a file of its own. */
  fork(found: FoundCall): Promise<void>;
  /** Saves a session as a trajectory, or in another format. `given`: what is said instead of being asked. */
  export(found: FoundCall, given: unknown): Promise<void>;
  copyRelease(found: FoundCall): Promise<void>;
  restore(found: FoundCall): Promise<void>;
}

export function createCallActions(
  { context, predictions, panel, documents }: CallActionParts,
  source: AgentsSource,
  diff: CallDiff,
): CallActions {
  async function trajectoryText({ session }: FoundCall, until?: number): Promise<string> {
    const core = await source.core();
    const calls = until === undefined ? session.calls : session.calls.slice(0, until + 1);
    return core.trajectoryText(core.stepsOfCalls({ id: session.id, calls }, source.details));
  }

  return {
    async open(found) {
      const { asked } = found.call;
      const time = new Date(asked.at).toLocaleTimeString('en-GB').replaceAll(':', '-');
      await documents.openText(`${asked.agent} ${time} ${asked.key.slice(0, 6)}.txt`, source.text(found));
    },
    async openDiff(found, file) {
      if (!(await diff.open(found, file)))
        tell('No text of a file is kept for this call: it changes none, or they are too large.');
    },
    async replay({ call }) {
      const action = actionOf(call);
      if (!action) return tell('This call was too long to be kept, so it cannot be predicted again.');
      await panel.reveal();
      const leaves = predictions.leaveSequence();
      const origin =
        action.kind === 'edit' ? { title: `Agent’s edit: ${call.asked.title}`, applies: 'edit' as const } : undefined;
      predictions.predict(action, {}, origin);
      const { secrets } = call.asked;
      const sentences = [
        ...(leaves ? ['This starts from the real files: the sequence was left.'] : []),
        ...(secrets > 0
          ? [
              `${countOf(secrets, 'secret was', 'secrets were')} taken out of this call when it was kept, so this is not quite what the agent asked.`,
            ]
          : []),
      ];
      if (sentences.length > 0) panel.banner({ kind: 'information', sentence: sentences.join(' ') });
    },
    async fork(found) {
      const { agent, key } = found.call.asked;
      const folder = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'agents');
      const name = `${agent}-${key.slice(0, 6)}-${Date.now().toString(36)}.trajectory.jsonl`;
      const file = path.join(folder, name);
      await mkdir(folder, { recursive: true });
      await writeFile(file, await trajectoryText(found, found.index), { mode: 0o600, flag: 'wx' });
      await vscode.commands.executeCommand('vscode.openWith', vscode.Uri.file(file), 'foretell.trajectory');
    },
    async export(found, given) {
      const name = `${found.call.asked.agent}-${found.session.calls[0]?.asked.at.slice(0, 10) ?? ''}`;
      const { saveTrajectory } = await import('../trajectories/convertTrajectory.ts');
      await saveTrajectory(context.extensionPath, await trajectoryText(found), name, given);
    },
    async copyRelease({ call: { answered } }) {
      if (answered?.code === undefined)
        return tell('Nobody lets this call through: it was not denied, or a rule denies it.');
      await vscode.env.clipboard.writeText(`foretell allow ${answered.code}`);
      tell(
        `Copied: foretell allow ${answered.code}. Paste it in a terminal of your own within an hour of the denial; it lets exactly this effect through, once, for ten minutes, and is refused to agents.`,
      );
    },
    async restore({ call: { answered } }) {
      if (answered?.net === undefined) return tell('Nothing was kept for this call: it was denied, or loses nothing.');
      await vscode.commands.executeCommand('foretell.restoreLost', answered.net);
    },
  };
}

function actionOf({ asked: { deed, cwd } }: AgentCall): LiveAction | undefined {
  if (!deed) return undefined;
  if (deed.kind === 'command') return { kind: 'command', script: deed.script, shell: deed.shell, cwd };
  return { kind: 'edit', changes: [], cwd, calls: [deed.call], agent: deed.agent };
}

/** Not awaited: whoever does not answer must not hold up anything. */
function tell(sentence: string): void {
  void vscode.window.showInformationMessage(inSentence(sentence, 600));
}
