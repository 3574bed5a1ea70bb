import { posix } from 'node:path';
import { startsOf } from '../programs/startedBy.ts';
import { inputFilesOf, readsStatements } from '../programs/staticPrograms.ts';
import type { StaticProgram } from '../shell/evaluated.ts';
import { writtenPrograms } from '../verdict/staticFacts.ts';
import type { View } from '../view/view.ts';
import type { PredictRequest } from './rehearsal.ts';

const mostFiles = 8;
const mostBytes = 256 * 1024;

/** The programs that the text of an action names, and those of files that it hands to other machines. */
export async function writtenWithTexts(request: PredictRequest, view: View): Promise<StaticProgram[]> {
  const written = writtenPrograms(request);
  const texts = await textsElsewhere(written, view);
  return texts.size === 0 ? written : writtenPrograms(request, texts);
}

/**
 * The texts of files that calls hand to another machine, a container or a database (`ssh host bash < x.sh`, `psql < x.sql`,
 * `sftp -b batch host`), by their absolute paths: nothing of them runs here, so only they tell what they ask for. At most 8, each
 * of at most 256 KiB; what is no text is left out.
 */
async function textsElsewhere(written: readonly StaticProgram[], view: View): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of handedFiles(written).slice(0, mostFiles)) {
    // What is deleted behind the call was there for it.
    const bytes = (await view.read(path, 'after', mostBytes + 1)) ?? (await view.read(path, 'before', mostBytes + 1));
    if (bytes === undefined || bytes.length > mostBytes || bytes.includes(0)) continue;
    texts.set(path, new TextDecoder().decode(bytes));
  }
  return texts;
}

function handedFiles(written: readonly StaticProgram[]): string[] {
  const paths = written.flatMap((program) => {
    const { argv, inputFile, isLost } = program;
    const named = inputFilesOf(argv);
    const isHanded = startsOf(argv[0] ?? '')?.elsewhere !== undefined || named.length > 0 || readsStatements(argv);
    if (!isHanded || program.inside?.elsewhere) return [];
    const files = named.length > 0 ? named : inputFile === undefined ? [] : [inputFile];
    return files.flatMap((file) => (isLost && !posix.isAbsolute(file) ? [] : [posix.resolve(program.cwd, file)]));
  });
  return [...new Set(paths)].filter((path) => !/^\/(?:dev|proc|sys)\//.test(path));
}
