import type * as vscode from 'vscode';
import type { LabHostMessage } from '../../protocol/labProtocol.ts';

/** A sentence above the list. */
export type Notice = Extract<LabHostMessage, { type: 'notice' }>['notice'];

/** The page of the trajectory editor, which is thrown away while it is hidden. */
export interface LabPage {
  /** It listens now. */
  ready(): void;
  /** It is gone; it says `ready` when it comes back. */
  hidden(): void;
  /** Says it where somebody listens. */
  post(message: LabHostMessage): void;
  say(notice: Notice): void;
  notice(): Notice;
}

export function createLabPage(webview: vscode.Webview): LabPage {
  let isReady = false;
  let notice: Notice = null;
  const post = (message: LabHostMessage) => {
    if (isReady) void webview.postMessage(message);
  };
  return {
    ready() {
      isReady = true;
    },
    hidden() {
      isReady = false;
    },
    post,
    say(next) {
      notice = next;
      post({ type: 'notice', notice });
    },
    notice: () => notice,
  };
}
