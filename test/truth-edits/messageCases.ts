import type { EditAction } from '../../src/core/action/action.ts';
import { readEdit } from '../../src/core/action/edit/readEdit.ts';
import type { EditCase } from './editCase.ts';
import { type Files, runTool } from './place.ts';

/** A message in which a patch stands, and what the tool is really given: the message itself where nothing is said. */
interface Message {
  name: string;
  text: string;
  /** What a person would give to the tool, where the message itself is no patch to it. */
  meant?: string;
  files?: Files;
  tool?: 'git-apply' | 'patch';
}

const fence = '```';
const files: Files = {
  'a.md': `# A\n\n${fence}sh\nnpm i\n${fence}\n\nend\n`,
  'b.md': `# B\n\n${fence}sh\nold\n${fence}\n\nend\n`,
  'c.txt': 'a\nb\nc\n',
};
const diffOf = (name: string, from: string, to: string) =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1,7 +1,7 @@\n # ${name.charAt(0).toUpperCase()}\n \n ${fence}sh\n-${from}\n+${to}\n ${fence}\n \n end\n`;
const plainDiff = '--- a/c.txt\n+++ b/c.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n';
const gitDiff = `diff --git a/c.txt b/c.txt\n${plainDiff}`;
const both = `${diffOf('a.md', 'npm i', 'npm ci')}${diffOf('b.md', 'old', 'new')}`;
const three = `${both}${gitDiff}`;
const newMarkdown = `diff --git a/n.md b/n.md\nnew file mode 100644\n--- /dev/null\n+++ b/n.md\n@@ -0,0 +1,3 @@\n+${fence}\n+x\n+${fence}\n`;
const mail = (subject: string, body: string, diff: string) =>
  `From 1111111111111111111111111111111111111111 Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nDate: Sat, 1 Jun 2024 12:00:00 +0000\nSubject: [PATCH] ${subject}\n\n${body}\n---\n a.md | 2 +-\n 1 file changed\n\n${diff}-- \n2.39.5\n\n`;
const quoted = (text: string, mark: string) =>
  text.replace(/^(.*)\n/gm, (_, line: string) => `${line === '' ? mark.trimEnd() : mark}${line}\n`);
const context = '*** a/c.txt\n--- b/c.txt\n***************\n*** 1,3 ****\n  a\n! b\n  c\n--- 1,3 ----\n  a\n! B\n  c\n';
const coloured = gitDiff
  .replace(/^-b$/m, '\u001b[31m-b\u001b[m')
  .replace(/^\+B$/m, '\u001b[32m+\u001b[m\u001b[32mB\u001b[m')
  .replace(/^(diff .*|--- .*|\+\+\+ .*)$/gm, '\u001b[1m$1\u001b[m')
  .replace(/^(@@.*@@)$/m, '\u001b[36m$1\u001b[m');

const messages: readonly Message[] = [
  {
    name: 'a mail whose reason has a fence',
    text: mail('x', `Because:\n\n${fence}\nnpm i\n${fence}\n\nis slow.`, three),
  },
  { name: 'a mail with an open fence', text: mail('x', `See ${fence}\n${fence}sh\nfoo`, three) },
  { name: 'a message with one fence around all', text: `Do this:\n\n${fence}diff\n${three}${fence}\n\nand that.\n` },
  {
    name: 'a fence for each file',
    text: `One:\n\n${fence}diff\n${diffOf('a.md', 'npm i', 'npm ci')}${fence}\nTwo:\n\n${fence}diff\n${diffOf('b.md', 'old', 'new')}${fence}\nThree:\n${fence}\n${gitDiff}${fence}\n`,
  },
  { name: 'four backticks', text: `Do:\n\n${fence}\`diff\n${both}${fence}\`\nbye\n` },
  { name: 'tildes', text: `Do:\n\n~~~diff\n${both}~~~\nbye\n` },
  {
    name: 'other code before',
    text: `Run\n\n${fence}sh\ngit apply x\n${fence}\n\nwith\n\n${fence}diff\n${three}${fence}\n`,
  },
  { name: 'other code behind', text: `${three}\n${fence}sh\nnpm test\n${fence}\n` },
  { name: 'a new file of fences', text: `Here:\n${fence}diff\n${newMarkdown}${fence}\n` },
  { name: 'two mails', text: `${mail('1', `${fence}\nx\n${fence}`, both)}${mail('2', 'y', gitDiff)}` },
  { name: 'CRLF everywhere', text: mail('x', `${fence}\nx\n${fence}`, gitDiff).replaceAll('\n', '\r\n') },
  {
    name: 'CRLF everywhere, also in the file',
    text: mail('x', `${fence}\nx\n${fence}`, gitDiff).replaceAll('\n', '\r\n'),
    files: { 'c.txt': 'a\r\nb\r\nc\r\n' },
  },
  { name: 'a plain diff in a fence', text: `Do:\n${fence}diff\n${plainDiff}${fence}\nbye\n`, tool: 'patch' },
  { name: 'a plain diff between words', text: `Hello,\n\n${plainDiff}\nbye\n`, tool: 'patch' },
  { name: 'a quoted patch', text: `On Monday A wrote:\n${quoted(three, '> ')}\nLooks good.\n`, meant: three },
  { name: 'a patch quoted twice', text: quoted(gitDiff, '> > '), meant: gitDiff },
  {
    name: 'a patch in a list',
    text: `1. Do this:\n\n   ${fence}diff\n${quoted(three, '   ')}   ${fence}\n`,
    meant: three,
  },
  { name: 'an indented patch', text: quoted(three, '    '), meant: three },
  { name: 'a quoted patch with its own behind', text: `${quoted(both, '> ')}\nbetter:\n\n${gitDiff}` },
  { name: 'in colours', text: coloured, meant: gitDiff },
  { name: 'a context diff', text: context, tool: 'patch' },
  { name: 'a context diff in a message', text: `Hi\n\n${context}\nbye\n`, tool: 'patch' },
  {
    name: 'a patch of a text about patches',
    text: 'diff --git a/c.txt b/c.txt\n--- a/c.txt\n+++ b/c.txt\n@@ -1,3 +1,3 @@\n *** Begin Patch\n-b\n+B\n *** End Patch\n',
    files: { 'c.txt': '*** Begin Patch\nb\n*** End Patch\n' },
  },
  {
    name: 'a mail that speaks of marks',
    text: mail('x', 'The lines\n--- old/name\n+++ new/name\nare no patch.', three),
  },
  { name: 'a cut patch', text: `Do:\n${fence}\n${three.slice(0, -3)}` },
];

/** Patches as they stand in mails and messages, against what the real tools do with them. */
export function messageCases(): EditCase[] {
  return messages.map(({ name, text, meant, files: own, tool = 'git-apply' }) => ({
    name: `message: ${name}`,
    files: own ?? files,
    edit: (folder): EditAction => {
      const read = readEdit(text, { cwd: folder });
      if ('problem' in read) throw new Error(`${name}: ${read.problem}`);
      return read.action;
    },
    real: (folder, home) =>
      runTool(tool === 'patch' ? ['patch', '-p1'] : ['git', 'apply', '-p1'], folder, meant ?? text, home),
  }));
}
