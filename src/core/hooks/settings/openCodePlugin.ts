/** The plugin for OpenCode, which has no hooks that are programs: it asks the hook before each call and tells it afterwards. */
export function openCodePlugin(program: string): string {
  return `// Foretell: predicts shell commands and edits before they are made. Written by foretell hooks install.
import { spawn } from 'node:child_process';

const ours = new Set(['bash', 'edit', 'multiedit', 'write', 'patch', 'apply_patch']);

function ask(event) {
  return new Promise((resolve) => {
    const hook = spawn('/bin/sh', ['-c', ${JSON.stringify(program)}], { stdio: ['pipe', 'pipe', 'ignore'] });
    let said = '';
    const done = () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(said));
      } catch {
        resolve({});
      }
    };
    const timer = setTimeout(() => hook.kill(), 15_000);
    hook.stdout.on('data', (chunk) => (said += chunk));
    hook.stdin.on('error', () => {});
    hook.on('error', done);
    hook.on('close', done);
    hook.stdin.end(JSON.stringify(event));
  });
}

const notes = new Map();

const Foretell = async ({ directory }) => {
  // The service is there before the first call.
  void ask({ event: 'start' });
  return hooksIn(directory);
};

const hooksIn = (directory) => ({
  'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
    if (!ours.has(tool)) return;
    const { deny, note } = await ask({ event: 'tool.execute.before', tool, sessionID, callID, cwd: directory, args });
    if (deny) throw new Error(deny);
    if (note) notes.set(callID, note);
  },
  'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
    if (!ours.has(tool)) return;
    const note = notes.get(callID);
    notes.delete(callID);
    if (note && typeof output?.output === 'string') output.output += '\\n\\n' + note;
    await ask({ event: 'tool.execute.after', tool, sessionID, callID, cwd: directory, args: args ?? {} });
  },
});

export { Foretell };
`;
}
