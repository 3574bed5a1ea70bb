// A model that is none, to try the tools for prompts without a server: it takes for granted that every command succeeds and
// prints nothing, unless a line of the system prompt tells it better: `ls` prints `README.md`.
//   node test/cassettes/serve.mjs test/cassettes/standIn.mjs      serves it at http://127.0.0.1:8000/v1 until Ctrl+C; another
//   port: PORT=8001
/** The command of the last turn: a JSON object whose `arguments` are JSON, too. */
function commandOf(asked) {
  const call = /```json\n([\s\S]*?)\n```/.exec(asked)?.[1];
  try {
    return String(JSON.parse(JSON.parse(call).arguments).command ?? '');
  } catch {
    return '';
  }
}

function reply(command, output) {
  return [
    `Command: ${command}`,
    'Directory: (root)',
    `Output: ${output ?? '(empty)'}`,
    'Error: (none)',
    'Exit Code: 0',
    'Signal: (none)',
    'Background PIDs: (none)',
    'Process Group PGID: (none)',
  ].join('\n');
}

// biome-ignore lint/style/noDefaultExport: that is what the process of the cassette server reads.
export default {
  dialect: 'vllm',
  models: ['stand-in'],
  port: Number(process.env.PORT ?? 8000),
  answer({ messages }) {
    const command = commandOf(String(messages.at(-1).content));
    const told = [...String(messages[0].content).matchAll(/^`(.+)` prints `(.*)`\.?$/gm)];
    const output = told.find(([, said]) => said === command)?.[2];
    return `<predicted_observation>\n${reply(command, output)}\n</predicted_observation>`;
  },
};
