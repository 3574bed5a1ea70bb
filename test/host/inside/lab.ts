import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { createForetell } from '../../../src/core/foretell.ts';
import { launcherPath } from '../../../src/core/launcherPath.ts';
import { sampleText } from '../../trajectories/sample.ts';
import { drive, folder, inProject, runCommand, until } from './window.ts';

/** Evaluates an expression in the frame of the trajectory editor. */
export function inLab<T>(source: string): Promise<T> {
  return drive('evaluateInFrame', 'main.lab', source) as Promise<T>;
}

/** What the editor shows, as a person would read it. */
export const labText = () => inLab<string>('document.body.innerText');

/** Clicks a button of the editor by its words or its name for a screen reader. */
export async function clickInLab(words: string): Promise<void> {
  await until(`a button ${words}`, () =>
    inLab<boolean>(`(() => {
      const button = [...document.querySelectorAll('button')].find((one) => !one.disabled &&
        (one.innerText.trim().startsWith(${JSON.stringify(words)}) || one.getAttribute('aria-label') === ${JSON.stringify(words)}));
      button?.click();
      return button !== undefined;
    })()`),
  );
}

/** Chooses a row by words in it. */
export async function chooseRow(words: string): Promise<void> {
  await until(`the row ${words}`, () =>
    inLab<boolean>(`(() => {
      const row = [...document.querySelectorAll('#turns .row')].find((one) => one.textContent.includes(${JSON.stringify(words)}));
      row?.querySelector('.name').click();
      return row !== undefined;
    })()`),
  );
}

/** Writes into the text that is being edited, and saves it. */
export async function writeDraft(text: string): Promise<void> {
  await until('the box', () => inLab<boolean>("document.getElementById('draft') !== null"));
  await inLab(`(() => {
    const box = document.getElementById('draft');
    box.value = ${JSON.stringify(text)};
    box.dispatchEvent(new Event('input', { bubbles: true }));
    document.querySelector('.draft-buttons .primary').click();
  })()`);
  await until('the end of the edit', () => inLab<boolean>("document.getElementById('draft') === null"));
}

/** Waits until the editor shows this. */
export async function labShows(pattern: RegExp): Promise<string> {
  return until(`the editor shows ${pattern}`, async () => {
    const text = await labText();
    return pattern.test(text) ? text : undefined;
  });
}

/** The sample trajectory in a file of the project, opened in its editor. */
export async function openSample(name: string): Promise<vscode.TextDocument> {
  const extension = vscode.extensions.getExtension('foretell.foretell');
  const foretell = createForetell({ launcher: launcherPath(path.join(extension?.extensionPath ?? '', 'dist')) });
  const file = inProject(name);
  await writeFile(file, await sampleText(foretell, folder()));
  await foretell.dispose();
  return openTrajectory(file);
}

/** Opens a file with the editor that it belongs to. */
export async function openTrajectory(file: string): Promise<vscode.TextDocument> {
  const uri = vscode.Uri.file(file);
  await runCommand('vscode.openWith', uri, 'foretell.trajectory');
  await until('the turns', () => inLab<boolean>("document.querySelectorAll('#turns .row').length > 0"));
  const document = await until('the document', () =>
    vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString()),
  );
  return document;
}
