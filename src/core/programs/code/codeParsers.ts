// The parsers are large and seldom needed: the build makes a file of its own of this one, which is read when it is asked for.

export { javascriptEdits } from './javascriptEdits.ts';
export { perlEdits } from './perlEdits.ts';
export { pythonEdits } from './pythonEdits.ts';
export { readJavaScript } from './readJavaScript.ts';
export { readPython } from './readPython.ts';
