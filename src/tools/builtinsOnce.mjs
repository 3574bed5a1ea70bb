import { builtinModules, createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const isIdentifier = /^[A-Za-z_$][\w$]*$/;

/**
 * A plugin of esbuild. A bundle in the form of CommonJS copies all names of `node:fs` for each file that imports it whole, a
 * quarter of the time that a start takes: here each module of Node's own is imported once, and the others import from there. So is
 * `vscode`, which has hundreds of names and is imported by most files of the host.
 */
export const builtinsOnce = {
  name: 'builtins-once',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ kind, namespace, path }) =>
      kind === 'import-statement' && namespace !== 'builtin' && builtinModules.includes(path.slice('node:'.length))
        ? { path, namespace: 'builtin', sideEffects: false }
        : undefined,
    );
    build.onResolve({ filter: /^vscode$/ }, ({ kind, namespace, path }) =>
      kind === 'import-statement' && namespace !== 'builtin'
        ? { path, namespace: 'builtin', sideEffects: false }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      // Its names are only to be had inside of an editor.
      if (path === 'vscode') return { contents: "export * from 'vscode';" };
      const names = Object.keys(require(path)).filter((name) => isIdentifier.test(name) && name !== 'default');
      return { contents: `export { default, ${names.join(', ')} } from ${JSON.stringify(path)};` };
    });
  },
};
