import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Panel } from '../../predict/panel.ts';
import { shownPath } from '../../shared/format.ts';
import { icon } from '../../shared/icons.ts';

/** What the next prediction starts from, when it does not start from the real files; each step can be gone back to. */
export function sessionView(panel: Panel): TemplateResult | typeof nothing {
  const { session, workspace } = panel.state;
  if (session.scripts.length === 0) return placeView(panel);
  return html`<nav class="session" aria-label="Sequence">
    ${icon('arrowRight')}
    <span class="session-path"
      >Starts after
      ${session.scripts.map(
        (script, step) =>
          html`${step > 0 ? ' › ' : ''}<button
              class="link code"
              title="Go back: predict this step again, and leave what follows it"
              @click=${() => panel.send({ type: 'goToStep', step })}
              >${firstLine(script)}</button
            >`,
      )}
      in <code>${shownPath(session.cwd, workspace.folders, workspace.home)}</code></span
    >
    <button class="link" title="Start from the real files again" @click=${() => panel.send({ type: 'startOver' })}>
      Start Over
    </button>
  </nav>`;
}

/** The folder that the command runs in, where that is not the one that the workspace is. */
function placeView({ state: { session, workspace, edit } }: Panel): TemplateResult | typeof nothing {
  const { folders, home } = workspace;
  if (edit || (folders.length === 1 && session.cwd === folders[0])) return nothing;
  return html`<p class="session place" title=${session.cwd}>in <code>${shownPath(session.cwd, folders, home)}</code></p>`;
}

function firstLine(script: string): string {
  const [first = ''] = script.split('\n');
  return first === script ? first : `${first} …`;
}
