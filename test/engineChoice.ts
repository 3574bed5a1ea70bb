/** `FORETELL_ENGINE=supervision` in the environment of a suite: it tries the engine that needs no namespaces. */
export function engineChoice(): Record<string, string> {
  const engine = process.env['FORETELL_ENGINE'];
  return engine === undefined ? {} : { FORETELL_ENGINE: engine };
}

/** The launcher's mode in which that engine makes copies. */
export function copyMode(): 'copy' | 'supervised' {
  return process.env['FORETELL_ENGINE'] === 'supervision' ? 'supervised' : 'copy';
}
