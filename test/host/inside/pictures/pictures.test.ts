import path from 'node:path';
import * as vscode from 'vscode';
import { usualSession, widenAgents } from '../agentCalls.ts';
import { chooseRow, clickInLab, inLab, labShows, openSample } from '../lab.ts';
import { observed, scripted, shellReply, withModel } from '../model.ts';
import { test } from '../runner.ts';
import {
  type Box,
  clickInPanel,
  drive,
  folder,
  inPanel,
  open,
  panelText,
  picture,
  predict,
  press,
  runCommand,
  shownFor,
  showPrediction,
  sleep,
  until,
  withSetting,
} from '../window.ts';

// Not tests: the pictures of the README and the walkthrough, made again with `npm run pictures`.

const themes = {
  dark: ['Default Dark Modern', 'vs-dark'],
  light: ['Default Light Modern', 'vs'],
  'high-contrast': ['Default High Contrast', 'hc-black'],
} as const;

async function setTheme(name: keyof typeof themes): Promise<void> {
  const [theme, kind] = themes[name];
  const settings = vscode.workspace.getConfiguration();
  await settings.update('workbench.colorTheme', theme, vscode.ConfigurationTarget.Global);
  await until(theme, () => drive('evaluate', `document.querySelector('.monaco-workbench.${kind}') !== null`));
  await sleep(600);
}

/** Room for the panel: no chat, a low editor. */
async function arrange(panelHeight: number): Promise<void> {
  await runCommand('workbench.action.closeAuxiliaryBar');
  const box = (await drive('box', '.part.panel')) as { x: number; y: number; width: number; height: number };
  const x = box.x + box.width / 2;
  await drive('mouseDrag', { x, y: box.y - 2 }, { x, y: box.y - 2 + box.height - panelHeight });
  // Away from the border, which lights up under the mouse.
  await drive('mouseDrag', { x: 20, y: 400 }, { x: 20, y: 400 });
  await sleep(300);
}

test('a window of one size', async () => {
  const settings = vscode.workspace.getConfiguration();
  const target = vscode.ConfigurationTarget.Global;
  await settings.update('files.autoSave', 'off', target);
  await settings.update('editor.minimap.enabled', false, target);
  await settings.update('editor.stickyScroll.enabled', false, target);
  await settings.update('remote.autoForwardPorts', false, target);
  await settings.update('terminal.integrated.gpuAcceleration', 'off', target);
  await drive('resize', 1280, 800);
  await predict('true');
  await arrange(380);
});

for (const theme of ['dark', 'light', 'high-contrast'] as const) {
  test(`panel-${theme}`, async () => {
    await setTheme(theme);
    const editor = await open('README.md', '$ git reset --hard\n$ git clean -fd');
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter);
    await sleep(300);
    await press('Alt+p');
    await shownFor(/git reset/);
    await sleep(500);
    await picture(`panel-${theme}`);
  });
}

test('lens-dark', async () => {
  await setTheme('dark');
  await runCommand('workbench.action.closeAllEditors');
  const editor = await open('README.md', 'rm -rf dist');
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter);
  await drive('waitFor', '.codelens-decoration a[title*="rm -rf dist"]');
  await drive('click', '.codelens-decoration a[title*="rm -rf dist"]');
  await shownFor(/^rm -rf dist/);
  await sleep(500);
  await picture('lens-dark');
});

test('diff-dark', async () => {
  await setTheme('dark');
  await runCommand('workbench.action.closeAllEditors');
  await predict("sed -i 's/reduce/reduceRight/; s/high tide/high water/' src/tides.js && rm -rf docs");
  await inPanel(
    `[...document.querySelectorAll('.facts-files [role=treeitem]')].find((row) => row.textContent.includes('tides.js')).click()`,
  );
  await until(
    'the diff',
    () => vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff,
  );
  await sleep(1000);
  await picture('diff-dark');
});

test('safer-dark', async () => {
  await setTheme('dark');
  await runCommand('workbench.action.closeAllEditors');
  await predict('git clean -fd');
  await until('safer commands', async () => /SAFER/i.test(await panelText()));
  await sleep(500);
  await picture('safer-dark');
});

test('streaming-dark', async () => {
  await setTheme('dark');
  await drive('resize', 1280, 800);
  await runCommand('workbench.action.closeAuxiliaryBar');
  await runCommand('workbench.action.closeAllEditors');
  const names = [
    'finds the next high tide',
    'keeps the tables of a year',
    'reads times of other zones',
    'prints heights',
  ];
  const checks = `const names = ${JSON.stringify(names)};
(async () => {
  for (const [at, name] of names.entries()) {
    await new Promise((done) => setTimeout(done, at === 0 ? 300 : 1500));
    console.log(\`ok \${at + 1} - \${name}\`);
  }
})();\n`;
  await vscode.workspace.fs.writeFile(vscode.Uri.file(`${folder()}/checks.js`), new TextEncoder().encode(checks));
  await open('checks.js');
  await predict('node checks.js');
  await clickInPanel('Rehearse Fully');
  await clickInPanel('Rehearse');
  await until('output so far', async () => /ok 3/.test(await panelText()));
  await picture('streaming-dark');
  await until('the end', async () => /Rehearsed fully/.test(await panelText()));
  await runCommand('workbench.action.closeAllEditors');
  await vscode.workspace.fs.delete(vscode.Uri.file(`${folder()}/checks.js`));
});

test('own-dark', async () => {
  await setTheme('dark');
  await runCommand('workbench.action.closeAllEditors');
  await predict('true');
  const choosing = runCommand('foretell.predictProjectCommand');
  await until('the list', async () => Number(await drive('count', '.quick-input-list .monaco-list-row')) > 3);
  await sleep(500);
  // Shipped with the walkthrough.
  await picture('../walkthrough/own-dark');
  await press('Escape');
  await choosing;
});

test('observed-dark', async () => {
  await setTheme('dark');
  await runCommand('workbench.action.closeAllEditors');
  await open('Makefile');
  await predict('make tables');
  await clickInPanel('Run for Real');
  await until('the comparison', async () => /as predicted/.test(await panelText()));
  await sleep(500);
  await picture('observed-dark');
});

const build = scripted([
  [
    /build\.js/,
    {
      reasoning:
        'scripts/build.js reads the tables in data/ and writes one JSON file for each into dist/. There are three tables, none of them is empty, so it succeeds.',
      content: shellReply('dist/currents.json\nBuilt 1 table in 12 ms'),
    },
  ],
  [/git status/, shellReply('?? dist/currents.json')],
  [/currents\.json/, observed('{ "currents": [] }')],
]);

test('imagined-dark, prompt-dark', async () => {
  await setTheme('dark');
  await runCommand('workbench.action.closeAllEditors');
  await open('package.json');
  await withModel({ answer: build, models: ['Qwen/Qwen-AgentWorld-35B-A3B'] }, async () => {
    await predict('npm run build && rm -rf docs');
    await sleep(500);
    await picture('imagined-dark');
    await inPanel("document.getElementById('tab-prompt').click()");
    await until('the prompt', async () => /tokens/i.test(await panelText()));
    await sleep(500);
    await picture('prompt-dark');
    await showPrediction();
  });
});

test('futures-dark', async () => {
  await setTheme('dark');
  await runCommand('workbench.action.closeAllEditors');
  const file = vscode.Uri.file(`${folder()}/check.js`);
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('process.exit(stale() ? 1 : 0);\n'));
  let asked = 0;
  const files = scripted([[/git status/, shellReply('')]]);
  const answer: typeof files = (body) => {
    const turn = JSON.stringify((body['messages'] as { content: string }[]).at(-1)?.content);
    if (!turn.includes('check.js')) return files(body);
    asked += 1;
    return asked === 2 ? shellReply('all tables are new') : shellReply('2 tables are out of date', 1);
  };
  await withSetting('foretell.model.samples', 3, () =>
    withModel({ answer, models: ['Qwen/Qwen-AgentWorld-35B-A3B'] }, async () => {
      await predict('node check.js && rm -r docs || echo kept');
      await until('the futures', async () => /several futures/i.test(await panelText()));
      await sleep(500);
      await picture('futures-dark');
    }),
  );
  await vscode.workspace.fs.delete(file);
});

test('terminal-dark', async () => {
  await setTheme('dark');
  await runCommand('workbench.action.closeAllEditors');
  await open('README.md');
  await runCommand('foretell.showBesideTerminal');
  const terminal = vscode.window.createTerminal({ name: 'bash', shellPath: 'bash' });
  terminal.show(false);
  await until('shell integration', () => terminal.shellIntegration);
  await sleep(500);
  terminal.sendText('rm -rf docs data/*.csv', false);
  await sleep(500);
  await runCommand('foretell.predictTypedLine');
  await shownFor('rm -rf docs data/*.csv');
  await sleep(500);
  await picture('terminal-dark');
  terminal.dispose();
});

// What is said of a line while it is typed, and what pointing at that says more.
test('hint-dark', async () => {
  await setTheme('dark');
  await drive('resize', 1280, 800);
  const settings = vscode.workspace.getConfiguration();
  await settings.update('foretell.hintWhileTyping', true, vscode.ConfigurationTarget.Global);
  const terminal = vscode.window.createTerminal({ name: 'bash', shellPath: 'bash' });
  terminal.show(false);
  await until('shell integration', () => terminal.shellIntegration);
  await runCommand('workbench.action.closeAuxiliaryBar');
  await runCommand('workbench.action.closeSidebar');
  terminal.sendText("PS1='$ '");
  await sleep(1_000);
  terminal.sendText('clear');
  await sleep(1_000);
  const item = '.statusbar-item[id*="foretell.hint"]';
  terminal.sendText('rm -rf docs data/*.csv', false);
  await drive('waitFor', item);
  await drive('hover', item);
  await drive('waitFor', '.monaco-hover');
  await sleep(1_000);
  await picture('hint-dark', { x: 0, y: 480, width: 900, height: 320 });
  await runCommand('workbench.action.toggleSidebarVisibility');
  await settings.update('foretell.hintWhileTyping', undefined, vscode.ConfigurationTarget.Global);
  terminal.dispose();
});

// Frames of one moving picture: a line is typed, held at Enter, and given up.
test('at-enter', async () => {
  await setTheme('dark');
  // Rows can be read where they are elements.
  const settings = vscode.workspace.getConfiguration();
  await settings.update('terminal.integrated.gpuAcceleration', 'off', vscode.ConfigurationTarget.Global);
  const extension = vscode.extensions.all.find(({ id }) => /\.foretell$/.test(id));
  const cli = path.join(extension?.extensionPath ?? '', 'dist/cli.js');
  const terminal = vscode.window.createTerminal({ name: 'bash', shellPath: 'bash' });
  terminal.show(false);
  await until('shell integration', () => terminal.shellIntegration);
  terminal.sendText(`eval "$(${process.execPath} ${cli} enter bash)"; PS1='$ '`);
  await sleep(2_000);
  terminal.sendText('clear');
  await sleep(1_000);
  const box = (await drive('box', '.terminal-wrapper.active')) as Box;
  const clip = { x: Math.round(box.x), y: Math.round(box.y), width: Math.min(Math.round(box.width), 900), height: 110 };
  const rows = async () => ((await drive('texts', '.xterm-rows > div')) as string[]).join('\n');
  let count = 0;
  const frame = () => {
    count += 1;
    return picture(`at-enter-${count}`, clip);
  };
  await frame();
  for (const typed of ['rm -rf ', 'docs ', 'data/*.csv']) {
    terminal.sendText(typed, false);
    await sleep(400);
    await frame();
  }
  terminal.sendText('\r', false);
  await until('the line is held', async () => /Esc/.test(await rows()));
  await sleep(400);
  await frame();
  terminal.sendText('\u001b', false);
  await sleep(1_500);
  await frame();
  terminal.dispose();
});

test('trajectory-dark', async () => {
  await setTheme('dark');
  await runCommand('workbench.action.closeAllEditors');
  await runCommand('workbench.action.closePanel');
  await runCommand('workbench.action.closeSidebar');
  await openSample('tides.trajectory.jsonl');
  await labShows(/12\sturns/);
  // A branch of its own, with what the model says of it five times and what is really so.
  await chooseRow('wc -l');
  await until('the fork', () => inLab<boolean>("document.querySelector('#edit-fork:enabled') !== null"));
  await clickInLab('Fork From Here');
  await until('the box', () => inLab<boolean>("document.getElementById('draft') !== null"));
  await inLab(`(() => {
    document.getElementById('draft').value = 'tail -2 data/oban.csv';
    document.querySelector('.draft-buttons .primary').click();
  })()`);
  await labShows(/Turn 5[\s\S]*branch/);
  await clickInLab('Rehearse');
  await labShows(/rehearsed/);
  let count = 0;
  const right = 'oban,2026-07-01T05:02,high,3.9\noban,2026-07-01T11:20,low,0.8';
  const says = [
    right.replace('0.8', '0.6'),
    right,
    right,
    'oban,2026-07-01T11:20,low,0.8',
    right.replace('0.8', '0.6'),
  ];
  const answer = () => ({
    reasoning: 'The file has two lines for this day: high water in the morning, low water before noon.',
    content: observed(
      [
        `Command: tail -2 data/oban.csv\nDirectory: ${folder()}\nOutput: ${says[count++ % says.length]}\nError: (none)`,
        'Exit Code: 0\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: (none)',
      ].join('\n'),
    ),
  });
  await withModel({ answer, models: ['Qwen/Qwen-AgentWorld-35B-A3B'] }, async () => {
    await clickInLab('Samples');
    await labShows(/distinct answers of 5/);
  });
  await sleep(800);
  await picture('trajectory-dark');
  await runCommand('workbench.action.files.revert');
  await runCommand('workbench.action.closeAllEditors');
});

test('agents-dark', async () => {
  await setTheme('dark');
  await runCommand('workbench.action.closeAllEditors');
  await runCommand('workbench.action.closePanel');
  await runCommand('workbench.action.closeAuxiliaryBar');
  await runCommand('foretell.showAgents');
  await usualSession();
  const row = '.tree-explorer-viewlet-tree-view .monaco-list-row[aria-label^="danger, denied"]';
  await drive('waitFor', row);
  await widenAgents();
  // Everything that is kept of the call opens beside it.
  await drive('click', row);
  await drive('click', `${row} .monaco-tl-twistie`);
  await sleep(800);
  await picture('agents-dark');
  await runCommand('workbench.action.closeAllEditors');
});
