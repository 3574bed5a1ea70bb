import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentsSource, FoundCall } from './agentsSource.ts';

/** Scheme of texts that were predicted for a call of an agent, and kept. */
const scheme = 'foretell-call';

/** Opens what was predicted of a call's files in VS Code's own diff editors. */
export interface CallDiff extends vscode.Disposable {
  /** `file`: absolute; default: all that are kept. False: none is. */
  open(found: FoundCall, file?: string): Promise<boolean>;
}

/** Texts are read where they are kept, whenever they are shown. */
export function createCallDiff(source: AgentsSource): CallDiff {
  const provider: vscode.TextDocumentContentProvider = {
    provideTextDocumentContent({ path: file, query }) {
      const asked = new URLSearchParams(query);
      const kept = source.details(asked.get('call') ?? '')?.texts.find((one) => one.path === file);
      return (asked.get('moment') === 'before' ? kept?.before : kept?.after) ?? '';
    },
  };
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, provider);
  const addressOf = (key: string, file: string, moment: 'before' | 'after') =>
    vscode.Uri.from({ scheme, path: file, query: new URLSearchParams({ call: key, moment }).toString() });
  return {
    async open({ call }, file) {
      const { key, at } = call.asked;
      const texts = (source.details(key)?.texts ?? []).filter((one) => file === undefined || one.path === file);
      const [first, ...more] = texts;
      if (!first) return false;
      const time = new Date(at).toLocaleTimeString();
      const [before, after] = (['before', 'after'] as const).map((moment) => addressOf(key, first.path, moment));
      if (more.length === 0) {
        const title = `${path.basename(first.path)} (predicted for the agent, ${time})`;
        await vscode.commands.executeCommand('vscode.diff', before, after, title);
        return true;
      }
      const rows = texts.map((one) => [
        vscode.Uri.file(one.path),
        one.before === undefined ? undefined : addressOf(key, one.path, 'before'),
        one.after === undefined ? undefined : addressOf(key, one.path, 'after'),
      ]);
      await vscode.commands.executeCommand('vscode.changes', `Predicted for the Agent, ${time}`, rows);
      return true;
    },
    dispose: () => registration.dispose(),
  };
}
