import path from 'node:path';
import type { main } from './cli/main.ts';
import { loadCompiled } from './cli/start/loadCompiled.ts';
import { cacheFolder } from './core/context/cacheFolder.ts';

const program = loadCompiled(path.join(__dirname, 'main.js'), path.join(cacheFolder(process.env), 'compiled'));
const { main: run } = program.exports as { main: typeof main };
void run(() => program.keep()).then((code) => process.exit(code));
