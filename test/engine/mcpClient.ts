import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { after } from 'node:test';

/** What a server answered, as a client of the modern era reads it. */
export interface McpAnswer {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** A small client of the modern era: no handshake, every request says its version. */
export interface ModernClient {
  child: ChildProcess;
  /** Everything that came, in order. */
  lines: string[];
  ask(method: string, params?: object, options?: { progressToken?: string; id?: number }): Promise<McpAnswer>;
  notify(method: string, params: object): void;
  /** Closes standard input; gives the exit status. */
  end(): Promise<number | null>;
}

/** The built command line. */
export const cli = path.resolve('dist/cli.js');

/** Starts `foretell mcp` in a folder. */
export function modernClient(cwd: string, args: readonly string[] = [], env = process.env): ModernClient {
  const child = spawn(process.execPath, [cli, 'mcp', ...args], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  // A test that fails does not end it.
  after(() => child.kill('SIGKILL'));
  const waiting = new Map<number, (answer: McpAnswer) => void>();
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = `${rest}${text}`.split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      const answer = JSON.parse(line) as McpAnswer;
      if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
    }
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let last = 0;
  return {
    child,
    lines,
    ask(method, params = {}, { progressToken, id = ++last } = {}) {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'small', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
        ...(progressToken === undefined ? {} : { progressToken }),
      };
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        send({ id, method, params: { ...params, _meta } });
      });
    },
    notify: (method, params) => void send({ method, params }),
    end() {
      child.stdin.end();
      return exited;
    },
  };
}
