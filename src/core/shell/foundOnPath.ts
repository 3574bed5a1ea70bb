import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** The first file below a folder of PATH that is called so and that this user may execute, as execvp(3) finds it; parts that are no absolute folder are left out. */
export function foundOnPath(
  name: string,
  { PATH = '' }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return PATH.split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
