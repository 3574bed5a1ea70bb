import type { ProgramEntry } from './entry.ts';

const reads = 'only reads';
const installs = 'downloads packages and runs their install scripts: {rest}';

/** Package managers, build tools, compilers, interpreters and editors. */
export const packagePrograms: readonly ProgramEntry[] = [
  {
    names: 'npm yarn pnpm bun yarnpkg',
    effect: 'package',
    care: 'c',
    says: 'runs code of the project: {rest}',
    valued: '--prefix -C -w --workspace --registry --tag --cwd --dir --filter --loglevel',
    helps: true,
    rules: [
      [
        'd',
        'publish|unpublish|deprecate|dist-tag|owner|access|adduser|login|logout|token|org|team|star|hook|profile',
        'changes something at the registry: {rest}',
        'network',
      ],
      ['d', 'npm publish|tag|login', 'changes something at the registry: {rest}', 'network'],
      ['d', 'config|c set|delete|edit', 'changes settings: {rest}'],
      ['d', 'cache|store|pm clean|clear|prune|rm', 'deletes the cache of packages'],
      ['c', 'exec|x|dlx|create|init|dlx *', 'may download a package and run it: {rest}', 'code-execution'],
      [
        'd',
        '-g|--global|--location install|i|add|uninstall|remove|rm|update|link',
        'changes the packages of the machine: {rest}',
        'outside-workspace',
      ],
      ['d', 'global', 'changes the packages of the machine: {rest}', 'outside-workspace'],
      ['c', 'audit fix', 'changes versions of packages', 'network'],
      [
        'c',
        'install|i|add|ci|in|it|install-test|clean-install|up|update|upgrade|dedupe|link|rebuild|import',
        installs,
        'code-execution',
      ],
      ['c', 'uninstall|remove|rm|r|un|unlink|prune|autoclean', 'removes packages: {rest}'],
      ['c', 'version|pkg|shrinkwrap|pack|patch|patch-commit', 'changes package.json or packs the project'],
      [
        's',
        'ls|list|ll|la|view|info|show|outdated|audit|search|why|explain|help|root|prefix|bin|fund|docs|ping|whoami|doctor|query|licenses|get|config|diff|sbom|completion|repo|bugs',
        reads,
        'network',
      ],
    ],
  },
  {
    names: 'npx bunx pnpx uvx pipx',
    effect: 'code-execution',
    care: 'c',
    says: 'may download a package and run it: {rest}',
    helps: true,
    rules: [['s', 'list', reads]],
  },
  {
    names: 'pip pip3 pip2 uv poetry pdm pipenv conda mamba micromamba easy_install hatch rye pixi twine flit',
    effect: 'package',
    care: 'c',
    says: 'changes the packages: {rest}',
    helps: true,
    rules: [
      ['d', 'publish|upload|yank', 'publishes a package', 'network'],
      ['d', 'uninstall|remove|clean -y|--yes|--all|-a', 'removes packages: {rest}'],
      ['d', 'env|cache|self remove|purge|clean|rm|uninstall|prune|clear', 'removes packages: {rest}'],
      [
        'd',
        'install|download --index-url|-i|--extra-index-url|--trusted-host|--break-system-packages',
        'installs from another place, or over the system: {rest}',
        'code-execution',
      ],
      ['c', 'install|sync|add|update|upgrade|create|lock|tool|pip|develop', installs, 'code-execution'],
      ['s', 'list|show|freeze|check|search|info|help|inspect|index|debug|tree|env|config|version|cache|python', reads],
    ],
  },
  {
    names:
      'cargo rustup go gem bundle bundler composer mix dotnet nuget swift pod carthage stack cabal opam lein sbt gradle gradlew mvn mvnw ant bazel buck pants elm zig nimble luarocks cpan cpanm raco conan vcpkg spack flutter dart pub ghcup sdk nvm fnm volta asdf mise rbenv pyenv hex rebar3 meson cmake ninja scons waf xmake',
    effect: 'package',
    care: 'c',
    says: 'runs code of the project, or changes packages: {rest}',
    helps: true,
    rules: [
      [
        'd',
        'publish|push|yank|owner|login|logout|unpublish|retire|hex.publish',
        'publishes or changes a package: {rest}',
        'network',
      ],
      [
        'd',
        'nuget|dev-certs|user-secrets|workload delete|push|clean|clear|remove|locals',
        'deletes or publishes {rest}',
      ],
      ['d', 'clean -modcache|-cache|-testcache|-fuzzcache|--expunge|-i', 'deletes the cache of packages'],
      [
        'd',
        'toolchain|target|component|global|tool|cache|hex|local|plugin|sdk|env|formatter uninstall|remove|purge|clear|clean',
        'removes tools or files: {rest}',
      ],
      ['d', 'uninstall|cleanup|remove|implode|pristine', 'removes packages: {rest}'],
      ['cv', 'clean|fix', 'deletes or changes built files'],
      [
        'c',
        'install|add|get|update|upgrade|restore|fetch|vendor|require|deps.get|self|use',
        installs,
        'code-execution',
      ],
      [
        's',
        'help|version|tree|metadata|search|info|list|outdated|which|show|current|locate-project|pkgid|licenses|depends|why',
        reads,
      ],
      ['s', 'env !-w|-u', reads],
      ['s', '--list', reads],
    ],
  },
  {
    names:
      'apt apt-get aptitude dpkg rpm dnf yum zypper apk pacman yay paru emerge xbps-install xbps-remove nix nix-env nix-collect-garbage nixos-rebuild home-manager brew port snap flatpak pkg pkg_add pkg_delete choco scoop winget mas softwareupdate guix swupd opkg tdnf microdnf rpm-ostree installer update-alternatives dpkg-reconfigure add-apt-repository apt-key tasksel unattended-upgrade',
    effect: 'package',
    care: 'c',
    says: 'installs or updates packages of the machine: {rest}',
    helps: true,
    rules: [
      ['s', '-s|--simulate|--dry-run|--just-print|--no-act|--assumeno', 'only shows what it would change'],
      [
        'd',
        '@=^(remove|purge|autoremove|autopurge|uninstall|erase|del|delete|rm|clean|autoclean|cleanup|zap|distclean|deselect|unlink|untap|rollback|reset)$',
        'removes packages: {rest}',
      ],
      [
        'd',
        '-r|--remove|-P|--purge|-e|--erase|-R|-d|--delete-old|--delete-generations|-C|--unmerge|-X|-Sc|-Scc',
        'removes packages: {rest}',
      ],
      ['d', '-i|--install|-U|--upgrade', 'installs a package file: {rest}', 'code-execution'],
      [
        'd',
        '@=^(dist-upgrade|full-upgrade|do-release-upgrade|system-upgrade|switch|add-repository|adv|tap)$',
        'changes the whole system: {rest}',
        'code-execution',
      ],
      [
        'd',
        '--allow-unauthenticated|--force-yes|--no-gpg-check|--nogpgcheck|--allow-downgrades|--force|--force-all',
        'installs without checks: {rest}',
        'code-execution',
      ],
      [
        's',
        'list|search|show|info|policy|depends|rdepends|madison|showsrc|check-update|repolist|repoquery|provides|files|why|outdated|config|doctor|deps|leaves|home|log|query|version|help|contents|verify|updateinfo|group',
        reads,
      ],
      [
        's',
        '-l|-L|--list|--listfiles|--search|--status|-q|-Q|-Ss|-Si|-F|--print-avail|--get-selections|--audit|--query|--display',
        reads,
      ],
      ['s', '#0', 'only prints its help'],
    ],
  },
  // Interpreters: what they run is somebody's code. Inline code is looked at for destructive calls elsewhere.
  {
    names:
      'python python2 python3 pypy pypy3 node nodejs perl ruby php lua luajit tclsh Rscript r julia groovy scala kotlin java jshell ghci osascript deno tsx ts-node guile racket sbcl elixir iex erl escript ocaml octave coffee qjs gjs cscript wscript mshta ipython py bpython',
    effect: 'code-execution',
    care: 'c',
    says: 'runs code',
    valued: '-m',
    helps: true,
    rules: [
      ['d', '-m=^(pip|ensurepip)$ uninstall', 'removes packages'],
      ['c', '-m=^http\\.server$', 'opens the directory to the network', 'network'],
      ['s', '-V|-v|--version|--help|-version', 'only prints'],
    ],
  },
  {
    names:
      'gcc g++ cc c++ clang clang++ rustc javac kotlinc scalac ghc nasm yasm as ld tsc esbuild swc babel webpack vite rollup parcel tsup turbo nx lerna rush gulp grunt jest vitest mocha ava tap playwright cypress pytest tox nox unittest rspec minitest phpunit eslint prettier biome stylelint black ruff isort flake8 mypy pylint pyright rubocop gofmt golangci-lint rustfmt clang-format clang-tidy cppcheck hadolint yamllint markdownlint pre-commit husky lint-staged commitlint storybook next nuxt astro gatsby remix svelte-kit ng vue expo react-native eas hugo jekyll mkdocs sphinx-build uvicorn gunicorn flask celery streamlit jupyter nodemon concurrently wait-on serve http-server live-server configure autoconf automake libtool protoc buf swig',
    effect: 'code-execution',
    care: 'c',
    says: 'runs code of the project: {rest}',
    helps: true,
  },
  {
    names: 'make gmake bmake just task invoke doit',
    effect: 'code-execution',
    care: 'c',
    says: 'runs code of the project: {rest}',
    valued: '-C -f -j --directory --file --makefile -I -o -W',
    helps: true,
    rules: [
      [
        'cv',
        '@1=^(clean|distclean|mrproper|clobber|reset|purge|wipe|uninstall|destroy|nuke|eject)$',
        'runs a target that deletes: {rest}',
      ],
      ['c', '@1=^(deploy|release|publish|install|prod)$', 'runs a target that publishes or installs: {rest}'],
    ],
  },
  {
    names: 'vi vim nvim nano emacs pico joe micro code subl gedit kate helix hx ed ex kak ne mcedit',
    effect: 'other',
    care: 'c',
    says: 'opens an editor: {rest}',
    valued: '-c --cmd -S -u',
    rules: [
      ['d', '%system|secret|startup', 'edits {rest}'],
      ['d', '-c=^:*(\\S*!|.*\\bsystem\\()', 'runs commands in the editor', 'code-execution'],
      ['d', '~^\\+:*\\S*!', 'runs commands in the editor', 'code-execution'],
      ['c', '--install-extension|--uninstall-extension', 'changes extensions of the editor', 'code-execution'],
      ['s', '--version|--help', 'only prints'],
    ],
  },
];
