import { render } from 'lit/html.js';
import * as z from 'zod/mini';
import { CalibrationMessage, type CalibrationRequest } from '../../src/protocol/calibrationProtocol.ts';
import './calibration.css';
import { calibrationView } from './view.ts';

declare function acquireVsCodeApi(): { postMessage(message: CalibrationRequest): void };

// The content security policy forbids `eval`, which zod would try.
z.config({ jitless: true });

const code = acquireVsCodeApi();
let shown: CalibrationMessage | undefined;
let asksToDelete = false;

function draw(): void {
  render(
    calibrationView(shown, {
      asksToDelete,
      ask(asks) {
        asksToDelete = asks;
        draw();
        document.querySelector<HTMLElement>(asks ? '.keep' : '.delete-all')?.focus();
      },
      send(message) {
        asksToDelete = false;
        code.postMessage(message);
        draw();
      },
    }),
    document.body,
  );
}

window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const parsed = CalibrationMessage.safeParse(data);
  if (!parsed.success) return;
  shown = parsed.data;
  draw();
});
draw();
code.postMessage({ type: 'ready' });
