/** What is known about the terminal in which the command would run. */
export interface TerminalEnvironment {
  /** Setting `terminal.integrated.env.linux`; null unsets. */
  added: Readonly<Record<string, string | null>>;
  vscodeVersion: string;
}

/** Variables of the extension host that no terminal of the user has. */
const ownVariables =
  /^(?:VSCODE_|ELECTRON_|CODE_SERVER_|NODE_OPTIONS$|APPLICATION_INSIGHTS|CHROME_DESKTOP$|ORIGINAL_XDG_)/;

/**
 * The environment of a command as a new integrated terminal would have it, from that of the extension host.
 * What the user's shell would add (`~/.profile`) is in the extension host's own: VS Code resolves it when it starts.
 */
export function terminalEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  terminal: TerminalEnvironment,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && !ownVariables.test(name)) env[name] = value;
  }
  env['TERM'] = 'xterm-256color';
  env['COLORTERM'] = 'truecolor';
  env['TERM_PROGRAM'] = 'vscode';
  env['TERM_PROGRAM_VERSION'] = terminal.vscodeVersion;
  for (const [name, value] of Object.entries(terminal.added)) {
    if (value === null) delete env[name];
    else env[name] = value.replace(/\$\{env:(\w+)\}/g, (_, other: string) => host[other] ?? '');
  }
  return env;
}
