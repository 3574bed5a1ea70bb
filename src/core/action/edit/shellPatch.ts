import type { ToolCall } from '../action.ts';

// Codex takes calls of its shell that are nothing but `apply_patch` for calls of that tool and starts no shell (codex-rs/apply-patch,
// invocation.rs): as words, or as a script that is a here-document, at most behind one `cd`. It reads the document as it stands,
// whether its mark is quoted or not.

const script =
  /^\s*(?:cd\s+(?:'([^'\n]*)'|"([^"\n$`\\]*)"|([^\s'"$`\\;&|<>()]+))\s*&&\s*)?(?:apply_patch|applypatch)\s*<<\s*(['"]?)([\w-]+)\4[ \t]*\n([\s\S]*?)\n\5\s*$/;

/** A patch in a command of a shell. */
interface ShellPatch {
  input: string;
  /** Where it is applied, as the command has it: absolute, or below the folder of the call. */
  folder?: string;
}

/** Names of tools that run a command. */
export const shellTools =
  /^(?:bash|run_shell_command|shell|execute_bash|execute_command|run_in_terminal|local_shell|exec_command|container\.exec)$/i;

/** The patch that a command is, where it is nothing else. */
function patchInShell(command: unknown): ShellPatch | undefined {
  if (typeof command === 'string') {
    const found = script.exec(command);
    if (!found) return undefined;
    const [, single, double, bare, , , input = ''] = found;
    const folder = single ?? double ?? bare;
    return folder === undefined ? { input } : { input, folder };
  }
  if (!Array.isArray(command)) return undefined;
  const [program, second, third, ...rest] = command as unknown[];
  if ((program === 'apply_patch' || program === 'applypatch') && command.length === 2 && typeof second === 'string')
    return { input: second };
  const isShell = typeof program === 'string' && /^(?:.*\/)?(?:ba|z|)sh$/.test(program);
  const isScript = isShell && (second === '-lc' || second === '-c') && typeof third === 'string' && rest.length === 0;
  return isScript ? patchInShell(third) : undefined;
}

/** A call of a shell that is a patch, as a call of `apply_patch`; any other call as it is. */
export function asPatchCall(call: ToolCall): ToolCall {
  if (!shellTools.test(call.name)) return call;
  const given = call.arguments;
  const patch = patchInShell(given['command'] ?? given['cmd']);
  if (!patch) return call;
  const workdir = typeof given['workdir'] === 'string' ? given['workdir'] : undefined;
  const folder = [workdir, patch.folder].filter((one) => one !== undefined);
  return { name: 'apply_patch', arguments: { input: patch.input, ...(folder.length > 0 ? { folder } : {}) } };
}
