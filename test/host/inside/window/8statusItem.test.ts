import assert from 'node:assert/strict';
import { test } from '../runner.ts';
import { drive, picture, predict, until, withSetting } from '../window.ts';

test('the status item has a name and a colour, and its hover tells the last result and what is limited', async () => {
  const item = '.statusbar-item[id*="foretell.verdict"]';
  const classes = () => drive('evaluate', `document.querySelector('${item}').className`);
  await predict('echo safe');
  await until('its word', async () => /Foretell: Safe/.test(String(await drive('text', item))));
  assert.doesNotMatch(String(await classes()), /error-kind|warning-kind/);
  await predict('rm -rf docs; echo "*[x](command:a)*"');
  await until('its word', async () => /Foretell: Danger/.test(String(await drive('text', item))));
  assert.match(String(await classes()), /error-kind/);
  assert.match(
    String(await drive('evaluate', `document.querySelector('${item} a').ariaLabel`)),
    /^Foretell: Danger\. ./,
  );
  await drive('hover', item);
  const hover = await until('the hover', async () => {
    const text = String(await drive('text', '.monaco-hover')).replaceAll('\u00a0', ' ');
    return /Limited here/.test(text) ? text : undefined;
  });
  await picture('status-hover');
  assert.match(hover, /Foretell: Danger/);
  // What a command says is text.
  assert.match(hover, /rm -rf docs; echo "\*\[x\]\(command:a\)\*"/);
  assert.match(hover, /No language model is connected/);
  assert.equal(await drive('count', '.monaco-hover a[href^="command:"], .monaco-hover a[data-href^="command:"]'), 0);
});

test('the hover of the status item shows code as code', async () => {
  await predict('npm run build');
  await drive('hover', '.statusbar-item[id*="foretell.verdict"]');
  const sentence = await until('the hover', async () => {
    const text = String(await drive('text', '.monaco-hover'));
    return /npm run build/.test(text) ? text : undefined;
  });
  assert.doesNotMatch(sentence, /`/);
});

test('the status item says what was lost by a command that a limit ended, as the panel does', async () => {
  await withSetting('foretell.limits.seconds', 1, () => predict('rm -rf docs; while :; do :; done'));
  await until('its word', async () =>
    /Foretell: Danger/.test(String(await drive('text', '.statusbar-item[id*="foretell.verdict"]'))),
  );
});
