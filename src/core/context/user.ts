import os from 'node:os';
import path from 'node:path';
import { withoutSecrets } from './environment.ts';

/** Who runs a command, and with which variables. */
export interface User {
  readonly env: Readonly<Record<string, string>>;
  /** Home directory, absolute. */
  readonly home: string;
  /** 0 for root; -1 where the system has no such numbers. */
  readonly userId: number;
}

/** Who runs this process, with these variables. */
export function userOf(env: Readonly<Record<string, string>>): User {
  return { env, home: homeFolder(env), userId: process.getuid?.() ?? -1 };
}

/** The environment of this process without secrets that the script does not name. */
export function ownEnvironment(script: string): Record<string, string> {
  return withoutSecrets(process.env, script).env;
}

/** The home directory that a program with these variables sees; `/` where nothing says which it is. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  const home = env['HOME'];
  if (home !== undefined && path.isAbsolute(home)) return home;
  try {
    return os.userInfo().homedir;
  } catch {
    // The user is in no table of users.
    return '/';
  }
}
