// The command line of the desktop VS Code, as far as `runTests` of @vscode/test-electron uses it, and two words of ours.
import path from 'node:path';

/**
 * @typedef {object} HostArguments
 * @property {string} [folder] Folder or .code-workspace file to open.
 * @property {string} [extension] Folder of the extension under development. VS Code's web address takes only one.
 * @property {string} [tests] Module whose `run()` is called in the extension host.
 * @property {string} [script] `--host-script`: module whose default export drives the window from outside, `(window) => …`.
 * @property {boolean} plain `--host-plain`: no test driver, so that trust prompts and notifications show; then only
 *   installed extensions run.
 * @property {boolean} noFolder `--host-no-folder`: open an empty window.
 * @property {boolean} trusted `--disable-workspace-trust`
 * @property {string[]} install Files of extensions to install first.
 * @property {string} [dataFolder] @property {string} [extensionsFolder] @property {string} [locale]
 * @property {string[]} ignored What the desktop knows and this host need not.
 */

/** @returns {HostArguments} */
export function readArguments(argv) {
  const result = { plain: false, noFolder: false, trusted: false, install: [], ignored: [] };
  const words = [...argv];
  while (words.length > 0) {
    const word = words.shift();
    if (!word.startsWith('-')) {
      result.folder = path.resolve(word);
      continue;
    }
    const [, name, inline] = /^([^=]+)(?:=(.*))?$/s.exec(word);
    const value = () => inline ?? words.shift();
    switch (name) {
      case '--extensionDevelopmentPath':
        result.extension = path.resolve(value());
        break;
      case '--extensionTestsPath':
        result.tests = path.resolve(value());
        break;
      case '--user-data-dir':
        result.dataFolder = path.resolve(value());
        break;
      case '--extensions-dir':
        result.extensionsFolder = path.resolve(value());
        break;
      case '--install-extension':
        result.install.push(path.resolve(value()));
        break;
      case '--disable-workspace-trust':
        result.trusted = true;
        break;
      case '--locale':
        result.locale = value();
        break;
      case '--host-script':
        result.script = path.resolve(value());
        break;
      case '--host-plain':
        result.plain = true;
        break;
      case '--host-no-folder':
        result.noFolder = true;
        break;
      default:
        result.ignored.push(word);
    }
  }
  return result;
}
