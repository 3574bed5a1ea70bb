import type { ReplyFault } from '../../src/core/facts/replyFault.ts';
import type { Reply } from '../cassettes/server.ts';

/** The reply of the shell tool, as it is asked for. */
export function envelope(
  output: string,
  { error = '(none)', exit = '0', signal = '(none)', pids = '(none)' }: Record<string, string> = {},
): string {
  return [
    'Command: node killed.js',
    'Directory: /w',
    `Output: ${output}`,
    `Error: ${error}`,
    `Exit Code: ${exit}`,
    `Signal: ${signal}`,
    `Background PIDs: ${pids}`,
    'Process Group PGID: (none)',
  ].join('\n');
}

const open = '<predicted_observation>';
const close = '</predicted_observation>';
export const inTags = (text: string) => `${open}\n${text}\n${close}`;
const good = inTags(envelope('leaked', { exit: '0' }));

export interface BadReply {
  name: string;
  reply: Reply;
  fault: ReplyFault['kind'];
}

const bad = (name: string, fault: ReplyFault['kind'], content: string, more: Partial<Reply> = {}): BadReply => ({
  name,
  fault,
  reply: { content, ...more },
});

/** Replies that are no answer to the question what `node killed.js` prints. `leaked` stands for what must not come out. */
export const badReplies: readonly BadReply[] = [
  // Those that were reported.
  bad('a refusal', 'refused', "I'm sorry, I can't help with running leaked commands."),
  bad('a refusal between the tags', 'refused', inTags("I'm sorry, but I cannot assist with that leaked request.")),
  bad('prose around a fence', 'fence', inTags('Here is what it prints:\n```\nleaked\n```\nIt exits with code 0.')),
  bad('a tool call in the content', 'tool-call', '{"name": "run_shell_command", "arguments": {"command": "leaked"}}'),
  bad('a tool call between the tags', 'tool-call', inTags('{"name": "bash", "arguments": {"command": "leaked"}}')),
  bad('JSON', 'json', inTags('{"stdout": "leaked", "stderr": "", "exit_code": 0}')),
  bad(
    'translated fields',
    'other-fields',
    inTags('Befehl: node killed.js\nAusgabe: leaked\nFehler: (keine)\nBeendigungscode: 0'),
  ),
  bad(
    'bold fields',
    'other-fields',
    inTags('**Command:** node killed.js\n**Output:** leaked\n**Error:** (none)\n**Exit Code:** 0'),
  ),
  bad('an envelope without tags', 'no-tags', envelope('leaked')),
  bad('an envelope in a wrong tag', 'no-tags', `<observation>\n${envelope('leaked')}\n</observation>`),
  bad(
    'a second turn that nobody took',
    'another-turn',
    `${inTags(envelope('leaked'))}\n\n### Turn 7\n**Action:**\n\`\`\`json\n{"name": "x"}\n\`\`\`\n\n${inTags(envelope('more', { exit: '1' }))}`,
  ),
  bad('a number with words as exit code', 'bad-exit-code', inTags(envelope('leaked', { exit: '3 (error)' }))),
  bad('exit code 300', 'bad-exit-code', inTags(envelope('leaked', { exit: '300' }))),
  bad('neither exit code nor signal', 'bad-exit-code', inTags(envelope('leaked', { exit: '(none)' }))),
  bad('nothing', 'empty', ''),
  bad('cut by length', 'cut', `${open}\nCommand: node killed.js\nDirectory: /w\nOutput: leaked\nand mo`, {
    finish: 'length',
  }),
  // Other languages.
  bad(
    'a refusal in German',
    'refused',
    inTags('Es tut mir leid, aber ich kann diesen Befehl (leaked) nicht ausführen.'),
  ),
  bad('a refusal in Chinese', 'refused', inTags('抱歉，我无法执行 leaked 这个命令。')),
  bad('a refusal in Chinese, bare', 'refused', '对不起，作为一个人工智能，我不能运行 leaked。'),
  bad('a refusal in French', 'refused', inTags('Je suis désolé, je ne peux pas exécuter leaked.')),
  bad('a refusal in Japanese', 'refused', inTags('申し訳ありませんが、leaked を実行することはできません。')),
  bad('a refusal in Russian', 'refused', inTags('К сожалению, я не могу выполнить leaked.')),
  bad('prose in Chinese', 'prose', inTags('该程序会打印 leaked，然后正常退出。')),
  bad('fields in Chinese', 'other-fields', inTags('命令：node killed.js\n输出：leaked\n错误：（无）\n退出代码：0')),
  // Other wrappings.
  bad('an XML form', 'prose', inTags('<result><stdout>leaked</stdout><exit_code>0</exit_code></result>')),
  bad('an HTML page', 'prose', '<html><body><pre>leaked</pre></body></html>'),
  bad(
    'a tag for a tool call',
    'tool-call',
    '<tool_call>\n{"name": "bash", "arguments": {"c": "leaked"}}\n</tool_call>',
  ),
  bad('a JSON fence', 'json', inTags('```json\n{"output": "leaked", "exitCode": 0}\n```')),
  bad('an envelope in a fence', 'fence', inTags(`\`\`\`\n${envelope('leaked')}\n\`\`\``)),
  bad('nested fences', 'fence', inTags(`\`\`\`\`\n\`\`\`text\n${envelope('leaked')}\n\`\`\`\n\`\`\`\``)),
  bad('tags in a fence', 'words-after', `\`\`\`xml\n${good}\n\`\`\``),
  bad('an announcement', 'prose', inTags(`Here is the output:\n\n${envelope('leaked')}`)),
  bad('a Markdown table', 'other-fields', inTags('| Output | leaked |\n|---|---|\n| Exit Code | 0 |')),
  bad('a list', 'other-fields', inTags('- Output: leaked\n- Error: none\n- Exit Code: 0')),
  bad('escape sequences around the fields', 'prose', inTags(`\u001b[1mOutput:\u001b[0m leaked\nExit Code: 0`)),
  // Characters that cannot be seen.
  bad(
    'zero-width blanks in the tags',
    'prose',
    `<predicted\u200b_observation>\nleaked\n</predicted\u200b_observation>`,
  ),
  bad('a zero-width blank in the exit code', 'bad-exit-code', inTags(envelope('leaked', { exit: '\u200b0' }))),
  bad('digits of full width', 'bad-exit-code', inTags(envelope('leaked', { exit: '０' }))),
  // Envelopes that are not whole, or more than one.
  bad(
    'an envelope that ends in its output',
    'field-missing',
    inTags('Command: node killed.js\nDirectory: /w\nOutput: leaked'),
  ),
  bad('an envelope without output', 'field-missing', inTags('Command: node killed.js\nError: leaked\nExit Code: 0')),
  bad('two envelopes', 'several-answers', inTags(`${envelope('leaked')}\n${envelope('other', { exit: '1' })}`)),
  bad('two answers', 'several-answers', `${good}\n${inTags(envelope('other', { exit: '1' }))}`),
  bad('a draft that is never closed', 'several-answers', `${open}\n${envelope('leaked')}\nWait.\n${good}`),
  bad('a closing tag that is missing', 'unclosed', `${open}\n${envelope('leaked')}`),
  bad('thinking that is never closed', 'only-reasoning', '<think>\nIt prints leaked and exits 0. Let me see.'),
  bad('nothing but thinking', 'only-reasoning', '<think>\nIt prints leaked.\n</think>\n'),
  bad('reasoning apart and nothing else', 'only-reasoning', '', { reasoning: 'It prints leaked.' }),
  bad('an open answer in the reasoning', 'only-reasoning', '', { reasoning: `${open}\n${envelope('leaked')}` }),
  bad('white space', 'empty', ' \n\n\t \n'),
  bad('thinking that is cut', 'cut', '<think>\nleaked leaked', { finish: 'length' }),
  // Exit codes and signals.
  bad('NaN as exit code', 'bad-exit-code', inTags(envelope('leaked', { exit: 'NaN' }))),
  bad('a negative exit code', 'bad-exit-code', inTags(envelope('leaked', { exit: '-1' }))),
  bad('an exit code in words', 'bad-exit-code', inTags(envelope('leaked', { exit: 'zero' }))),
  bad('an exit code with a fraction', 'bad-exit-code', inTags(envelope('leaked', { exit: '0.0' }))),
  bad('a number and a signal in one field', 'bad-exit-code', inTags(envelope('leaked', { exit: '137 (SIGKILL)' }))),
  bad(
    'the exit code in another field',
    'bad-exit-code',
    inTags(envelope('leaked', { exit: '(none)', error: 'exit code 0' })),
  ),
  bad('success beside a signal', 'bad-signal', inTags(envelope('leaked', { signal: 'SIGKILL' }))),
  bad('a signal that there is not', 'bad-signal', inTags(envelope('leaked', { exit: '(none)', signal: 'SIGOOPS' }))),
  // Echoes, loops, and words behind the answer.
  bad(
    'the form unfilled',
    'bad-exit-code',
    inTags(envelope('<output>', { exit: '<exit code>', error: '<error>' }).replace('node killed.js', 'leaked')),
  ),
  bad('the form filled but for the output', 'placeholder', inTags(envelope('<the actual output>'))),
  bad(
    'the prompt',
    'another-turn',
    '### Turn 6\n**Action:**\n```json\n{"name": "run_shell_command", "arguments": "leaked"}\n```\n\nWork out step by step what this action does.',
  ),
  bad('a loop', 'prose', 'The output is leaked. '.repeat(400)),
  bad('a huge text', 'prose', `leaked ${'x'.repeat(300_000)}`),
  bad('an apology behind the tags', 'words-after', `${good}\n\nI apologize, I cannot really run this.`),
  bad(
    'an apology behind the fields',
    'field-missing',
    inTags(`${envelope('leaked')}\n\nI apologize, that was a guess.`),
  ),
  bad(
    'a turn of the user behind an untagged envelope',
    'another-turn',
    `${envelope('leaked')}\nUser: thanks\nAssistant: you are welcome`,
  ),
  bad('chat tokens and a turn', 'another-turn', `leaked\n<|im_end|>\n<|im_start|>user\nnext`),
];

/** Calls that the server tells of apart, without any text. */
export const calledReply: Reply = {
  content: '',
  calls: [{ name: 'run_shell_command', arguments: '{"command":"leaked"}' }],
};

export interface GoodReply {
  name: string;
  reply: Reply;
  stdout: string;
  stderr?: string;
  exitCode?: number;
}

const says = (
  name: string,
  content: string,
  stdout: string,
  more: Partial<GoodReply> & { with?: Partial<Reply> } = {},
): GoodReply => {
  const { with: given = {}, ...rest } = more;
  return { name, reply: { content, ...given }, stdout, ...rest };
};

const nested = envelope('inner').replace('node killed.js', 'cat transcript');

/** Replies that are answers, however odd what the program prints. */
export const goodReplies: readonly GoodReply[] = [
  says('a plain answer', inTags(envelope('hello')), 'hello\n'),
  says('an answer behind thinking', `<think>\nIt prints.\n</think>\n\n${inTags(envelope('hello'))}`, 'hello\n'),
  says('thinking without its opening tag', `so it prints\n</think>\n${inTags(envelope('hello'))}`, 'hello\n'),
  says(
    'thinking with a draft',
    `<think>\n${inTags(envelope('draft'))}\n</think>\n${inTags(envelope('hello'))}`,
    'hello\n',
  ),
  says('reasoning apart', inTags(envelope('hello')), 'hello\n', { with: { reasoning: 'It prints.' } }),
  says('an answer in the reasoning', '', 'hello\n', { with: { reasoning: `So:\n${inTags(envelope('hello'))}` } }),
  says('prose before the answer', `The program says hello, so:\n\n${inTags(envelope('hello'))}`, 'hello\n'),
  says(
    'tags that the prose mentions',
    `I put it between \`${open}\` and \`${close}\`.\n${inTags(envelope('hello'))}`,
    'hello\n',
  ),
  says('tags on the lines of the answer', `${open}${envelope('hello')}${close}`, 'hello\n'),
  says(
    'tags in capitals',
    inTags(envelope('hello')).replaceAll('predicted_observation', 'PREDICTED_OBSERVATION'),
    'hello\n',
  ),
  says('the marker of an observation', inTags(`**Environment Observation:**\n${envelope('hello')}`), 'hello\n'),
  says('lines that end with CRLF', inTags(envelope('one\ntwo')).replaceAll('\n', '\r\n'), 'one\ntwo\n'),
  says('a byte order mark', `\ufeff${inTags(envelope('hello'))}`, 'hello\n'),
  says('a failure', inTags(envelope('(empty)', { error: 'boom', exit: '3' })), '', { stderr: 'boom\n', exitCode: 3 }),
  says('exit code 255', inTags(envelope('hello', { exit: '255' })), 'hello\n', { exitCode: 255 }),
  says('a signal', inTags(envelope('(empty)', { exit: '(none)', signal: 'SIGKILL' })), '', { exitCode: 137 }),
  says('a signal by its number', inTags(envelope('(empty)', { exit: '(none)', signal: '15' })), '', { exitCode: 143 }),
  says('a signal beside its exit code', inTags(envelope('x', { exit: '139', signal: 'SIGSEGV' })), 'x\n', {
    exitCode: 139,
  }),
  says('no output', inTags(envelope('(empty)')), ''),
  says('the word null', inTags(envelope('null')), 'null\n'),
  says('output that begins below its name', inTags(envelope('\nhello').replace('Output: ', 'Output:')), 'hello\n'),
  says('output with a fence', inTags(envelope('```json\n{"a": 1}\n```')), '```json\n{"a": 1}\n```\n'),
  says(
    'output that is JSON',
    inTags(envelope('{"name": "bash", "arguments": {}}')),
    '{"name": "bash", "arguments": {}}\n',
  ),
  says(
    'output with tags',
    inTags(envelope(`a ${close} b\n${open}\nc\n${close}`)),
    `a ${close} b\n${open}\nc\n${close}\n`,
  ),
  says('output with an opening tag', inTags(envelope(`3:${open}`)), `3:${open}\n`),
  says('output with thinking', inTags(envelope('<think>\nhm\n</think>\nok')), '<think>\nhm\n</think>\nok\n'),
  says(
    'output that is sorry',
    inTags(envelope("I'm sorry, I can't do that, Dave.", { exit: '1' })),
    "I'm sorry, I can't do that, Dave.\n",
    {
      exitCode: 1,
    },
  ),
  says('output that is an envelope', inTags(envelope(nested)), `${nested}\n`),
  says(
    'output with an exit code in it',
    inTags(envelope('Exit Code: 7\nSignal: 9\nend')),
    'Exit Code: 7\nSignal: 9\nend\n',
  ),
  says(
    'output in bold and of a chat',
    inTags(envelope('**Output:** x\nUser: hi\n### Turn 3')),
    '**Output:** x\nUser: hi\n### Turn 3\n',
  ),
  says('output with escape sequences', inTags(envelope('\u001b[31mred\u001b[0m')), '\u001b[31mred\u001b[0m\n'),
  says(
    'an error that looks like a field',
    inTags(envelope('Error: in the output\nnode')),
    'Error: in the output\nnode\n',
  ),
  says('a model that runs on into the next turn', `${inTags(envelope('hello'))}\n\n### Turn 9\nignored`, 'hello\n'),
  says('the form of the other dialect', inTags('Exit code 4\nhello'), 'hello\n', { exitCode: 4 }),
  says('a whole answer at the end of the budget', inTags(envelope('hello')), 'hello\n', { with: { finish: 'length' } }),
  says('a whole answer in thinking that is not closed', `<think>\nSo:\n${inTags(envelope('hello'))}`, 'hello\n'),
];
