import { html, type TemplateResult } from 'lit/html.js';
import type { Errand } from '../../src/protocol/panelProtocol.ts';
import type { Panel } from '../predict/panel.ts';

const errandWords: Record<Errand, string> = {
  openFolder: 'Open Folder',
  manageTrust: 'Manage Workspace Trust',
  showLog: 'Show Log',
  reloadWindow: 'Reload Window',
  openSettings: 'Open Settings',
  openWalkthrough: 'Open Walkthrough',
  chooseModel: 'Choose a Model',
  connectModel: 'Connect a Model',
  imagine: 'Imagine a Command',
  reopenInWsl: 'Reopen in WSL',
  showStatus: 'Show Engine Status',
  takeTour: 'Take the Tour of the Lab',
  applyPrediction: 'Apply',
  allowEffects: 'Allow Effects Like These…',
  restoreLost: 'Restore What Was Lost…',
};

/** A button that runs an errand outside of the panel. `isFirst`: it is the next step. */
export function errandButton(panel: Panel, errand: Errand, isFirst = false): TemplateResult {
  return html`<button class=${isFirst ? 'primary' : 'secondary'} @click=${() => panel.send({ type: 'errand', errand })}>
    ${errandWords[errand]}
  </button>`;
}
