import { cacheFolder } from '../../core/context/cacheFolder.ts';
import type { Foretell } from '../../core/foretell.ts';
import { launcherPath } from '../../core/launcherPath.ts';

/** The engine, loaded when it is first needed: activation must cost nothing. */
export interface Engine {
  /** See `launcherPath`. */
  readonly launcher: string;
  /** Loads it at the first call; later ones get the same. */
  load(): Promise<Foretell>;
  /** A prediction is expected; see `Foretell.expect`. Nothing is loaded for it. */
  expect(): void;
  /** One sentence about what this machine can do; asks the machine once. */
  status(): Promise<Awaited<ReturnType<Foretell['status']>>>;
}

/** `distFolder`: the folder with the built files, in which the launcher lies. */
export function createEngine(distFolder: string): Engine {
  const platform = shownPlatform();
  const launcher = launcherPath(distFolder, platform);
  let loading: Promise<Foretell> | undefined;
  let asking: ReturnType<Engine['status']> | undefined;
  const load = () => {
    loading ??= import('../../core/foretell.ts').then(({ createForetell }) =>
      createForetell({ launcher, platform, storageFolder: cacheFolder(process.env) }),
    );
    return loading;
  };
  return {
    launcher,
    load,
    expect() {
      loading?.then((foretell) => foretell.expect()).catch(() => {});
    },
    status() {
      asking ??= load().then((foretell) => foretell.status());
      return asking;
    },
  };
}

/** The system that this window stands on. FORETELL_PLATFORM lets tests see what others show. */
export function shownPlatform(): NodeJS.Platform {
  const named = process.env['FORETELL_PLATFORM'];
  return named === 'darwin' || named === 'win32' ? named : process.platform;
}
