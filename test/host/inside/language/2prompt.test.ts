import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { observed, scripted, shellReply, withModel } from '../model.ts';
import { test } from '../runner.ts';
import {
  clickInPanel,
  drive,
  folder,
  inPanel,
  panelText,
  picture,
  predict,
  runCommand,
  showPrediction,
  until,
} from '../window.ts';

/** A comment makes it another command, so that what the panel showed before is not taken for its prediction. */
let count = 100;
const fresh = (script: string) => {
  count += 1;
  return `${script} # ${count}`;
};

const build = scripted([
  [/a letter of mine/, shellReply('it read your letter')],
  [/build\.js/, shellReply('built')],
  [/./, observed('')],
]);

const openPrompt = () => inPanel("document.getElementById('tab-prompt').click()");

/** The text of the editor that a button of the panel opens. */
async function opens(button: string, address: RegExp): Promise<vscode.TextDocument> {
  await clickInPanel(button);
  const document = await until(`the editor of ${button}`, () => {
    const open = vscode.window.activeTextEditor?.document;
    return open && address.test(open.uri.toString()) ? open : undefined;
  });
  await runCommand('workbench.action.focusPanel');
  return document;
}

async function copies(button: string, pattern: RegExp): Promise<string> {
  await vscode.env.clipboard.writeText('');
  await clickInPanel(button);
  return until(`the clipboard after ${button}`, async () => {
    const text = await vscode.env.clipboard.readText();
    return pattern.test(text) ? text : undefined;
  });
}

test('prompt: what was sent and came back is opened and copied, word for word', async () => {
  await withModel({ answer: build }, async ({ server }) => {
    await predict(fresh('npm run build'));
    await openPrompt();
    const request = await opens('Open Raw Request', /request\.json/);
    const sent = server.completions()[0]?.body ?? {};
    assert.deepEqual(JSON.parse(request.getText()), sent);
    const reply = await opens('Open Raw Reply', /reply\.md/);
    assert.match(reply.getText(), /<predicted_observation>[\s\S]*built/);
    const prompt = await opens('Open Prompt', /prompt\.md/);
    assert.match(prompt.getText(), /^## system\n[\s\S]*## user\n[\s\S]*build\.js/);

    const curl = await copies('Copy as curl', /^curl/);
    assert.ok(curl.includes(`${server.baseUrl}/chat/completions`));
    const row = JSON.parse(await copies('Copy as AgentWorldBench Row', /^\{/)) as Record<string, unknown>;
    assert.equal(row['task'], 'swe');
    assert.match(await copies('Copy as Reply', /predicted/), /^<predicted_observation>/);
    await runCommand('workbench.action.closeAllEditors');
  });
});

test('prompt: a message is edited in an editor, and the command is predicted again with it', async () => {
  await withModel({ answer: build }, async ({ prompts }) => {
    const command = fresh('npm run build');
    await predict(command);
    await openPrompt();
    const sent = prompts().length;
    const openBefore = new Set(vscode.workspace.textDocuments);
    // The last message is the one that is answered.
    await inPanel(`(() => {
      const buttons = [...document.querySelectorAll('[aria-label^="Open message"]')];
      buttons.at(-1).click();
    })()`);
    const document = await until('the message', () => {
      const open = vscode.window.activeTextEditor?.document;
      return open?.isUntitled && !openBefore.has(open) ? open : undefined;
    });
    const change = new vscode.WorkspaceEdit();
    change.insert(document.uri, new vscode.Position(0, 0), 'a letter of mine\n');
    assert.ok(await vscode.workspace.applyEdit(change), 'the message is edited');
    const lenses = await until('the lens', async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
      );
      return found.length > 0 ? found : undefined;
    });
    const { command: lens } = lenses[0] ?? assert.fail();
    assert.match(lens?.title ?? '', /Predict again/);
    await picture('prompt-message');
    await runCommand(lens?.command ?? '', ...(lens?.arguments ?? []));
    await until('the question', () =>
      prompts()
        .slice(sent)
        .some((prompt) => prompt.includes('a letter of mine')),
    );
    await showPrediction();
    await until('the answer', async () => /it read your letter/.test(await panelText()));
    await runCommand('workbench.action.revertAndCloseActiveEditor');

    // The run before is beside it where the reader wants it.
    await clickInPanel('Compare with Last Run');
    await until('the last run', () => inPanel<boolean>('/Beside the last run/i.test(document.body.innerText)'));
  });
});

test('prompt: the last commands of the terminals are in it, and those that begin with a blank are not', async () => {
  await withModel({ answer: build }, async ({ prompts }) => {
    const terminal = vscode.window.createTerminal({ name: 'history', cwd: folder() });
    terminal.show(true);
    const integration = await until('shell integration', () => terminal.shellIntegration);
    const run = async (line: string) => {
      const ended = new Promise<void>((resolve) => {
        const listener = vscode.window.onDidEndTerminalShellExecution((event) => {
          if (event.execution !== execution) return;
          listener.dispose();
          resolve();
        });
      });
      const execution = integration.executeCommand(line);
      await ended;
    };
    // Of a command that is over in a moment VS Code often does not tell the output.
    await run('sleep 1; echo harbour-$((40 + 2)); sleep 1');
    await run(' sleep 1; echo secret-$((40 + 3)); sleep 1');
    await drive('press', 'Escape');
    await new Promise((resolve) => setTimeout(resolve, 500));
    // What a terminal printed is read from a stream, and may be complete a moment after the command ended.
    await until('the command in a prompt', async () => {
      await predict(fresh('npm run build'));
      return prompts().some((prompt) => prompt.includes('harbour-42'));
    });
    assert.ok(!prompts().some((prompt) => prompt.includes('secret-43')));
    terminal.dispose();
  });
});
