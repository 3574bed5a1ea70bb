import { render } from 'lit/html.js';
import * as z from 'zod/mini';
import { PreviewMessage, type PreviewRequest } from '../../src/protocol/templateProtocol.ts';
import './template.css';
import { type PreviewState, previewView } from './previewView.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: PreviewRequest): void;
  getState(): unknown;
  setState(state: unknown): void;
};

// The content security policy forbids `eval`, which zod would try.
z.config({ jitless: true });

const Stored = z.object({ open: z.catchall(z.object({}), z.boolean()) });

const code = acquireVsCodeApi();
const stored = Stored.safeParse(code.getState());
const state: PreviewState = { open: stored.success ? stored.data.open : {} };
const root = document.body;
let followed = -1;

function draw(): void {
  render(
    previewView(state, {
      toggle(name, open) {
        state.open = { ...state.open, [name]: open };
        code.setState({ open: state.open });
        draw();
      },
      reveal: (offset) => code.postMessage({ type: 'reveal', offset }),
    }),
    root,
  );
}

/** Brings the part into view that holds a place of the template; only when it is another one than before. */
function follow(offset: number): void {
  const parts = [...root.querySelectorAll<HTMLElement>('[data-start]')];
  const part = parts.findLast((one) => Number(one.dataset['start']) <= offset);
  const start = Number(part?.dataset['start'] ?? -1);
  if (!part || start === followed) return;
  followed = start;
  part.scrollIntoView({ block: 'start' });
}

window.addEventListener('message', ({ data }) => {
  const read = PreviewMessage.safeParse(data);
  if (!read.success) return;
  const message = read.data;
  if (message.type === 'follow') return follow(message.offset);
  if (message.type === 'problem') state.problem = message.sentence;
  else {
    state.prompt = message.prompt;
    delete state.problem;
  }
  draw();
});

draw();
code.postMessage({ type: 'ready' });
