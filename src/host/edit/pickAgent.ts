import * as vscode from 'vscode';
import { AgentName } from '../../core/action/action.ts';
import { agentLabels, agentTools } from '../../core/action/edit/agentTools.ts';
import { type NamedAgent, recorded } from '../../core/action/edit/agentVersions.ts';

interface AgentItem extends vscode.QuickPickItem {
  named: NamedAgent;
}

/** Agents with the versions whose words were checked, and each without a version. */
function agentItems(): AgentItem[] {
  return AgentName.options.flatMap((agent): AgentItem[] => {
    const releases = agentTools.filter((tool) => tool.agent === agent).flatMap((tool) => tool.releases ?? []);
    const checked = [...new Set(releases)].filter((release) => release !== recorded);
    const label = agentLabels[agent];
    return [
      ...checked.map((agentVersion) => ({
        label,
        description: agentVersion,
        detail: 'files and what its tool answers',
        named: { agent, agentVersion },
      })),
      {
        label,
        description: checked.length > 0 ? 'another version' : '',
        detail: 'files; what its tool answers is not told',
        named: { agent },
      },
    ];
  });
}

/** Asks who makes a call; `undefined` where the question is left. */
export async function pickAgent(): Promise<NamedAgent | undefined> {
  const chosen = await vscode.window.showQuickPick(agentItems(), {
    title: 'Predict Edit Call of an Agent',
    placeHolder: 'Whose call is it? Rules and answers differ from agent to agent',
    matchOnDescription: true,
  });
  return chosen?.named;
}
