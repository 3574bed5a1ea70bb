/** An edit of one file, and what else is in the project. What is new and what is fixed VS Code itself says. */
export interface DiagnosticCase {
  name: string;
  before: string;
  after: string;
  /** Another file of the case, unchanged, by its name. */
  beside?: string;
  /** Its file below the folder of the cases, where that is not the name with the extension. */
  file?: string;
}

/** Cases of JSON, each a file of its own. */
export const jsonCases: readonly DiagnosticCase[] = [
  { name: 'fine', before: '{"a": 1}\n', after: '{"a": 2}\n' },
  { name: 'comma', before: '{"a": 1}\n', after: '{"a": 1,}\n' },
  { name: 'commaFixed', before: '{"a": 1,}\n', after: '{"a": 1}\n' },
  { name: 'missingComma', before: '{"a": 1, "b": 2}\n', after: '{"a": 1 "b": 2}\n' },
  { name: 'missingBrace', before: '{"a": {"b": 1}}\n', after: '{"a": {"b": 1}\n' },
  { name: 'missingBracket', before: '[1, 2]\n', after: '[1, 2\n' },
  { name: 'missingColon', before: '{"a": 1}\n', after: '{"a" 1}\n' },
  { name: 'missingValue', before: '{"a": 1}\n', after: '{"a": }\n' },
  { name: 'duplicate', before: '{"a": 1, "b": 2}\n', after: '{"a": 1, "a": 2}\n' },
  { name: 'duplicateFixed', before: '{"a": 1, "a": 2}\n', after: '{"a": 1, "b": 2}\n' },
  { name: 'comment', before: '{"a": 1}\n', after: '{"a": 1 /* why */}\n' },
  { name: 'singleQuotes', before: '{"a": "b"}\n', after: "{'a': 'b'}\n" },
  { name: 'unquoted', before: '{"a": 1}\n', after: '{a: 1}\n' },
  { name: 'openString', before: '{"a": "b"}\n', after: '{"a": "b}\n' },
  { name: 'escape', before: '{"a": "b"}\n', after: '{"a": "\\q"}\n' },
  { name: 'control', before: '{"a": "b"}\n', after: '{"a": "\t"}\n' },
  { name: 'number', before: '{"a": 1}\n', after: '{"a": 01}\n' },
  { name: 'empty', before: '{"a": 1}\n', after: '' },
  { name: 'twoValues', before: '{}\n', after: '{} {}\n' },
  { name: 'moved', before: '{"a": 1,}\n', after: '\n\n{"a": 1,}\n' },
  { name: 'oneMore', before: '{"a": 1,}\n', after: '{"a": 1, "b": [1,],}\n' },
  { name: 'other', before: '{"a": 1,}\n', after: '{"a" 1}\n' },
  { name: 'allFixed', before: '{"a" 1, b: 2}\n', after: '{"a": 1, "b": 2}\n' },
  { name: 'nested', before: '{"a": {"b": {"c": [1]}}}\n', after: '{"a": {"b": {"c": [1}}}\n' },
  { name: 'trueWrong', before: '{"a": true}\n', after: '{"a": True}\n' },
  { name: 'twoErrors', before: '{"a": 1}\n', after: '{"a": 1 "b" 2}\n' },
  { name: 'filled', before: '', after: '{"a": 1,}\n' },
  {
    name: 'schema',
    before: '{"$schema": "./port.schema.json", "depth": 3}\n',
    after: '{"$schema": "./port.schema.json", "depth": "deep", "name": "Dover"}\n',
  },
  {
    name: 'schemaFixed',
    before: '{"$schema": "./port.schema.json", "depth": true}\n',
    after: '{"$schema": "./port.schema.json", "depth": 1}\n',
  },
  {
    name: 'schemaOther',
    before: '{"$schema": "./port.schema.json", "depth": 1}\n',
    after: '{"$schema": "./nowhere.schema.json", "depth": 1}\n',
  },
  {
    name: 'tasks',
    file: '.vscode/tasks.json',
    before: '{\n  // One.\n  "version": "2.0.0",\n  "tasks": []\n}\n',
    after: '{\n  // One.\n  "version": "3.0.0",\n  "tasks": [{ "label": 1 }],\n}\n',
  },
  {
    name: 'launch',
    file: '.vscode/launch.json',
    before: '{ "version": "0.2.0", "configurations": 1 }\n',
    after: '{ "version": "0.2.0", "configurations": [], }\n',
  },
  {
    name: 'tsconfig',
    file: 'sub/tsconfig.json',
    before: '{ "compilerOptions": { "strict": true } }\n',
    after: '{ "compilerOptions": { "strict": "yes" /* why */ } "files": [] }\n',
  },
  {
    name: 'package',
    file: 'sub/package.json',
    before: '{ "name": "sub", "version": "1.0.0" }\n',
    after: '{ "name": "sub", "name": "other", "version": 1, }\n',
  },
];

/** Cases of TypeScript in one strict project; `beside` stands as `NAME-user.ts`. */
export const typescriptCases: readonly DiagnosticCase[] = [
  { name: 'fine', before: 'export const a = 1;\n', after: 'export const a = 2;\n' },
  { name: 'assign', before: 'export const a: number = 1;\n', after: "export const a: number = 'x';\n" },
  { name: 'assignFixed', before: "export const b: number = 'x';\n", after: 'export const b: number = 1;\n' },
  { name: 'unknownName', before: 'export const c = 1;\n', after: 'export const c = nowhere;\n' },
  { name: 'syntax', before: 'export function d() {}\n', after: 'export function d( {}\n' },
  { name: 'syntaxFixed', before: 'export const e = [1, 2;\n', after: 'export const e = [1, 2];\n' },
  {
    name: 'removedExport',
    before: 'export const f = 1;\nexport const g = 2;\n',
    after: 'export const f = 1;\n',
    beside: "import { f, g } from './removedExport';\nexport const sum = f + g;\n",
  },
  {
    name: 'renamedExport',
    before: 'export function greet(name: string) {\n  return name;\n}\n',
    after: 'export function welcome(name: string) {\n  return name;\n}\n',
    beside: "import { greet } from './renamedExport';\ngreet('a');\n",
  },
  {
    name: 'addedExport',
    before: 'export const h = 1;\n',
    after: 'export const h = 1;\nexport const i = 2;\n',
    beside: "import { h, i } from './addedExport';\nexport const both = [h, i];\n",
  },
  {
    name: 'parameter',
    before: 'export function area(width: number) {\n  return width;\n}\n',
    after: 'export function area(width: number, height: number) {\n  return width * height;\n}\n',
    beside: "import { area } from './parameter';\narea(2);\n",
  },
  {
    name: 'parameterType',
    before: 'export const twice = (n: number) => n * 2;\n',
    after: 'export const twice = (n: string) => n + n;\n',
    beside: "import { twice } from './parameterType';\ntwice(2);\n",
  },
  {
    name: 'property',
    before: 'export interface Port {\n  name: string;\n}\n',
    after: 'export interface Port {\n  name: string;\n  depth: number;\n}\n',
    beside: "import type { Port } from './property';\nexport const port: Port = { name: 'dover' };\n",
  },
  {
    name: 'propertyGone',
    before: 'export interface Tide {\n  at: string;\n  height: number;\n}\n',
    after: 'export interface Tide {\n  at: string;\n}\n',
    beside: "import type { Tide } from './propertyGone';\nexport const read = (tide: Tide) => tide.height;\n",
  },
  {
    name: 'union',
    before: "export type Level = 'low' | 'high';\n",
    after: "export type Level = 'high';\n",
    beside: "import type { Level } from './union';\nexport const level: Level = 'low';\n",
  },
  {
    name: 'returns',
    before: 'export const count = () => 1;\n',
    after: "export const count = () => '1';\n",
    beside: "import { count } from './returns';\nexport const next: number = count() + 1;\n",
  },
  { name: 'implicitAny', before: 'export const j = (x: number) => x;\n', after: 'export const j = (x) => x;\n' },
  {
    name: 'maybe',
    before: 'export const k = (x: string) => x.length;\n',
    after: 'export const k = (x?: string) => x.length;\n',
  },
  { name: 'unused', before: 'export const l = 1;\n', after: 'const hidden = 2;\nexport const l = 1;\n' },
  { name: 'unusedFixed', before: 'const hidden2 = 2;\nexport const m = 1;\n', after: 'export const m = 1;\n' },
  { name: 'noModule', before: 'export const n = 1;\n', after: "import { o } from './nowhere';\nexport const n = o;\n" },
  {
    name: 'noReturn',
    before: 'export function p(): number {\n  return 1;\n}\n',
    after: 'export function p(): number {\n}\n',
  },
  { name: 'twiceDeclared', before: 'export const q = 1;\n', after: 'export const q = 1;\nexport const q = 2;\n' },
  { name: 'constAssigned', before: 'export const r = 1;\n', after: 'export const r = 1;\nr = 2;\n' },
  {
    name: 'abstract',
    before: 'export abstract class Ship {}\n',
    after: 'export abstract class Ship {\n  abstract sail(): void;\n}\n',
    beside: "import { Ship } from './abstract';\nexport class Ferry extends Ship {}\n",
  },
  {
    name: 'private',
    // It is used in its own file: whether one that is only used from outside counts as unused depends on which file VS Code
    // happens to check first.
    before: 'export class Dock {\n  depth = 3;\n  read = () => this.depth;\n}\n',
    after: 'export class Dock {\n  private depth = 3;\n  read = () => this.depth;\n}\n',
    beside: "import { Dock } from './private';\nexport const depth = new Dock().depth;\n",
  },
  { name: 'generic', before: 'export const s: Array<string> = [];\n', after: 'export const s: Array = [];\n' },
  { name: 'awaits', before: 'export const t = async () => await 1;\n', after: 'export const t = () => await 1;\n' },
  {
    name: 'overlap',
    before: "export const u = (x: string) => x === '1';\n",
    after: 'export const u = (x: string) => x === 3;\n',
  },
  {
    name: 'movedError',
    before: "export const v: number = 'x';\n",
    after: "// moved\n\nexport const v: number = 'x';\n",
  },
  { name: 'template', before: 'export const w = `a`;\n', after: 'export const w = `a;\n' },
  {
    name: 'excess',
    before: 'export const x: { a: number } = { a: 1 };\n',
    after: 'export const x: { a: number } = { a: 1, b: 2 };\n',
  },
  { name: 'callable', before: 'export const y = () => 1;\ny();\n', after: 'export const y = 1;\ny();\n' },
  {
    name: 'importGone',
    before: "import { f } from './removedExport';\nexport const z = f;\n",
    after: 'export const z = f;\n',
  },
  {
    name: 'defaultGone',
    before: 'export default 1;\n',
    after: 'export const one = 1;\n',
    beside: "import one from './defaultGone';\nexport const two = one + 1;\n",
  },
  {
    name: 'enumMember',
    before: 'export const Flag = { Red: 1, Green: 2 } as const;\n',
    after: 'export const Flag = { Red: 1 } as const;\n',
    beside: "import { Flag } from './enumMember';\nexport const green = Flag.Green;\n",
  },
];
