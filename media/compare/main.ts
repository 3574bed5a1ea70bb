import { render } from 'lit/html.js';
import * as z from 'zod/mini';
import { CompareMessage, type CompareRequest } from '../../src/protocol/compareProtocol.ts';
import './compare.css';
import { compareView } from './view.ts';

declare function acquireVsCodeApi(): { postMessage(message: CompareRequest): void };

// The content security policy forbids `eval`, which zod would try.
z.config({ jitless: true });

const code = acquireVsCodeApi();
const draw = (shown?: CompareMessage) =>
  render(
    compareView(shown, (message) => code.postMessage(message)),
    document.body,
  );

window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const parsed = CompareMessage.safeParse(data);
  if (parsed.success) draw(parsed.data);
});
draw();
code.postMessage({ type: 'ready' });
