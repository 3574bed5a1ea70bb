// VS Code pops no notification up while its test driver is on. Tests then see fewer of them than a person does, who has
// them over the panel and in the way of the mouse. This takes that exception out.
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const exception =
  /(?<=addToast\(\w+\)\{if\(!this\.isNotificationsCenterVisible)&&!this\.environmentService\.enableSmokeTestDriver/;
const without = /addToast\((\w+)\)\{if\(!this\.isNotificationsCenterVisible&&\1\.priority/;

/** Makes notifications pop up below `vscodeFolder`, whoever drives the window. Safe to repeat. */
export async function showNotifications(vscodeFolder) {
  const file = path.join(vscodeFolder, 'out/vs/code/browser/workbench/workbench.js');
  const before = await readFile(file, 'utf8');
  if (without.test(before)) return;
  if (!exception.test(before)) throw new Error(`VS Code does not say in ${file} when it hides notifications.`);
  // Removed first: npm may have hard-linked the file out of its cache.
  await rm(file);
  await writeFile(file, before.replace(exception, ''));
}
