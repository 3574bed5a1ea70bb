import type { Program } from './program.ts';
import { programOf } from './programOf.ts';

/** Names that stand in a compiled program whose order is left to chance: it starts threads or processes, or has tables whose order is another one in each run. */
const unorderedNames = [
  // Functions of C, as the loader finds them by name.
  ...['pthread_create', 'thrd_create', 'fork', 'vfork', 'GOMP_parallel', 'rand_r', 'getrandom', 'arc4random'].map(
    (name) => `\0${name}\0`,
  ),
  // Of C++: std::thread and std::random_device.
  '_ZNSt6thread15_M_start_thread',
  '_ZNSt13random_device',
  // Of Rust: std::thread, and its tables by hashes.
  'failed to spawn thread',
  'hashbrown',
];

/** Both in one program: it draws numbers that follow from the second in which it begins. */
const drawnByTime = [['\0srand\0', '\0srandom\0'], ['\0time\0']];

/** A compiler that leaves the paths of its sources in what it makes, by what stands in each of its programs. */
const compilers = [{ name: 'go', mark: '\xff Go buildinf:', ending: '.go\0' }];

/** What a compiled program tells of the code in it. */
export interface CompiledCode {
  /** Some order may be another one in each run. */
  isUnordered: boolean;
  /** Chance decides what it prints, and two runs in the same second agree. */
  isByTime: boolean;
  /** The row of its compiler, where that left the paths of the sources: absolute, and as they were when it was compiled. */
  compiler?: { name: string; row: Program } | undefined;
  sources: readonly string[];
}

const longestPath = 400;

/** Reads it from the bytes of a program; `undefined`: it is none that a compiler made. */
export function compiledCode(bytes: Uint8Array): CompiledCode | undefined {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!content.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1'))) return undefined;
  const has = (text: string) => content.includes(text, 0, 'latin1');
  const found = compilers.find(({ mark }) => has(mark));
  const row = found && programOf(found.name);
  return {
    isUnordered: unorderedNames.some(has),
    isByTime: drawnByTime.every((names) => names.some(has)),
    compiler: found && row ? { name: found.name, row } : undefined,
    sources: found ? pathsEndingWith(content, found.ending) : [],
  };
}

function pathsEndingWith(content: Buffer, ending: string): string[] {
  const paths = new Set<string>();
  const last = Buffer.from(ending, 'latin1');
  for (let at = content.indexOf(last); at >= 0; at = content.indexOf(last, at + last.length)) {
    const to = at + last.length - 1;
    const from = content.lastIndexOf(0, at) + 1;
    if (to - from <= longestPath && content[from] === 0x2f) paths.add(content.toString('utf8', from, to));
  }
  return [...paths];
}
