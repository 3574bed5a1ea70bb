// code-server lets every extension use proposed API: its build of isProposedApiEnabled() is `return true`. This puts VS
// Code's own rule back, so that a test fails on proposed API exactly as a released VS Code does.
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The three bundles that carry a copy of the rule. */
const bundles = [
  'code/browser/workbench/workbench.js',
  'workbench/api/node/extensionHostProcess.js',
  'workbench/api/worker/extensionHostWorkerMain.js',
];

/** The patched rule, told apart by the function behind it, which throws the well-known error. */
const patchedRule =
  /function ([\w$]+)\(([\w$]+),([\w$]+)\)\{return!0\}(?=function [\w$]+\([\w$]+,[\w$]+\)\{if\(!\1\([\w$]+,[\w$]+\)\)throw new Error\(`Extension '\$\{[^`]*CANNOT use API proposal)/g;

/** Restores the rule below `vscodeFolder`. Safe to repeat. Returns how many copies were restored this time. */
export async function restoreProposedApiCheck(vscodeFolder) {
  let restored = 0;
  for (const bundle of bundles) {
    const file = path.join(vscodeFolder, 'out/vs', bundle);
    const before = await readFile(file, 'utf8');
    const after = before.replace(patchedRule, (_, name, extension, proposal) => {
      restored += 1;
      return `function ${name}(${extension},${proposal}){return!!${extension}.enabledApiProposals&&${extension}.enabledApiProposals.includes(${proposal})}`;
    });
    if (after === before) continue;
    // Removed first: npm may have hard-linked the file out of its cache.
    await rm(file);
    await writeFile(file, after);
  }
  return restored;
}
