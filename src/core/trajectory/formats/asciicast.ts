import type { TrajectoryStep } from '../step/step.ts';
import { type Imported, type ImportOptions, type JsonObject, jsonLines, objectOf, textOf } from './imported.ts';
import { commandsInStream, type StreamCommand } from './terminalStream.ts';

/**
 * Recordings of asciinema, version 2 and 3: a header, then one event a line. The commands and outputs are found in what
 * the terminal printed (`commandsInStream`); a step says how sure that is. Keys that were recorded are not needed.
 */
export function importAsciicast(text: string, { name }: ImportOptions): Imported {
  const imported: Imported = { steps: [], problems: [] };
  let header: JsonObject | undefined;
  let now = 0;
  const pieces: string[] = [];
  const times: { offset: number; seconds: number }[] = [];
  let length = 0;
  for (const line of jsonLines(text.replace(/^#.*$/gm, ''))) {
    if (!line.ok) imported.problems.push(line);
    else if (!header) {
      header = objectOf(line.value);
      const version = header?.['version'];
      if (version !== 2 && version !== 3) {
        const message = `The header does not name version 2 or 3 of asciicast (it says ${JSON.stringify(version)}).`;
        return { steps: [], problems: [{ line: line.line, message }] };
      }
    } else {
      const [seconds, kind, data] = Array.isArray(line.value) ? line.value : [];
      if (typeof seconds !== 'number' || typeof kind !== 'string' || typeof data !== 'string') {
        imported.problems.push({ line: line.line, message: 'This is no event: it needs a time, a kind and a text.' });
        continue;
      }
      // Version 3 counts from the event before.
      now = header['version'] === 3 ? now + seconds : seconds;
      if (kind !== 'o') continue;
      times.push({ offset: length, seconds: now });
      pieces.push(data);
      length += data.length;
    }
  }
  const started = typeof header?.['timestamp'] === 'number' ? header['timestamp'] : undefined;
  const at = timeline(times);
  const title = textOf(header?.['title']);
  for (const command of commandsInStream(pieces.join(''))) {
    const before = imported.steps.at(-1);
    const step = stepOf(command, `${name}#${imported.steps.length + 1}`, name, {
      beganSeconds: at(command.start),
      // What was printed last before the end is when it ended.
      endedSeconds: at(Math.max(command.start, command.end - 1)),
    });
    if (before) step.after = before.id;
    else if (title !== undefined) step.note = title;
    // On a screen that is read as a whole nothing says when a command began.
    if (started !== undefined && command.found !== 'prompt')
      step.at = new Date((started + at(command.start)) * 1000).toISOString();
    if (!before && command.prompt !== '') step.state = command.prompt.trimEnd();
    imported.steps.push(step);
  }
  if (imported.steps.length === 0) {
    const message =
      'No command was recognised in the recording: it has neither marks of a shell nor prompts that are known.';
    imported.problems.push({ line: 0, message });
  }
  return imported;
}

function timeline(times: readonly { offset: number; seconds: number }[]): (offset: number) => number {
  return (offset) => {
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((times[middle]?.offset ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return times[low]?.seconds ?? 0;
  };
}

function stepOf(
  found: StreamCommand,
  id: string,
  trajectory: string,
  { beganSeconds, endedSeconds }: { beganSeconds: number; endedSeconds: number },
): TrajectoryStep {
  const { command, output, prompt, nextPrompt = '', exitCode, cwd } = found;
  const tookSeconds = found.found === 'prompt' ? 1 : endedSeconds - beganSeconds;
  const duration = Math.max(0.1, Math.round(tookSeconds * 10) / 10);
  return {
    version: 1,
    id,
    trajectory,
    domain: 'terminal',
    action: {
      kind: 'turn',
      domain: 'terminal',
      turn: { kind: 'keystrokes', keystrokes: [{ keystrokes: `${command}\n`, duration }] },
      ...(cwd === undefined ? {} : { cwd }),
    },
    observation: {
      text: `${prompt}${command.replaceAll('\n', '\n> ')}\n${output}${nextPrompt}`.trimEnd(),
      basis: 'observed',
      facts: {
        output: output === '' ? [] : [{ stream: 'stdout', text: output, basis: 'observed' }],
        ...(exitCode === undefined ? {} : { exitCode }),
        files: [],
        effects: [],
      },
      known: exitCode === undefined ? ['output'] : ['output', 'exitCode'],
      source: 'asciicast',
    },
    uncertain: doubts(found),
  };
}

function doubts({ found, tookScreen, exitCode }: StreamCommand): string[] {
  const how = {
    marks: undefined,
    paste:
      'Where the command begins and ends was told from the switches of bracketed paste, not by marks of the shell.',
    prompt: 'The command was recognised by what looks like a prompt before it; how long it took is not known.',
  }[found];
  return [
    ...(how === undefined ? [] : [how]),
    ...(exitCode === undefined ? ['The exit code is not in the recording.'] : []),
    ...(tookScreen ? ['A program took the whole screen; what it painted is left out.'] : []),
    'A terminal shows both streams as one: what went to standard error stands under standard output.',
  ];
}
