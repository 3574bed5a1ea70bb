import type { Program } from '../program.ts';
import { outputOption } from './outputOptions.ts';

const only = 'only reads';

/** Programs that start others. */
export const starters: readonly Program[] = [
  {
    names: 'sudo doas su pkexec runuser gosu',
    does: {
      effect: 'privilege',
      care: 'c',
      says: 'works with the rights of another user',
      rules: [['s', '-l|--list|-v|-k|-K|-V|--version|--help', only]],
    },
  },
  {
    names: 'chroot unshare nsenter capsh setpriv',
    does: { effect: 'privilege', care: 'c', says: 'runs in another root or namespace' },
  },
  { names: 'xargs', inert: true, races: { when: /^(?:-[0-9a-zA-Z]*P|--max-procs=?) ?(?!1(?: |$))\d/ }, feeds: true },
  { names: 'parallel', inert: true, races: { unless: /^(?:-[a-zA-Z]*k|--keep-order|-j ?1|--jobs=1)$/ }, feeds: true },
  { names: 'env', inert: true, needsNoFile: true, planned: 'nothing', printsEnvironment: true },
  { names: 'nice nohup timeout stdbuf setsid setarch ionice chrt taskset flock watch run-parts', inert: true },
  { names: 'time', inert: true, writes: { options: outputOption } },
  { names: 'gtime strace ltrace perf', writes: { options: outputOption } },
];
