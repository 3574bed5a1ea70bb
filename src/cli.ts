import path from 'node:path';
import type { main } from './cli/main.ts';
import { loadCompiled } from './cli/start/loadCompiled.ts';
import { compiledFolder } from './core/hooks/compiledFolder.ts';

const program = loadCompiled(path.join(__dirname, 'main.js'), compiledFolder(process.env));
const { main: run } = program.exports as { main: typeof main };
void run(() => program.keep()).then((code) => process.exit(code));
