// npm run measurements [-- NAME …]: measures, and writes what the benches print into docs/measurements.md, each between the
// two comments of its section, with the day and the machine. Without names everything, which takes hours; what is not
// measured stays as it stands.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { giveUp, root } from '../src/tools/ensure.mjs';

const file = path.join(root, 'docs/measurements.md');

/** Arguments of test/bench.mjs for each section; `text`: what it prints is no Markdown. */
const sections = {
  truth: { args: ['truth', '--quiet'] },
  mkrww: { args: ['mkrww'], text: true },
  votes: { args: ['votes'], text: true },
  speed: { args: ['speed', '--quick'] },
  consented: { args: ['consented'] },
  consent: { args: ['consent'] },
  lab: { args: ['lab'], text: true },
  collect: { args: ['collect'], text: true },
};

/** What a bench prints. A bench that fails its own demands has measured all the same. */
function outputOf(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['test/bench.mjs', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      // Built once, below.
      env: { ...process.env, FORETELL_BUILT: '1' },
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      output += chunk;
    });
    child.on('close', (status) => resolve({ status, output: output.trim() }));
  });
}

function machine() {
  const [cpu] = os.cpus();
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return `${os.cpus().length} cores (${cpu?.model.trim() ?? process.arch}), ${memory} GB, Linux ${os.release().split('-')[0]}, Node ${process.versions.node}`;
}

/** The text of the page with another content between the comments of a section. */
function withSection(page, name, content) {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) giveUp(`docs/measurements.md has no section ${begin} … ${end}; put the two comments in.`);
  return `${page.slice(0, from + begin.length)}\n${content}\n${page.slice(to)}`;
}

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in sections));
if (unknown !== undefined)
  giveUp(`There is no measurement ${unknown}; choose from ${Object.keys(sections).join(', ')}.`);

const { build } = await import('../src/tools/build.mjs');
if (!process.env.FORETELL_BUILT) await build();
for (const name of wanted.length > 0 ? wanted : Object.keys(sections)) {
  const { args, text } = sections[name];
  const { status, output } = await outputOf(args);
  if (output === '') giveUp(`\`node test/bench.mjs ${args.join(' ')}\` printed nothing (status ${status}).`);
  const day = new Date().toISOString().slice(0, 10);
  const printed = text ? `\`\`\`text\n${output}\n\`\`\`` : output;
  const content = `*Measured on ${day} by \`node test/bench.mjs ${args.join(' ')}\` on ${machine()}.*\n\n${printed}`;
  writeFileSync(file, withSection(readFileSync(file, 'utf8'), name, content));
  console.log(`\ndocs/measurements.md: ${name}`);
}
