import type { Dialect, Turn } from './turn.ts';
import { renderAction, renderObservation } from './turnText.ts';
import { renderShellReply } from './turnTextShell.ts';
import {
  editAction,
  listAction,
  readAction,
  renderEditReply,
  renderListReply,
  renderReadReply,
  renderWriteReply,
  shellAction,
  writeAction,
} from './turnTextTools.ts';

/** The small workspace that the demonstrations are about: absolute folder, and its files by name. */
export const demonstrationWorkspace = {
  folder: '/demo',
  files: {
    'count.py': 'import sys\n\nwords = open(sys.argv[1]).read().split()\nprint(len(words), "words")\n',
    'poem.txt': 'the fog comes\non little cat feet\n',
  },
} as const;

/** A command of the demonstrations with what it really does there. A test runs them. */
export interface DemonstratedCommand {
  command: string;
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** The commands of the demonstrations in order; each starts from what those before it left. */
export const demonstratedCommands: readonly DemonstratedCommand[] = [
  { command: 'python3 count.py poem.txt', stdout: '7 words\n', stderr: '', exitCode: 0 },
  {
    command: 'wc -l poem.txt && cat verse.txt',
    stdout: '2 poem.txt\n',
    stderr: 'cat: verse.txt: No such file or directory\n',
    exitCode: 1,
  },
  { command: 'mkdir -p out && cp poem.txt out/', stdout: '', stderr: '', exitCode: 0 },
  { command: 'grep -c dog out/poem.txt', stdout: '0\n', stderr: '', exitCode: 1 },
];

/**
 * The demonstrations as turns: a listing, a file, commands that succeed, fail, print nothing, and print while they
 * fail, a file that is written and one that is changed. All of it is true of the workspace.
 */
export function demonstrationTurns(dialect: Dialect): Required<Pick<Turn, 'action' | 'observation'>>[] {
  const { folder, files } = demonstrationWorkspace;
  const script = `${folder}/count.py`;
  const names = Object.keys(files).map((name) => ({ name, isFolder: false }));
  const changed = files['count.py'].replace('"words"', '"words in all"');
  const note = `${folder}/out/note.txt`;
  return [
    { action: listAction(dialect, folder), observation: renderListReply(dialect, folder, names) },
    { action: readAction(dialect, script), observation: renderReadReply(dialect, files['count.py']) },
    ...demonstratedCommands.map((one) => ({
      action: shellAction(dialect, one.command),
      observation: renderShellReply(dialect, one),
    })),
    { action: writeAction(dialect, note, 'done\n'), observation: renderWriteReply(dialect, note, false) },
    {
      action: editAction(dialect, script, '"words"', '"words in all"'),
      observation: renderEditReply(dialect, script, { replacements: 1, after: changed, firstChangedLine: 4 }),
    },
  ];
}

/** The value of `{demonstrations}` for the `swe` domain: actions and observations in the form of the turns. */
export function demonstrations(dialect: Dialect): string {
  const { folder } = demonstrationWorkspace;
  const turns = demonstrationTurns(dialect).map(
    ({ action, observation }, index) =>
      `### Demonstration ${index + 1}\n**Action:**\n\`\`\`json\n${renderAction(action)}\n\`\`\`\n\n${renderObservation(observation)}`,
  );
  return `These are steps of another trajectory, in a workspace at ${folder} that has nothing to do with the one below.\n\n${turns.join('\n\n')}`;
}
