/** Runs in a thread of its own: checks a TypeScript project twice, as it is and as it would be. It runs no code of it. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { FoundDiagnostic } from './diffDiagnostics.ts';
import type { FollowingFile, TypescriptAnswer, TypescriptQuestion } from './typescriptAnswer.ts';
import { followingFiles, type LanguageServices } from './typescriptRename.ts';

/** The part of TypeScript's interface that is used here. */
interface Typescript extends LanguageServices {
  version: string;
  sys: System;
  getParsedCommandLineOfConfigFile(
    file: string,
    options: object,
    host: object,
  ): { options: object; fileNames: string[]; projectReferences?: readonly { path: string }[] } | undefined;
  createCompilerHost(options: object): CompilerHost;
  createProgram(options: object): Program;
  flattenDiagnosticMessageText(text: unknown, newLine: string): string;
}

interface System {
  readFile(file: string, encoding?: string): string | undefined;
  fileExists(file: string): boolean;
  directoryExists(folder: string): boolean;
  readDirectory(folder: string, ...rest: unknown[]): string[];
}

interface CompilerHost {
  readFile(file: string): string | undefined;
  fileExists(file: string): boolean;
  directoryExists?(folder: string): boolean;
  getDirectories?(folder: string): string[];
  getSourceFile(file: string, ...rest: unknown[]): SourceFile | undefined;
}

interface SourceFile {
  fileName: string;
  getLineAndCharacterOfPosition(offset: number): { line: number; character: number };
}

interface Diagnostic {
  file?: SourceFile;
  start?: number;
  code: number;
  category: number;
  messageText: unknown;
}

interface Program {
  getSourceFiles(): readonly SourceFile[];
  isSourceFileFromExternalLibrary(file: SourceFile): boolean;
  isSourceFileDefaultLibrary(file: SourceFile): boolean;
  getSyntacticDiagnostics(file: SourceFile): readonly Diagnostic[];
  getSemanticDiagnostics(file: SourceFile): readonly Diagnostic[];
}

const errorCategory = 1;
const warningCategory = 0;
/** VS Code shows these errors as warnings: what is not used, not reached or falls through. */
const styleCodes = new Set([6133, 6138, 6192, 6196, 6198, 6199, 6205, 7027, 7028, 7029, 7030]);

const question = workerData as TypescriptQuestion;
const typescript = createRequire(question.typescript)(question.typescript) as Typescript;
/** What differs from the real files before the edit, because of earlier steps, and after it. */
const differs = {
  before: new Map(question.earlier),
  after: new Map([...question.earlier, ...question.changes]),
  /** With the imports that follow a rename. */
  followed: new Map([...question.earlier, ...question.changes]),
};
const changed = new Map(question.changes);
type Moment = keyof typeof differs;

/** The files before the edit, or after it. */
function systemOf(moment: Moment): System {
  const { sys } = typescript;
  const texts = differs[moment];
  const folders = new Set([...texts].flatMap(([file, text]) => (text === null ? [] : foldersAbove(file))));
  return {
    ...sys,
    readFile: (file, encoding) => {
      const text = texts.get(path.normalize(file));
      if (text === undefined) return sys.readFile(file, encoding);
      return text === null ? undefined : text.replace(/^\uFEFF/, '');
    },
    fileExists: (file) => {
      const text = texts.get(path.normalize(file));
      return text === undefined ? sys.fileExists(file) : text !== null;
    },
    directoryExists: (folder) => sys.directoryExists(folder) || folders.has(path.normalize(folder)),
  };
}

interface Project {
  options: object;
  files: string[];
}

function projectAt(config: string, system: System): Project | undefined {
  const host = {
    ...system,
    useCaseSensitiveFileNames: true,
    getCurrentDirectory: () => path.dirname(config),
    onUnRecoverableConfigFileDiagnostic: () => {},
  };
  const parsed = typescript.getParsedCommandLineOfConfigFile(config, {}, host);
  if (!parsed) return undefined;
  return {
    options: { ...parsed.options, noEmit: true, composite: false, incremental: false },
    files: parsed.fileNames,
  };
}

/** The project that a changed file belongs to: this one, or one that it refers to. */
function configOf(config: string): string | undefined {
  const system = systemOf('before');
  const host = { ...system, useCaseSensitiveFileNames: true, getCurrentDirectory: () => path.dirname(config) };
  const parsed = typescript.getParsedCommandLineOfConfigFile(
    config,
    {},
    {
      ...host,
      onUnRecoverableConfigFileDiagnostic: () => {},
    },
  );
  if (!parsed) return undefined;
  const holds = (files: readonly string[]) => files.some((file) => changed.has(path.normalize(file)));
  if (holds(filesAt('after', config, parsed.fileNames))) return config;
  for (const { path: reference } of parsed.projectReferences ?? []) {
    const other = reference.endsWith('.json') ? reference : path.join(reference, 'tsconfig.json');
    if (holds(projectAt(other, system)?.files ?? [])) return other;
  }
  return parsed.fileNames.length > 0 ? config : undefined;
}

/** Files of the project: new ones that a glob would find are added, for the globs read the real folders. */
function filesAt(moment: Moment, config: string, real: readonly string[]): string[] {
  const kept = real.filter((file) => differs[moment].get(path.normalize(file)) !== null);
  const extensions = new Set(kept.map((file) => path.extname(file)));
  const folders = new Set(kept.map((file) => path.dirname(file)));
  const created = [...differs[moment]].flatMap(([file, text]) => {
    const isNew = text !== null && !kept.includes(file);
    // A new file beside others of the project, of a kind that the project has, is part of it.
    return isNew && extensions.has(path.extname(file)) && folders.has(path.dirname(file)) ? [file] : [];
  });
  return [...kept, ...created.filter((file) => file.startsWith(path.dirname(config)))];
}

function check(
  project: Project,
  system: System,
  sources: Map<string, SourceFile | undefined>,
  /** Texts that are not those of the first check. */
  fresh: ReadonlyMap<string, string | null>,
): {
  found: FoundDiagnostic[];
  files: string[];
} {
  const host = typescript.createCompilerHost(project.options);
  host.readFile = system.readFile;
  host.fileExists = system.fileExists;
  host.directoryExists = system.directoryExists;
  const original = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) => {
    // What the edit leaves alone is parsed once.
    if (fresh.has(path.normalize(file))) return system.fileExists(file) ? original(file, ...rest) : undefined;
    if (!sources.has(file)) sources.set(file, original(file, ...rest));
    return sources.get(file);
  };
  const program = typescript.createProgram({ rootNames: project.files, options: project.options, host });
  const own = program
    .getSourceFiles()
    .filter((file) => !program.isSourceFileFromExternalLibrary(file) && !program.isSourceFileDefaultLibrary(file));
  const found = own.flatMap((file) =>
    [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].flatMap(readDiagnostic),
  );
  return { found, files: own.map((file) => path.normalize(file.fileName)) };
}

function readDiagnostic({ file, start = 0, code, category, messageText }: Diagnostic): FoundDiagnostic[] {
  if (!file || (category !== errorCategory && category !== warningCategory)) return [];
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  const isWarning = category === warningCategory || styleCodes.has(code);
  return [
    {
      severity: isWarning ? 'warning' : 'error',
      path: path.normalize(file.fileName),
      line: line + 1,
      column: character + 1,
      text: typescript.flattenDiagnosticMessageText(messageText, '\n'),
      source: `TypeScript ${typescript.version}`,
    },
  ];
}

function foldersAbove(file: string): string[] {
  const found: string[] = [];
  for (let at = path.dirname(file); at !== found.at(-1); at = path.dirname(at)) found.push(at);
  return found;
}

function importsThatFollow(project: Project, config: string): FollowingFile[] {
  const { renamed } = question;
  return renamed ? followingFiles(typescript, { ...project, config, system: systemOf('before'), renamed }) : [];
}

function answer(): TypescriptAnswer {
  const config = configOf(question.config);
  const found = config && projectAt(config, systemOf('before'));
  if (!config || !found) return { isProject: false };
  const changedConfig = projectAt(config, systemOf('after')) ?? found;
  const sources = new Map<string, SourceFile | undefined>();
  const before = { ...found, files: filesAt('before', config, found.files) };
  const first = check(before, systemOf('before'), sources, new Map());
  const after = { ...changedConfig, files: filesAt('after', config, changedConfig.files) };
  const second = check(after, systemOf('after'), sources, changed);
  const files = importsThatFollow(before, config);
  for (const { path: file, after: text } of files) differs.followed.set(file, text);
  return {
    isProject: true,
    version: typescript.version,
    config,
    before: first.found,
    after: second.found,
    ...(files.length > 0
      ? { following: { files, after: check(after, systemOf('followed'), sources, differs.followed).found } }
      : {}),
    checked: second.files.length,
    files: [...new Set([...first.files, ...second.files])],
  };
}

parentPort?.postMessage(answer());
