import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { startServer } from '../../../cassettes/server.ts';
import { configure, observed, screen, scripted, shellReply, startOnUsualPort, withModel } from '../model.ts';
import { test } from '../runner.ts';
import {
  drive,
  inPanel,
  inProject,
  panelText,
  picture,
  predict,
  press,
  runCommand,
  showPrediction,
  sleep,
  until,
} from '../window.ts';

const setting = (name: string) => vscode.workspace.getConfiguration('foretell.model').get<string>(name);
const rows = async () => (await drive('texts', '.quick-input-list .monaco-list-row')) as string[];

/** Chooses a row of the quick pick by its words. */
async function choose(words: string): Promise<void> {
  await until(`the row ${words}`, async () => (await rows()).some((row) => row.includes(words)));
  await drive('click', `.quick-input-list .monaco-list-row:has-text(${JSON.stringify(words)})`);
}

/** Types into the input that has this title. */
async function fill(title: RegExp, text: string): Promise<void> {
  await until(`the input ${title}`, async () =>
    ((await drive('texts', '.quick-input-title')) as string[]).some((shown) => title.test(shown)),
  );
  await press('Control+A');
  await drive('type', text);
  await press('Enter');
}

async function panelShows(pattern: RegExp): Promise<string> {
  return until(`the panel shows ${pattern}`, async () => {
    const text = await panelText();
    return pattern.test(text) ? text : undefined;
  });
}

/** A comment makes it another command, so that what the panel showed before is not taken for its prediction. */
let count = 0;
const fresh = (script: string) => {
  count += 1;
  return `${script} # ${count}`;
};

const build = scripted([
  [/build\.js/, shellReply('Built dist/imagined.js in 12 ms')],
  [/git status/, shellReply('?? dist/imagined.js')],
  [/imagined\.js/, observed('export const imagined = true;')],
]);

test('model: without one the panel offers to connect one, and nothing can be imagined', async () => {
  await predict(fresh('npm run build'));
  await runCommand('foretell.imagine');
  await panelShows(/No language model is connected/);
});

test('model: a program that may not run is imagined, and the rest of the script is real', async () => {
  await withModel({ answer: build }, async ({ server, prompts }) => {
    const shown = await predict(fresh('npm run build && ls dist && cat dist/imagined.js'));
    assert.match(shown.output, /Built dist\/imagined\.js in 12 ms/);
    assert.match(shown.output, /imagined\.js[\s\S]*ports\.json[\s\S]*export const imagined = true;/);
    assert.match(shown.text, /imagined/i);
    assert.ok(!existsSync(inProject('dist/imagined.js')), 'nothing is written');
    assert.ok(prompts().some((prompt) => prompt.includes('scripts/build.js')));
    assert.equal(server.completions()[0]?.body?.['temperature'], 0.6);
    await picture('model-imagined');
  });
});

test('model: the prompt tab shows what was sent', async () => {
  await withModel({ answer: build }, async () => {
    await predict(fresh('npm run build'));
    await inPanel("document.getElementById('tab-prompt').click()");
    const text = await panelShows(/tokens/i);
    assert.match(text, /build\.js/);
    await picture('model-prompt');
    await showPrediction();
  });
});

test('model: a whole command is imagined beside what is rehearsed', async () => {
  const command = fresh('wc -l README.md');
  const answer = scripted([
    [/wc -l/, screen(command, '4711 README.md\n')],
    [/git status/, screen('git status', '')],
  ]);
  await withModel({ answer }, async ({ prompts }) => {
    const shown = await predict(command);
    assert.match(shown.output, /^\s*\d+ README\.md/);
    assert.equal(prompts().length, 0, 'nothing that is known is asked');
    await runCommand('foretell.imagine');
    await panelShows(/4711 README\.md/);
    // The table stands from the first compared fact on, and grows.
    const text = await panelShows(/1 made up/);
    assert.match(text, /imagined beside rehearsed/i);
    const real = /(\d+) README\.md/.exec(shown.output)?.[1] ?? '';
    assert.ok(text.includes(real), 'the real number stands beside');
    await picture('model-beside');
  });
});

test('model: an imagined prediction can be cancelled, and the connection is closed', async () => {
  await withModel({ answer: build, faults: [{ kind: 'hang', at: 'middle' }] }, async ({ server }) => {
    await runCommand('foretell.predict', fresh('npm run build'));
    await until('the question', () => server.completions().length > 0);
    await until('the status bar', async () =>
      ((await drive('texts', '.part.statusbar .statusbar-item')) as string[]).some((text) => /Imagining/.test(text)),
    );
    await runCommand('foretell.cancel');
    await until('the end of the connection', () => server.completions()[0]?.abortedAtMs !== undefined);
    await until('the end', () =>
      inPanel<boolean>("document.querySelector('main.panel')?.getAttribute('aria-busy') === 'false'"),
    );
  });
});

test('model: what is chosen in the panel is part of the prompt, and is kept', async () => {
  await withModel({ answer: build }, async ({ prompts }) => {
    await predict(fresh('npm run build'));
    assert.ok(!prompts().some((prompt) => prompt.includes('ENOSPC')));
    const full = "[...document.querySelectorAll('label.preset')].find((one) => /Disk full/.test(one.textContent))";
    const toggle = async () => {
      await inPanel("document.getElementById('imagining').click()");
      await until('the choice', () => inPanel<boolean>(`${full} !== undefined`));
      await inPanel(`${full}.click()`);
    };
    await toggle();
    await picture('model-imagining');
    await sleep(500);
    await predict(fresh('npm run build --silent'));
    assert.ok(prompts().some((prompt) => prompt.includes('ENOSPC')));
    await toggle();
    await sleep(500);
  });
});

test('model: your own copy of a prompt counts at once', async () => {
  await withModel({ answer: build }, async ({ prompts }) => {
    void runCommand('foretell.customizePrompts');
    await choose('SWE: single programs');
    const file = inProject('.foretell/prompts/swe/system_prompt.txt');
    await until('the copy', () => existsSync(file));
    await until('its editor', () => vscode.window.activeTextEditor?.document.uri.fsPath === file);
    await writeFile(file, `${readFileSync(file, 'utf8')}\nThe harbour is closed on Mondays.\n`);
    await predict(fresh('npm run build'));
    assert.ok(prompts().some((prompt) => prompt.includes('closed on Mondays')));
    await runCommand('workbench.action.closeAllEditors');
    await rm(inProject('.foretell'), { recursive: true });
  });
});

test('model: the guide finds a server, asks for its key, tries it, and saves what it needs', async () => {
  const key = 'sk-planted-0123456789abcdef';
  await runCommand('foretell.forgetApiKey');
  const server = await startOnUsualPort({
    dialect: 'vllm',
    apiKey: key,
    answer: scripted([
      [/seq 3/, screen('seq 3', '1\n2\n3\n')],
      [/build\.js/, shellReply('built with a key')],
    ]),
  });
  try {
    await configure({ provider: undefined, baseUrl: undefined, name: undefined });
    void runCommand('foretell.connectModel');
    await choose(`127.0.0.1:${server.port}`);
    await fill(/API key/, 'sk-planted-wrong-000000');
    await until('the second question', async () =>
      ((await drive('texts', '.quick-input-message')) as string[]).some((text) => /refuses/.test(text)),
    );
    await picture('model-key');
    await fill(/API key/, key);
    await until('the settings', () => setting('provider') === 'server');
    assert.equal(setting('baseUrl'), server.baseUrl);
    assert.equal(setting('name'), 'Qwen/Qwen-AgentWorld-35B-A3B');
    assert.ok(server.completions().some(({ body }) => JSON.stringify(body).includes('seq 3')));

    const shown = await predict(fresh('npm run build'));
    assert.match(shown.output, /built with a key/);
    await runCommand('foretell.showStatus');
    const status = await until('the status', () => vscode.window.activeTextEditor?.document.getText());
    assert.match(status, /Qwen-AgentWorld-35B-A3B[\s\S]*kept for this address/);
    assert.doesNotMatch(status, /planted/);
    await runCommand('workbench.action.closeAllEditors');
    assert.deepEqual(filesThatHold(dataFolder(), 'sk-planted'), []);
    assert.doesNotMatch(await panelText(), /planted/);

    await runCommand('foretell.forgetApiKey');
    await predict(fresh('npm run build -- again'));
    await panelShows(/key/i);
  } finally {
    await configure({ provider: undefined, baseUrl: undefined, name: undefined });
    await server.close();
  }
});

test('model: an editor without chat models says so', async () => {
  await configure({ provider: 'editor' });
  try {
    await predict(fresh('npm run build'));
    await panelShows(/no chat model/i);
  } finally {
    await configure({ provider: undefined });
  }
});

test('model: a server that is gone is one sentence, and the program is assumed', async () => {
  const server = await startServer({ dialect: 'vllm' });
  await server.close();
  await configure({ baseUrl: server.baseUrl, provider: 'server' });
  try {
    const shown = await predict(fresh('npm run build && rm -rf dist'));
    assert.match(await panelText(), /Nothing listens at 127\.0\.0\.1/);
    assert.match(shown.text, /dist/);
  } finally {
    await configure({ provider: undefined, baseUrl: undefined });
  }
});

/** Where VS Code keeps settings, state and logs of this window. */
function dataFolder(): string {
  const extension = vscode.extensions.getExtension('foretell.foretell');
  return path.join(path.dirname(extension?.extensionPath ?? ''), 'data');
}

/** Text files and databases below a folder that hold a text; secrets have a file of their own, encrypted. */
function filesThatHold(folder: string, text: string): string[] {
  if (!existsSync(folder)) return [`${folder} is not there`];
  return (readdirSync(folder, { recursive: true }) as string[])
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() && readFileSync(file).includes(text));
}
