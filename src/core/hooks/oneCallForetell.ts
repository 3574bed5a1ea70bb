import { cacheFolder } from '../context/cacheFolder.ts';
import { createForetell, type Foretell } from '../foretell.ts';
import type { LauncherPool } from '../worlds/confined/wire/launcherPool.ts';

/** For whom it predicts, and with which launchers. */
export interface CallerOfOne {
  /** Path of the launcher for this machine. */
  launcher: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The process that waits for the answer, where it is not this one. */
  callerId?: number | undefined;
  /** Launchers that wait for calls; default: they are started for this one. */
  launchers?: LauncherPool | undefined;
}

/** An engine for one call or line of somebody else's process, made when it is asked and gone with the answer. */
export function oneCallForetell({ launcher, env, callerId, launchers }: CallerOfOne): Foretell {
  return createForetell({
    launcher,
    storageFolder: cacheFolder(env),
    ownHost: true,
    spareLaunchers: 0,
    caller: { env, ...(callerId === undefined ? {} : { processId: callerId }) },
    ...(launchers ? { launchers } : {}),
  });
}
