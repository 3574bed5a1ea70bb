// A model that knows one command, as the script of a cassette server: test/cassettes/serve.mjs.
const prompt = 'user@host:/w$';
const observed = (text) => `<predicted_observation>\n${text}\n</predicted_observation>`;

/** Where the guide looks for servers. */
const port = Number(process.env.FORETELL_MODEL_PORT ?? 8000);

// biome-ignore lint/style/noDefaultExport: that is what the process of the cassette server reads.
export default {
  dialect: 'vllm',
  port,
  answer(body) {
    const turn = body.messages.at(-1).content;
    const knows = turn.includes('seq 3');
    return observed(knows ? `${prompt} seq 3\n1\n2\n3\n${prompt} echo $?\n0\n${prompt}` : '');
  },
};
