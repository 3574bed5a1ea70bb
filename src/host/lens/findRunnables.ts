import path from 'node:path';
import { dockerfileRunnables } from './dockerfile.ts';
import { makefileRunnables } from './makefile.ts';
import { markdownRunnables } from './markdown.ts';
import { packageJsonRunnables } from './packageJson.ts';
import { type LensFile, mostRunnables, type Runnable } from './runnable.ts';
import { shellScriptRunnables } from './shellScript.ts';
import { tasksRunnables } from './tasks.ts';
import { workflowRunnables } from './workflow.ts';

/** Commands that are written in a file, top to bottom. Never throws; a file that cannot be read has none. */
export function findRunnables(file: LensFile): Runnable[] {
  return find(file).slice(0, mostRunnables);
}

function find(file: LensFile): Runnable[] {
  const name = path.basename(file.path);
  const folder = path.basename(path.dirname(file.path));
  if (name === 'package.json') return packageJsonRunnables(file.text);
  if (name === 'tasks.json' && folder === '.vscode') return tasksRunnables(file);
  if (/\.ya?ml$/.test(name)) {
    const isWorkflow = /\/\.(?:github|gitea|forgejo)\/workflows\/[^/]+$/.test(file.path);
    return isWorkflow || /^action\.ya?ml$/.test(name) ? workflowRunnables(file.text) : [];
  }
  if (file.languageId === 'makefile') return makefileRunnables(file.text, name);
  if (file.languageId === 'dockerfile') return dockerfileRunnables(file.text);
  if (file.languageId === 'markdown') return markdownRunnables(file.text);
  if (file.languageId === 'shellscript') return shellScriptRunnables(file.text, name);
  return [];
}
