import os from 'node:os';

/** Home directory of whoever runs this process; `/` where HOME is unset and the user is in no table of users. */
export function ownHomeFolder(): string {
  try {
    return os.homedir();
  } catch {
    return '/';
  }
}
