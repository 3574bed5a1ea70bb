import { constants } from 'node:os';
import type { Dialect } from '../prompt/turns/turn.ts';
import { unknownPrefix } from '../prompt/turns/turnTextUnknown.ts';
import { type Grammar, type GrammarPart, oneWord, words } from './replyGrammar.ts';

/** What stands in a field of the reply of a shell tool. */
type Holds = 'line' | 'text' | 'exitCode' | 'signal';

/**
 * The fields of the reply of a shell tool of the Qwen dialect, in order: the prompt, the reader and the grammar for servers are
 * made of this list. `says`: what stands there, and `empty` what stands for nothing.
 */
export const shellFields = [
  { name: 'Command', holds: 'text' },
  { name: 'Directory', holds: 'line', says: 'the folder that was given', empty: '(root)' },
  { name: 'Output', holds: 'text', says: 'what the command prints on standard output', empty: '(empty)' },
  {
    name: 'Error',
    holds: 'text',
    says: 'what it prints on standard error, or why it could not be started',
    empty: '(none)',
  },
  { name: 'Exit Code', holds: 'exitCode' },
  { name: 'Signal', holds: 'signal' },
  { name: 'Background PIDs', holds: 'line', empty: '(none)' },
  { name: 'Process Group PGID', holds: 'line', empty: '(none)' },
] as const satisfies readonly { name: string; holds: Holds; says?: string; empty?: string }[];

/** What `Exit Code:` says of a command that does not end by itself. */
const stillRunning = 'still running';

/** Letters of `git status --porcelain` for what changed. */
const statusLetters = [' M', 'M ', 'MM', 'A ', 'AM', ' D', 'D ', 'AD', 'R ', 'RM', ' T', 'T ', '??', '!!', 'UU'];

const exitCode: GrammarPart = { kind: 'number', least: 0, most: 255 };
const line: GrammarPart = { kind: 'line' };
const text: GrammarPart = { kind: 'text' };
const cannotKnow: Grammar = [words(`${unknownPrefix} `), line, words(']]')];

/** The lines that mark the parts of what several commands print as one. */
export interface Marks {
  /** Begins the line behind the program, which ends with its exit code. */
  exit: string;
  end: string;
}

/** A changed file: letters and a path, or how many files there are and where. */
const changedLine: Grammar = [
  {
    kind: 'oneOf',
    of: [
      [oneWord(...statusLetters), words(' '), line],
      [
        { kind: 'any', of: [words(' ')] },
        { kind: 'number', least: 1, most: Number.POSITIVE_INFINITY },
        words(' ./'),
        line,
      ],
    ],
  },
  words('\n'),
];

/** What is printed by a program and the look behind it. */
function markedOutput({ exit, end }: Marks): Grammar {
  return [text, words(`${exit} `), exitCode, words('\n'), { kind: 'any', of: changedLine }, words(end)];
}

/** The reply of a shell tool about one command; with `marks` about a program and a look at what it changed. */
export function shellGrammar(dialect: Dialect, marks?: Marks): Grammar {
  const printed = marks ? markedOutput(marks) : [text];
  if (dialect === 'claude') {
    const failed: Grammar = [words('Exit code '), { kind: 'number', least: 1, most: 255 }, words('\n')];
    return [{ kind: 'oneOf', of: [cannotKnow, printed, [...failed, ...printed]] }];
  }
  const signals = Object.keys(constants.signals);
  const ended = envelope(printed, [
    [exitCode, words('\nSignal: (none)')],
    [words('(none)\nSignal: '), oneWord(...signals)],
  ]);
  const running = envelope([text], [[words(`${stillRunning}\nSignal: (none)`)]]);
  return [{ kind: 'oneOf', of: [cannotKnow, ended, running] }];
}

function envelope(printed: Grammar, endings: readonly Grammar[]): Grammar {
  return shellFields.flatMap(({ name, holds }, index): GrammarPart[] => {
    // The exit code and the signal belong together.
    if (holds === 'signal') return [];
    const label = words(`${index === 0 ? '' : '\n'}${name}: `);
    if (holds === 'exitCode') return [label, { kind: 'oneOf', of: endings }];
    return [label, ...(name === 'Output' ? printed : [holds === 'text' ? text : line])];
  });
}

/** Says the form to a model. */
export function shellFormWords(dialect: Dialect): string {
  if (dialect === 'claude')
    return 'The reply of this tool is what the command prints, standard output before standard error, and nothing else: no comment, no code fence. Where the command fails, a first line `Exit code N` stands before it, with N from 1 to 255. Where it succeeds and prints nothing, the reply is `(Bash completed with no output)`.';
  const fields = shellFields.map((field) => {
    const says = 'says' in field ? ` (${field.says}, or \`${field.empty}\`)` : '';
    return `\`${field.name}:\`${says}`;
  });
  return [
    `The reply of this tool has these fields, each with its name at the beginning of a line, in English, without any markup: ${fields.join(', ')} (these two are usually \`(none)\`).`,
    `\`Exit Code:\` is a whole number from 0 to 255 and nothing else. Only if a signal ends the command it is \`(none)\`, and \`Signal:\` names the signal; otherwise \`Signal:\` is \`(none)\`. If the command does not end by itself, as a server, \`Exit Code:\` is \`${stillRunning}\`.`,
  ].join(' ');
}

/** Says what a program and the look behind it print. */
export function markedFormWords({ exit, end }: Marks): string {
  return `What is printed here is first the output of the program, whole; then the line \`${exit} N\`, where N is the program's exit code; then a line for each file that differs, as \`git status --porcelain\` prints it or with the number of files before its path; then the line \`${end}\`. A program that does not end by itself prints no such line.`;
}
