// How long it takes to read a long log and a long recording, with and without looking for secrets, and a long file of ours.
//   node test/bench.mjs imports

import { readTrajectory, trajectoryText, writeTrajectory } from '../../src/core/trajectory/file/trajectoryFile.ts';
import { importTrajectory } from '../../src/core/trajectory/importTrajectory.ts';

const turns = 2_000;
const megabytes = (text: string) => `${(text.length / 1e6).toFixed(1)} MB`;

/** A session of Claude Code in which a command is run again and again. */
function session(): string {
  const lines: string[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const output = `line ${turn} of output, compiled src/file-${turn}.ts\n`.repeat(200);
    const call = { type: 'tool_use', id: `t${turn}`, name: 'Bash', input: { command: `make target-${turn}` } };
    const result = { type: 'tool_result', tool_use_id: `t${turn}`, content: output };
    const common = { sessionId: 's', cwd: '/w' };
    const parentUuid = turn === 0 ? null : `b${turn - 1}`;
    lines.push(
      JSON.stringify({
        ...common,
        type: 'assistant',
        uuid: `a${turn}`,
        parentUuid,
        message: { id: `m${turn}`, content: [call] },
      }),
      JSON.stringify({
        ...common,
        type: 'user',
        uuid: `b${turn}`,
        parentUuid: `a${turn}`,
        message: { content: [result] },
        toolUseResult: { stdout: output, stderr: '', interrupted: false },
      }),
    );
  }
  return lines.join('\n');
}

/** A recording of a shell with bracketed paste. */
function recording(): string {
  const events = Array.from({ length: 5_000 }, (_, index) => [
    [index, 'o', '\u001b[?2004huser@host:~$ '],
    [index + 0.2, 'o', `ls ${index}`],
    [index + 0.4, 'o', '\r\n\u001b[?2004l\r'],
    [index + 0.6, 'o', `out ${index}\r\n`.repeat(20)],
  ]);
  return ['{"version":2,"width":80,"height":24}', ...events.flat().map((event) => JSON.stringify(event))].join('\n');
}

async function measure(what: string, text: string, redact: boolean): Promise<void> {
  const startedAt = performance.now();
  const read = await importTrajectory(text, { redact });
  if ('failure' in read) throw new Error(read.failure.message);
  const milliseconds = Math.round(performance.now() - startedAt);
  console.log(
    `${what}, ${redact ? 'looking for secrets' : 'as it is'}: ${megabytes(text)}, ${read.steps.length} steps, ${milliseconds} ms`,
  );
}

const log = session();
await measure('a session of Claude Code', log, false);
await measure('a session of Claude Code', log, true);
await measure('a recording', recording(), false);
const read = await importTrajectory(log, { redact: false });
if (!('failure' in read)) {
  const text = trajectoryText(read.steps);
  const readAt = performance.now();
  const file = readTrajectory(text);
  const writtenAt = performance.now();
  if (writeTrajectory(file) !== text) throw new Error('The file came back changed.');
  const endedAt = performance.now();
  console.log(
    `a trajectory file: ${megabytes(text)}, read in ${Math.round(writtenAt - readAt)} ms, written in ${Math.round(endedAt - writtenAt)} ms`,
  );
}
console.log(`most memory: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
