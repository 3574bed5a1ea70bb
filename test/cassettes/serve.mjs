// Runs a cassette server as a process of its own, for tests that drive another one (VS Code, the command line).
//   node test/cassettes/serve.mjs SCRIPT.json        SCRIPT: the options of `startServer()` as JSON
//   node test/cassettes/serve.mjs SCRIPT.mjs         default export: the options, also with `answer`
// Prints one line {"baseUrl", "port"}; then one line for each request it has seen. Ends when standard input is closed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { nodeBundle } from '../../src/tools/nodeBundle.mjs';

const folder = path.dirname(fileURLToPath(import.meta.url));
const script = process.argv[2];
if (!script) {
  console.error('Usage: node test/cassettes/serve.mjs SCRIPT.json|SCRIPT.mjs');
  process.exit(2);
}
const options = script.endsWith('.json')
  ? JSON.parse(readFileSync(script, 'utf8'))
  : (await import(pathToFileURL(path.resolve(script)).href)).default;
const outdir = mkdtempSync(path.join(process.env.TMPDIR ?? '/tmp', 'foretell-cassettes-'));
await esbuild.build({
  entryPoints: [path.join(folder, 'server.ts')],
  outfile: path.join(outdir, 'server.mjs'),
  ...nodeBundle,
  format: 'esm',
});
const { startServer } = await import(pathToFileURL(path.join(outdir, 'server.mjs')).href);
rmSync(outdir, { recursive: true, force: true });
const server = await startServer(options);
console.log(JSON.stringify({ baseUrl: server.baseUrl, port: server.port }));
let told = 0;
setInterval(() => {
  // Whoever watches wants the address; the requests are for tests.
  if (process.stdout.isTTY) return;
  for (; told < server.requests.length; told += 1) console.log(JSON.stringify(server.requests[told]));
}, 50);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
