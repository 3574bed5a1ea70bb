import type { Doing, KnownForm, Program, ProgramRule } from '../program.ts';

const reads = 'only reads';

const simulates: ProgramRule = [
  's',
  '--simulate|--dry-run|--just-print|--no-act|--assumeno',
  'only shows what it would change',
];

const changesMachine: Doing = {
  effect: 'package',
  care: 'c',
  says: 'installs or updates packages of the machine{: rest}',
  helps: true,
  rules: [
    simulates,
    [
      'd',
      '@=^(remove|purge|autoremove|autopurge|uninstall|erase|del|delete|rm|clean|autoclean|cleanup|zap|distclean|deselect|unlink|untap|rollback|reset)$',
      'removes packages{: rest}',
    ],
    ['d', '--remove|--purge|--erase|--delete-old|--delete-generations|--unmerge', 'removes packages{: rest}'],
    [
      'd',
      '@=^(dist-upgrade|full-upgrade|do-release-upgrade|system-upgrade|switch|add-repository|adv|tap)$',
      'changes the whole system{: rest}',
      'code-execution',
    ],
    [
      'd',
      '--allow-unauthenticated|--force-yes|--no-gpg-check|--nogpgcheck|--allow-downgrades|--force|--force-all',
      'installs without checks{: rest}',
      'code-execution',
    ],
    [
      's',
      'list|search|show|info|policy|depends|rdepends|madison|showsrc|check-update|repolist|repoquery|provides|files|why|outdated|doctor|deps|leaves|home|log|query|version|help|contents|verify|updateinfo|grouplist|groupinfo|why-depends|path-info',
      reads,
    ],
    ['s', 'group|history|source|config|profile|channel|services list|ls|info|summary|get|show', reads],
    ['s', 'config #1 !#2', reads],
    ['s', '--list|--listfiles|--search|--get-selections|--query|--display', reads],
    ['sh', '#', 'only prints its help'],
  ],
};

/** Letters say what is done: `-q` asks, which is `--quiet` elsewhere. */
const changesByLetter: Doing = {
  ...changesMachine,
  rules: [['s', '-q', reads], ['d', '-e', 'removes packages{: rest}'], ...(changesMachine.rules ?? [])],
};

const removesAlways: Doing = {
  ...changesMachine,
  care: 'd',
  says: 'removes packages{: rest}',
  rules: [['s', '-n', reads]],
};

/** `-p` only shows what it would do, and `-s` searches; other words stand for packages. */
const changesGentoo: Doing = {
  ...changesMachine,
  rules: [
    ['s', '-p|--pretend', 'only shows what it would change'],
    ['s', '-s|--searchdesc|-S', reads],
    ['d', '--depclean|-c|--prune|-P|-C', 'removes packages{: rest}'],
    ...(changesMachine.rules ?? []),
  ],
};

/** Some of its words start a program in an environment that it makes. */
const changesNix: Doing = {
  ...changesMachine,
  rules: [
    ['c', 'develop|shell|run', 'fetches packages, and runs what it is given with them', 'code-execution'],
    ['d', 'store gc|delete', 'removes packages{: rest}'],
    ['d', 'profile wipe-history', 'removes packages{: rest}'],
    ['c', 'build|flake', 'builds packages, or changes which versions are locked{: rest}', 'code-execution'],
    ...(changesMachine.rules ?? []),
  ],
};

const changesBrew: Doing = {
  ...changesMachine,
  rules: [
    ['c', 'bundle dump', 'writes a list of the packages'],
    ['c', 'services', 'changes services{: rest}', 'service'],
    ...(changesMachine.rules ?? []),
  ],
};

/** What no generation needs any more goes without further words. */
const removesUnused: Doing = {
  ...changesMachine,
  care: 'd',
  says: 'removes packages that nothing needs any more',
  rules: [simulates],
};

const upgradesAlone: Doing = { ...changesMachine, rules: [simulates] };

/** `-s` simulates. */
const changesDebian: Doing = {
  ...changesMachine,
  rules: [['s', '-s', 'only shows what it would change'], ...(changesMachine.rules ?? [])],
};

/** Works on files of packages: one letter says what is done, and the others of its word how. */
const changesByFile: Doing = {
  ...changesMachine,
  rules: [
    ['s', '-q|--query|-V|--verify|-s|--status|-S|--search', reads],
    ['d', '-r|-P|-e', 'removes packages{: rest}'],
    ['d', '-i|--install|-U|--upgrade|-F|--freshen', 'installs a package file{: rest}', 'code-execution'],
    ...(changesMachine.rules ?? []),
  ],
};

/** It lists packages by letters, too. */
const changesDpkg: Doing = {
  ...changesByFile,
  rules: [['s', '-l|-L|-p|--list|--print-avail|--get-selections|--audit', reads], ...(changesByFile.rules ?? [])],
};

/** One capital says what is done, and the letters behind it how. */
const changesArch: Doing = {
  effect: 'package',
  care: 'c',
  says: 'installs or updates packages of the machine{: rest}',
  helps: true,
  rules: [
    ['sh', '-h|--help|-V|--version', 'only prints its help'],
    ['s', '-p|--print', 'only shows what it would change'],
    ['d', '-R|--remove', 'removes packages{: rest}'],
    ['s', '-Q|--query|-F|--files|-T|--deptest', reads],
    ['d', '-S|--sync -c|--clean', 'deletes the cache of packages'],
    ['s', '-S|--sync -s|--search|-i|--info|-g|--groups|-l|--list', reads],
    ['d', '-U|--upgrade', 'installs a package file{: rest}', 'code-execution'],
    ['d', '-D|--database', 'changes why packages are there{: rest}'],
  ],
};

const plannable =
  'install|reinstall|remove|purge|autoremove|autopurge|upgrade|dist-upgrade|full-upgrade|build-dep|satisfy';
const aptPlans = new RegExp(`^(?:${plannable})$`);
const onlyPlans = /^(?:-[qyV]*s[qyV]*|--simulate|--just-print|--dry-run|--recon|--no-act)$/;
// No other settings, and no file of a package: names alone.
const aptWords =
  /^(?:[a-z0-9][a-z0-9+.:=~*-]*|-[qyVs]+|--yes|--assume-yes|--(?:no-)?install-recommends|--purge|--quiet)$/;
const aptSettings = { rest: aptWords, unless: /^APT_CONFIG$/, code: ['.so', '.deb', '.dsc'] };
/** What is only planned is planned from the system's own lists; what takes a lock of root's first is refused to others. */
const knownApt: readonly KnownForm[] = [
  { by: onlyPlans, given: aptPlans, ...aptSettings },
  { by: aptPlans, given: onlyPlans, ...aptSettings },
  {
    options: /^(?:-[qyV]+|--yes|--assume-yes|--quiet)$/,
    by: new RegExp(`^(?:${plannable}|update|clean|autoclean)$`),
    refusedUser: true,
    ...aptSettings,
  },
];

/** Package managers of the machine. */
export const systemPackages: readonly Program[] = [
  { names: 'emerge', downloads: true, does: changesGentoo },
  {
    names: 'nix',
    downloads: true,
    starts: { subcommands: ['develop', 'shell'], behind: '-c --command' },
    does: changesNix,
  },
  { names: 'xbps-remove', does: removesAlways },
  { names: 'nix-env', downloads: true, does: changesByLetter },
  { names: 'nix-collect-garbage', does: removesUnused },
  { names: 'unattended-upgrade unattended-upgrades', downloads: true, does: upgradesAlone },
  {
    names: 'brew',
    downloads: true,
    installsFiles: { when: /(?:^| )(?:install|reinstall|upgrade)(?: |$)/, files: /\.rb$/ },
    writes: { options: /^--file$/, when: /^dump$/, overwrites: { when: /^(?:-f|--force)$/ } },
    does: changesBrew,
  },
  {
    names:
      'dnf yum zypper apk xbps-install nixos-rebuild home-manager port snap flatpak pkg pkg_add pkg_delete choco scoop winget mas softwareupdate swupd opkg tdnf microdnf rpm-ostree dpkg-reconfigure add-apt-repository apt-key tasksel',
    downloads: true,
    installsFiles: {
      when: /(?:^| )(?:install|localinstall|reinstall|upgrade|update|add|-i)(?: |$)/,
      files: /\.(?:rpm|apk|snap|flatpak|flatpakref|rb|ipk|pkg|txz|nix)$/,
    },
    does: changesMachine,
  },
  {
    names: 'guix',
    downloads: true,
    starts: { subcommands: ['shell', 'environment'], behind: '--' },
    does: changesMachine,
  },
  {
    names: 'apt apt-get',
    known: knownApt,
    // At a terminal it tells how far it is, as often as it has the time.
    pacedLines: /\d%.*\r/,
    plansPackages: /^(?:install|reinstall|remove|purge|autoremove|autopurge|upgrade|dist-upgrade|full-upgrade)$/,
    downloads: true,
    installsFiles: { when: /(?:^| )(?:install|reinstall)(?: |$)/, files: /\.deb$/ },
    does: changesDebian,
  },
  {
    names: 'aptitude',
    downloads: true,
    installsFiles: { when: /(?:^| )(?:install|reinstall)(?: |$)/, files: /\.deb$/ },
    does: changesDebian,
  },
  {
    names: 'pacman yay paru',
    downloads: true,
    installsFiles: { when: /(?:^| )(?:-[a-zA-Z]*U|--upgrade)/, files: /\.pkg\.tar(?:\.\w+)?$/ },
    does: changesArch,
  },
  {
    names: 'rpm',
    downloads: true,
    installsFiles: { when: /(?:^| )(?:-[a-pr-z]*[iUF]|--install|--upgrade|--freshen)/, files: /\.rpm$/ },
    does: changesByFile,
  },
  {
    names: 'installer',
    installsFiles: { when: /(?:^| )-pkg/, files: /\.pkg$/ },
    does: {
      ...changesMachine,
      care: 'd',
      oneDash: true,
      rules: [['s', '-dominfo|-volinfo|-pkginfo|-query|-vers', reads]],
    },
  },
  {
    names: 'dpkg',
    inert: true,
    installsFiles: { when: /(?:^| )(?:-[a-zA-Z]*i|--install|--unpack)(?: |$)/, files: /\.deb$/ },
    does: changesDpkg,
  },
  { names: 'gdebi', does: changesByFile, installsFiles: { when: /^/, files: /\.deb$/ } },
  { names: 'update-alternatives', inert: true, does: changesMachine },
  { names: 'dpkg-query dpkg-deb dpkg-split apt-cache apt-config', inert: true },
];
