import type { Program, Starts } from '../program.ts';
import { ofTools } from './packages.ts';

const startsMise: Starts = {
  subcommands: ['exec', 'x'],
  valued: '-C --cd -c --command -j --jobs',
  folder: '-C --cd',
  script: '-c --command',
  // Tools, which stand before.
  operands: 9,
  mixed: true,
  behindDashes: true,
};

/** Programs that stand before others and start the version of these that is wanted. */
export const versionManagers: readonly Program[] = [
  {
    names: 'volta',
    managesVersions: true,
    starts: { subcommands: ['run'], valued: '--node --npm --pnpm --yarn --env' },
    ...ofTools,
  },
  {
    names: 'nvm',
    // Without a version it is that of .nvmrc.
    starts: {
      subcommands: ['exec'],
      operands: 1,
      operandForm: /^(?:v?\d[\d.]*|lts\/.+|iojs.*|node|stable|unstable|system|default)$/,
    },
    ...ofTools,
  },
  {
    names: 'fnm',
    starts: { subcommands: ['exec'], valued: '--using --fnm-dir --log-level --arch --node-dist-mirror' },
    ...ofTools,
  },
  {
    names: 'asdf rbenv pyenv',
    managesVersions: true,
    starts: { subcommands: ['exec'] },
    ...ofTools,
  },
  {
    names: 'mise',
    managesVersions: true,
    starts: startsMise,
    ...ofTools,
  },
  { names: 'rtx', managesVersions: true, starts: startsMise },
  { names: 'nodenv goenv jenv plenv phpenv swiftenv', managesVersions: true, starts: { subcommands: ['exec'] } },
  { names: 'volta-shim', managesVersions: true },
  { names: 'corepack', scriptOf: 'node', managesVersions: true },
  { names: 'rvm', starts: { behind: 'do' } },
];
