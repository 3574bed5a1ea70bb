// A model server for measures: it waits as long as it is told, then streams a short reply. It keeps nothing.
//   node test/bench/labServer.mjs DELAY_MS
import http from 'node:http';

const delayMs = Number(process.argv[2] ?? 100);
const model = 'lab/model';
const judgement =
  '<final_evaluation>\n{"strengths": [], "weaknesses": [], "scores": {"format": 4, "factuality": 3, "consistency": 5, "realism": 4, "quality": 3}}\n</final_evaluation>';
const prediction = '<predicted_observation>\nroot@box:/app# ls\nmain.py\nroot@box:/app#\n</predicted_observation>';

const server = http.createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (part) => {
    text += part;
  });
  request.on('end', () => {
    if (request.url === '/v1/models') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: [{ id: model, object: 'model', max_model_len: 262_144 }] }));
      return;
    }
    if (request.url !== '/v1/chat/completions') {
      response.writeHead(404).end();
      return;
    }
    setTimeout(() => {
      const content = text.includes('five dimensions') ? judgement : prediction;
      const chunk = (choices, more = {}) =>
        `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model, choices, ...more })}\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        chunk([{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }]) +
          chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]) +
          chunk([], { usage: { prompt_tokens: 100, completion_tokens: 30, total_tokens: 130 } }) +
          'data: [DONE]\n\n',
      );
    }, delayMs);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
