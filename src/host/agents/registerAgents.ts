import * as vscode from 'vscode';
import { countOf } from '../../core/view/quantity.ts';
import { setContext } from '../contextKeys.ts';
import { type AgentsSource, createAgentsSource, type FoundCall } from './agentsSource.ts';
import { type AgentsNode, createAgentsTree } from './agentsTree.ts';
import { type CallActionParts, type CallActions, createCallActions } from './callActions.ts';
import { createCallDiff } from './callDiff.ts';
import { installHooks } from './installHooks.ts';

const viewId = 'foretell.agents';

/** Registers the view of what agents ask, and what can be done with it. Nothing is read before the view is seen. */
export function registerAgents(parts: CallActionParts): vscode.Disposable {
  const source = createAgentsSource();
  const tree = createAgentsTree(source);
  const view = vscode.window.createTreeView<AgentsNode>(viewId, { treeDataProvider: tree, showCollapseAll: true });
  const diff = createCallDiff(source);
  const actions = createCallActions(parts, source, diff);

  function keyOf(given: unknown): string | undefined {
    if (typeof given === 'string') return given;
    const node = isNode(given) ? given : view.selection[0];
    return node && 'key' in node ? node.key : undefined;
  }
  /** A command on a call: the row that it was chosen on, its key, or the row that is chosen in the view. */
  const onCall = (name: string, run: (actions: CallActions, found: FoundCall, ...more: unknown[]) => Promise<void>) =>
    vscode.commands.registerCommand(`${viewId}.${name}`, async (given?: unknown, ...more: unknown[]) => {
      const key = keyOf(given);
      const found = key === undefined ? undefined : await findCall(source, key);
      if (found) await run(actions, found, ...more, ...(isNode(given) ? [given] : []));
      else void vscode.window.showInformationMessage('Choose a call in the view Agents first.');
    });

  source.follow(view.visible);
  return vscode.Disposable.from(
    ...[view, tree, source, diff],
    view.onDidChangeVisibility(({ visible }) => source.follow(visible)),
    view.onDidChangeSelection(({ selection: [node] }) => setContext({ hasCall: node?.kind === 'call' })),
    vscode.commands.registerCommand('foretell.showAgents', () => vscode.commands.executeCommand(`${viewId}.focus`)),
    vscode.commands.registerCommand('foretell.installHooks', () => installHooks(parts.context.extensionPath)),
    vscode.commands.registerCommand(`${viewId}.showOlder`, (id: string) => tree.showOlder(id)),
    vscode.commands.registerCommand(`${viewId}.forget`, () => forget(source)),
    onCall('openCall', (act, found) => act.open(found)),
    onCall('openDiff', (act, found, file) => act.openDiff(found, fileOf(file))),
    onCall('replay', (act, found) => act.replay(found)),
    onCall('fork', (act, found) => act.fork(found)),
    onCall('copyRelease', (act, found) => act.copyRelease(found)),
    onCall('restore', (act, found) => act.restore(found)),
    vscode.commands.registerCommand(`${viewId}.export`, async (given?: unknown, request?: unknown) => {
      await source.look();
      const sessions = await source.sessions();
      const node = isNode(given) ? given : view.selection[0];
      const id = node && 'id' in node ? node.id : undefined;
      const key = typeof given === 'string' ? given : (keyOf(node) ?? lastKey(sessions.find((one) => one.id === id)));
      const found = source.find(key ?? lastKey(sessions[0]) ?? '');
      if (found) await actions.export(found, request);
      else void vscode.window.showInformationMessage('No agent has asked about a call in this folder yet.');
    }),
  );
}

/** A call that stands in the view, or has just been kept. */
async function findCall(source: AgentsSource, key: string): Promise<FoundCall | undefined> {
  const found = source.find(key);
  if (found) return found;
  await source.look();
  return source.find(key);
}

function lastKey(session: FoundCall['session'] | undefined): string | undefined {
  return session?.calls.at(-1)?.asked.key;
}

function isNode(given: unknown): given is AgentsNode {
  return typeof given === 'object' && given !== null && 'kind' in given;
}

/** A path, or the row of a file. */
function fileOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  return isNode(given) && given.kind === 'fact' ? given.fact.diff : undefined;
}

async function forget(source: AgentsSource): Promise<void> {
  const yes = 'Forget';
  const detail =
    'Of all agents, in all folders: what they asked, what was predicted and how it came out. What was kept to be restored stays.';
  const answer = await vscode.window.showWarningMessage('Forget the calls of agents?', { modal: true, detail }, yes);
  if (answer !== yes) return;
  const count = await source.forget();
  void vscode.window.showInformationMessage(`Forgot ${countOf(count, 'session')}.`);
}
