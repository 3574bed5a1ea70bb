/** What all bundles for Node have in common (options of esbuild). */
export const nodeBundle = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  // What jsonc-parser gives to Node first cannot be bundled.
  mainFields: ['module', 'main'],
  logLevel: 'warning',
};
