import path from 'node:path';
import type { FollowingFile } from './typescriptAnswer.ts';

/** The part of TypeScript's interface that is used here. */
export interface LanguageServices {
  createLanguageService(host: object): {
    getEditsForFileRename(from: string, to: string, format: object, preferences: object): readonly FileEdits[];
    dispose(): void;
  };
  getDefaultLibFilePath(options: object): string;
  ScriptSnapshot: { fromString(text: string): object };
}

interface FileEdits {
  fileName: string;
  textChanges: readonly { span: { start: number; length: number }; newText: string }[];
}

interface Files {
  readFile(file: string, encoding?: string): string | undefined;
  fileExists(file: string): boolean;
  directoryExists(folder: string): boolean;
  readDirectory(folder: string, ...rest: unknown[]): string[];
}

/** The files whose imports TypeScript changes when a file or folder gets another name, as they are then. */
export function followingFiles(
  typescript: LanguageServices,
  {
    options,
    files,
    config,
    system,
    renamed: { from, to },
  }: { options: object; files: string[]; config: string; system: Files; renamed: { from: string; to: string } },
): FollowingFile[] {
  const service = typescript.createLanguageService({
    ...system,
    getCompilationSettings: () => options,
    getScriptFileNames: () => files,
    getScriptVersion: () => '1',
    getScriptSnapshot: (file: string) => {
      const text = system.readFile(file);
      return text === undefined ? undefined : typescript.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => path.dirname(config),
    getDefaultLibFileName: (given: object) => typescript.getDefaultLibFilePath(given),
    useCaseSensitiveFileNames: () => true,
  });
  try {
    return service.getEditsForFileRename(from, to, {}, {}).flatMap(({ fileName, textChanges }) => {
      const file = path.normalize(fileName);
      const before = system.readFile(file);
      if (before === undefined || textChanges.length === 0) return [];
      return [{ path: movedPath(file, from, to), before, after: changedText(before, textChanges) }];
    });
  } finally {
    service.dispose();
  }
}

function movedPath(file: string, from: string, to: string): string {
  return file === from || file.startsWith(`${from}/`) ? `${to}${file.slice(from.length)}` : file;
}

function changedText(before: string, changes: FileEdits['textChanges']): string {
  const last = changes.toSorted((a, b) => b.span.start - a.span.start);
  return last.reduce(
    (text, { span, newText }) => text.slice(0, span.start) + newText + text.slice(span.start + span.length),
    before,
  );
}
