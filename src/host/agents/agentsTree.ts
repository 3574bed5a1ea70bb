import * as vscode from 'vscode';
import type { CallSession } from '../../core/hooks/calls/readCalls.ts';
import { printable } from '../../core/prediction/text/printable.ts';
import { countOf, inSentence } from '../../core/view/quantity.ts';
import type { AgentsSource } from './agentsSource.ts';
import { type CallFact, callFacts, callHover, callItem } from './callNodes.ts';

/** A row of the view. */
export type AgentsNode =
  | { kind: 'session'; id: string }
  | { kind: 'call'; key: string }
  | { kind: 'fact'; key: string; fact: CallFact }
  /** Shows calls of a session that are older than those that are shown. */
  | { kind: 'older'; id: string };

/** So many calls of a session stand below it at first, and so many more each time that older ones are asked for. */
const atOnce = 200;
/** Rows are shown anew at most so often, in milliseconds. */
const calmMs = 250;
/** Then it shows that a prediction did not end. In milliseconds. */
const lateMs = 10_500;

/** The rows: sessions, below each its calls (the newest first), below each of these what is known of it. */
export interface AgentsTree extends vscode.TreeDataProvider<AgentsNode>, vscode.Disposable {
  showOlder(session: string): void;
}

/** The tree over what the source has. */
export function createAgentsTree(source: AgentsSource): AgentsTree {
  const changed = new vscode.EventEmitter<AgentsNode | undefined>();
  // A row is the same one as long as it is there, so that what is chosen or unfolded stays so.
  const nodes = new Map<string, AgentsNode>();
  const shown = new Map<string, number>();
  let sessions: readonly CallSession[] = [];
  let order = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lateTimer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Set<string>();

  function nodeOf<T extends AgentsNode>(name: string, node: T): AgentsNode {
    const known = nodes.get(name);
    if (known) return known;
    nodes.set(name, node);
    return node;
  }
  const sessionNode = (id: string) => nodeOf(`session ${id}`, { kind: 'session', id });
  const find = (id: string) => sessions.find((one) => one.id === id);

  async function refresh(): Promise<void> {
    timer = undefined;
    sessions = await source.sessions();
    const now = sessions.map(({ id }) => id).join(' ');
    const isOther = now !== order || waiting.size === 0;
    order = now;
    if (isOther) changed.fire(undefined);
    else for (const id of waiting) changed.fire(sessionNode(id));
    waiting.clear();
  }

  function schedule(ids: ReadonlySet<string>): void {
    for (const id of ids) waiting.add(id);
    if (ids.size === 0) waiting.clear();
    timer ??= setTimeout(() => void refresh(), calmMs);
  }

  const listener = source.onDidChange(schedule);

  function callNodes({ id, calls }: CallSession): AgentsNode[] {
    const most = shown.get(id) ?? atOnce;
    const rows = calls.slice(-most).map(({ asked: { key } }) => nodeOf(`call ${key}`, { kind: 'call', key }));
    rows.reverse();
    if (calls.length > most) rows.push(nodeOf(`older ${id}`, { kind: 'older', id }));
    return rows;
  }

  return {
    onDidChangeTreeData: changed.event,
    async getChildren(node) {
      if (!node) {
        sessions = await source.sessions();
        order = sessions.map(({ id }) => id).join(' ');
        return sessions.map(({ id }) => sessionNode(id));
      }
      if (node.kind === 'session') {
        const session = find(node.id);
        return session ? callNodes(session) : [];
      }
      const found = node.kind === 'call' ? source.find(node.key) : undefined;
      if (!found) return [];
      return callFacts(found.call, found.outcome).map((fact) => ({ kind: 'fact', key: found.call.asked.key, fact }));
    },
    getParent(node) {
      if (node.kind === 'older') return sessionNode(node.id);
      if (node.kind === 'fact') return nodes.get(`call ${node.key}`);
      const found = node.kind === 'call' ? source.find(node.key) : undefined;
      return found ? sessionNode(found.session.id) : undefined;
    },
    getTreeItem(node) {
      if (node.kind === 'fact') return factItem(node.fact);
      if (node.kind === 'call') {
        const found = source.find(node.key);
        if (!found) return new vscode.TreeItem('');
        if (found.outcome.kind === 'predicting') lateTimer ??= setTimeout(late, lateMs);
        return callItem(found.call, found.outcome);
      }
      const session = find(node.id);
      if (!session) return new vscode.TreeItem('');
      if (node.kind === 'older') return olderItem(session, shown.get(session.id) ?? atOnce);
      return sessionItem(session, source.title(session), session === sessions[0]);
    },
    resolveTreeItem(item, node) {
      const found = node.kind === 'call' ? source.find(node.key) : undefined;
      if (found) item.tooltip = callHover(found.call, found.outcome);
      return item;
    },
    showOlder(id) {
      shown.set(id, (shown.get(id) ?? atOnce) + atOnce);
      changed.fire(sessionNode(id));
    },
    dispose() {
      clearTimeout(timer);
      clearTimeout(lateTimer);
      listener.dispose();
      changed.dispose();
    },
  };

  function late(): void {
    lateTimer = undefined;
    schedule(new Set());
  }
}

function sessionItem({ id, name, calls }: CallSession, title: string, isLatest: boolean): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(title, isLatest ? Expanded : Collapsed);
  const denied = calls.filter(({ answered }) => answered?.answer === 'deny').length;
  const began = new Date(calls[0]?.asked.at ?? 0);
  const counts = [countOf(calls.length, 'call'), ...(denied > 0 ? [`${denied} denied`] : [])].join(', ');
  item.id = id;
  item.description = `${counts} · ${began.toLocaleString()}`;
  item.iconPath = new vscode.ThemeIcon('hubot');
  item.contextValue = 'session';
  item.tooltip = [title, ...(name === undefined ? [] : [`Session ${inSentence(printable(name))}`]), counts].join('\n');
  item.accessibilityInformation = { label: `${title}, ${counts}, since ${began.toLocaleString()}` };
  return item;
}

function olderItem({ id, calls }: CallSession, most: number): vscode.TreeItem {
  const item = new vscode.TreeItem(`Show ${countOf(Math.min(atOnce, calls.length - most), 'older call')}`);
  item.id = `older ${id}`;
  item.description = `of ${calls.length - most}`;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: 'foretell.agents.showOlder', title: 'Show Older Calls', arguments: [id] };
  return item;
}

function factItem({ label, description, icon, command, contextValue }: CallFact): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  if (description !== undefined) item.description = description;
  item.iconPath = icon;
  item.tooltip = description === undefined ? label : `${label}\n${description}`;
  if (command) item.command = command;
  if (contextValue !== undefined) item.contextValue = contextValue;
  return item;
}
