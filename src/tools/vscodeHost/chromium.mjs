// Finds a browser for the tests. They drive it through the debugging protocol, so it must be Chromium or Chrome.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Absolute path of Chromium, or one sentence that says how to get it. FORETELL_CHROMIUM names one outright. */
export function findChromium(env = process.env) {
  const named = env.FORETELL_CHROMIUM;
  if (named) {
    return isProgram(named)
      ? { path: named }
      : { problem: `FORETELL_CHROMIUM names ${named}, which is not a program; correct it or unset it.` };
  }
  const found = findOnPath(names, env);
  if (found) return { path: found };
  return {
    problem:
      'Chromium is missing; install it (Debian, Ubuntu: apt-get install -y chromium) or name one in FORETELL_CHROMIUM.',
  };
}

/** The first of these programs that is on PATH, in the order of the names. */
export function findOnPath(programs, env = process.env) {
  const folders = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  for (const program of programs) {
    const found = folders.map((folder) => path.join(folder, program)).find(isProgram);
    if (found) return found;
  }
  return undefined;
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
