import { shellFormWords } from '../reply/shellGrammar.ts';
import type { Dialect } from './turns/turn.ts';
import { spacedJson } from './turns/turnText.ts';

/** A tool of an agent: its name, what it does and replies, and the JSON Schema of its arguments. */
export interface ToolDefinition {
  name: string;
  description: string;
  parameters: Readonly<Record<string, unknown>>;
}

/** Function definitions as they stand in a prompt: one JSON object a line, in the form of the OpenAI API. */
export function renderToolDefinitions(tools: readonly ToolDefinition[]): string {
  return tools.map((tool) => spacedJson({ type: 'function', function: tool })).join('\n');
}

/** The value of `{tool_definitions}` for the `swe` domain. */
export function toolDefinitions(dialect: Dialect): string {
  return renderToolDefinitions(sweTools[dialect]);
}

interface Property {
  type: string;
  description: string;
  [more: string]: unknown;
}

function schema(properties: Record<string, Property>, required: string[]): ToolDefinition['parameters'] {
  return { type: 'object', properties, required };
}

function text(description: string, more: Record<string, unknown> = {}): Property {
  return { type: 'string', description, ...more };
}

function count(description: string): Property {
  return { type: 'integer', description };
}

function flag(description: string): Property {
  return { type: 'boolean', description };
}

function todos(properties: Record<string, Property>, required: string[]): Property {
  const items = { type: 'object', properties, required };
  return { type: 'array', description: 'The whole new list; it takes the place of the old one.', items };
}

const todoStatus = text('Where the task stands.', { enum: ['pending', 'in_progress', 'completed'] });

const qwenTools: readonly ToolDefinition[] = [
  {
    name: 'run_shell_command',
    description: `Runs a command with \`bash -c\`. The shell is a new one each time: variables and \`cd\` do not last. ${shellFormWords('qwen')}`,
    parameters: schema(
      {
        command: text('The command line, as bash takes it.'),
        description: text('What the command is for, in a few words; changes nothing.'),
        directory: text('Absolute path of the folder to run it in. Without it: the root of the workspace.'),
        is_background: flag('The command is left running, and the reply comes at once.'),
      },
      ['command'],
    ),
  },
  {
    name: 'read_file',
    description:
      'Gives the content of a text file. Of a long file, or when offset or limit are given, only a part, after one line that says which lines are shown of how many.',
    parameters: schema(
      {
        absolute_path: text('Absolute path of the file.'),
        offset: count('First line to show, counted from 0; goes with limit.'),
        limit: count('How many lines to show.'),
      },
      ['absolute_path'],
    ),
  },
  {
    name: 'write_file',
    description:
      'Writes a file as a whole; missing folders are made. Replies "Successfully created and wrote to new file: PATH." or "Successfully overwrote file: PATH."',
    parameters: schema({ file_path: text('Absolute path of the file.'), content: text('The whole new content.') }, [
      'file_path',
      'content',
    ]),
  },
  {
    name: 'edit',
    description:
      'Replaces text in a file. old_string must occur in the file exactly as given, blanks and line breaks included; an empty old_string makes a new file. Replies "Successfully modified file: PATH (N replacements)." or why nothing was changed.',
    parameters: schema(
      {
        file_path: text('Absolute path of the file.'),
        old_string: text('The text to replace, with enough around it to be found once.'),
        new_string: text('What takes its place.'),
        expected_replacements: count('How many times old_string must occur; 1 without it.'),
      },
      ['file_path', 'old_string', 'new_string'],
    ),
  },
  {
    name: 'list_directory',
    description: 'Lists the entries of a folder: folders first, marked with [DIR], then files, both by name.',
    parameters: schema(
      {
        path: text('Absolute path of the folder.'),
        ignore: { type: 'array', description: 'Glob patterns of names to leave out.', items: { type: 'string' } },
      },
      ['path'],
    ),
  },
  {
    name: 'glob',
    description:
      'Finds files by a glob pattern. Replies with absolute paths, those changed last first, or that there are none.',
    parameters: schema(
      {
        pattern: text('For example `src/**/*.ts`.'),
        path: text('Folder to look in; without it the root of the workspace.'),
      },
      ['pattern'],
    ),
  },
  {
    name: 'search_file_content',
    description: 'Searches files for a regular expression. Replies with the matching lines, their numbers and files.',
    parameters: schema(
      {
        pattern: text('The regular expression.'),
        path: text('Folder to search; without it the root of the workspace.'),
        include: text('Glob pattern of the files to search.'),
      },
      ['pattern'],
    ),
  },
  {
    name: 'todo_write',
    description: "Replaces the agent's list of tasks. It changes no file of the workspace.",
    parameters: schema(
      {
        todos: todos({ id: text('Name of the task.'), content: text('What is to be done.'), status: todoStatus }, [
          'id',
          'content',
          'status',
        ]),
      },
      ['todos'],
    ),
  },
];

const editProperties = {
  old_string: text('The text to replace, exactly as it stands in the file.'),
  new_string: text('What takes its place; must differ.'),
  replace_all: flag('Replace every occurrence; without it old_string must occur once.'),
};

const claudeTools: readonly ToolDefinition[] = [
  {
    name: 'Bash',
    description: `Runs a command in a bash that stays open: its folder lasts from call to call. ${shellFormWords('claude')}`,
    parameters: schema(
      {
        command: text('The command line, as bash takes it.'),
        description: text('What the command does, in a few words; changes nothing.'),
        timeout: count('Longest time in milliseconds; at most 600000, without it 120000.'),
        run_in_background: flag('The command is left running, and the reply comes at once.'),
      },
      ['command'],
    ),
  },
  {
    name: 'Read',
    description:
      'Gives the lines of a file as `cat -n` prints them: the number right-aligned in six columns, a tab, the line. At most 2000 lines at a time.',
    parameters: schema(
      {
        file_path: text('Absolute path of the file.'),
        offset: count('First line to show, counted from 1.'),
        limit: count('How many lines to show.'),
      },
      ['file_path'],
    ),
  },
  {
    name: 'Write',
    description:
      'Writes a file as a whole. A file that exists must have been read before. Replies "File created successfully at: PATH", or that the file has been updated.',
    parameters: schema({ file_path: text('Absolute path of the file.'), content: text('The whole new content.') }, [
      'file_path',
      'content',
    ]),
  },
  {
    name: 'Edit',
    description:
      'Replaces text in a file that was read before. Replies that the file has been updated, with the lines around the change as `cat -n` prints them, or why nothing was changed.',
    parameters: schema({ file_path: text('Absolute path of the file.'), ...editProperties }, [
      'file_path',
      'old_string',
      'new_string',
    ]),
  },
  {
    name: 'MultiEdit',
    description: 'Makes several replacements in one file, one after the other. Either all of them are made or none.',
    parameters: schema(
      {
        file_path: text('Absolute path of the file.'),
        edits: {
          type: 'array',
          description: 'The replacements; each sees what those before it did.',
          items: { type: 'object', properties: editProperties, required: ['old_string', 'new_string'] },
        },
      },
      ['file_path', 'edits'],
    ),
  },
  {
    name: 'Glob',
    description:
      'Finds files by a glob pattern. Replies with absolute paths, those changed last first, or "No files found".',
    parameters: schema(
      { pattern: text('For example `src/**/*.ts`.'), path: text('Folder to look in; without it the current one.') },
      ['pattern'],
    ),
  },
  {
    name: 'Grep',
    description: 'Searches files with ripgrep. Without output_mode it replies with the paths of the files that match.',
    parameters: schema(
      {
        pattern: text('The regular expression.'),
        path: text('File or folder to search; without it the current folder.'),
        glob: text('Glob pattern of the files to search.'),
        output_mode: text('What to reply with.', { enum: ['content', 'files_with_matches', 'count'] }),
        '-n': flag('Show line numbers; with output_mode "content".'),
        '-i': flag('Capitals do not matter.'),
        head_limit: count('At most so many lines or files.'),
      },
      ['pattern'],
    ),
  },
  {
    name: 'LS',
    description: 'Lists a folder as a tree: its absolute path, then its entries indented by two, folders with a slash.',
    parameters: schema(
      {
        path: text('Absolute path of the folder.'),
        ignore: { type: 'array', description: 'Glob patterns of names to leave out.', items: { type: 'string' } },
      },
      ['path'],
    ),
  },
  {
    name: 'TodoWrite',
    description: "Replaces the agent's list of tasks. It changes no file of the workspace.",
    parameters: schema(
      {
        todos: todos(
          {
            content: text('What is to be done.'),
            status: todoStatus,
            activeForm: text('The same, as what is being done.'),
          },
          ['content', 'status', 'activeForm'],
        ),
      },
      ['todos'],
    ),
  },
];

/** The tools of the `swe` domain. */
export const sweTools: Readonly<Record<Dialect, readonly ToolDefinition[]>> = { qwen: qwenTools, claude: claudeTools };
