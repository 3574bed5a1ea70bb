// What a real VS Code for tests and `npm start` is made of, and where it is put.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the project. */
export const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

/**
 * Pinned exactly: the restored check of proposed API (proposedApi.mjs) reads VS Code's built code, and screenshots are
 * compared by eye from run to run. code-server 4.x.y carries VS Code 1.x.y.
 */
export const versions = { codeServer: '4.139.1', node: '24.21.0' };

/** The npm package that carries a Node binary for this machine. */
export const nodePackage = `node-linux-${process.arch}`;

/** Raised whenever prepare.mjs does something else with the same versions, so that older installations are made again. */
const recipe = 1;

/** Written last; an installation without it was interrupted. */
export const stamp = JSON.stringify({ ...versions, nodePackage, recipe });

/** Where everything is installed. VSCODE_HOST_FOLDER: several checkouts on one machine can share the 800 MB. */
export const hostFolder =
  process.env.VSCODE_HOST_FOLDER ?? path.join(projectRoot, '.vscode-test', `code-server-${versions.codeServer}`);

export const stampFile = path.join(hostFolder, 'ready.json');
export const codeServerFolder = path.join(hostFolder, 'node_modules/code-server');
/** The server and workbench of VS Code itself, without what code-server puts around them. */
export const vscodeFolder = path.join(codeServerFolder, 'lib/vscode');
/** TypeScript, which VS Code's built-in extensions share and code-server leaves out. */
export const typescriptScript = path.join(vscodeFolder, 'extensions/node_modules/typescript/lib/typescript.js');
export const nodeFolder = path.join(hostFolder, 'node_modules', nodePackage);
export const nodeBinary = path.join(nodeFolder, 'bin/node');

/** Whether `prepare` has been here, with these versions. */
export async function isPrepared() {
  return existsSync(nodeBinary) && (await readFile(stampFile, 'utf8').catch(() => '')) === stamp;
}
