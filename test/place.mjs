// Runs a command in a place: a machine on which something is refused, as containers, distributions and older kernels refuse it.
//   node test/place.mjs                                        which places there are, and which of them cannot be made here
//   node test/place.mjs docker -- foretell status              as root, in a tree of its own whose changes are thrown away
//   node test/place.mjs docker --user -- truth --kinds git    as an ordinary user
//   node test/place.mjs arm64 -- dist/native/confine-linux-arm64 < frames        in an emulated machine (made when it is first asked for)
// `foretell` stands for the command line that was built, `truth` for the truth suite. More: places/README.md.
import { ensurePackages } from '../src/tools/ensure.mjs';
import { bundleTests } from './bundleTests.mjs';

ensurePackages();
const [main] = await bundleTests(['test/places/main.ts'], `places-${process.pid}`);
const { place } = await import(main);
process.exitCode = await place(process.argv.slice(2));
