import { test } from 'node:test';
import { folder, type Identity, identities, populate } from './launcherDriver.ts';

/** What a test of the launcher is written with, for one user. */
export interface LauncherTests {
  identity: Identity;
  /** A test, with the user before its name. */
  promise(name: string, use: () => Promise<void>, skip?: string | false): void;
  /** A new folder of the user with these files. */
  workspace(files: Record<string, string>): string;
}

/** One for each user that can be tried here. `under`: what is said behind the user in each name. */
export function launcherTests(under = ''): LauncherTests[] {
  return identities().map((identity) => ({
    identity,
    promise: (name, use, skip = false) => void test(`${identity.name}${under}: ${name}`, { skip }, use),
    workspace(files) {
      const root = folder(identity);
      populate(root, identity, files);
      return root;
    },
  }));
}
