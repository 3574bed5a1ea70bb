import type { Doing } from '../program.ts';

const reads = 'only reads';
// What is in a cache comes back when it is wanted.
const emptiesCache = 'empties the cache of packages, which fills again';
const showsPublished = 'shows what it would publish, and runs code of the project{: rest}';
const installs = 'downloads packages and runs their install scripts{: rest}';

/** Packages of a project in JavaScript, and its scripts. */
export const packageScripts: Doing = {
  effect: 'package',
  care: 'c',
  says: 'runs code of the project{: rest}',
  valued:
    '--prefix -C -w --workspace --registry --tag --cwd --dir --filter --loglevel --access --otp --auth-type --userconfig --cache --scope',
  helps: true,
  rules: [
    ['c', 'publish --dry-run', showsPublished, 'code-execution'],
    ['c', 'npm publish --dry-run', showsPublished, 'code-execution'],
    ['s', 'token|team|org|owner|hook|profile|access|dist-tag list|ls|get', reads, 'network'],
    [
      'd',
      'publish|unpublish|deprecate|dist-tag|owner|access|adduser|login|logout|token|org|team|star|hook|profile',
      'changes something at the registry{: rest}',
      'network',
    ],
    ['d', 'npm publish|tag|login', 'changes something at the registry{: rest}', 'network'],
    ['d', 'config|c set|delete|edit', 'changes settings{: rest}'],
    ['c', 'cache|store|pm clean|clear|prune|rm', emptiesCache],
    ['s', 'cache|store list|ls|path|dir|status', reads],
    ['s', 'pkg get', reads],
    ['sh', 'run|run-script !#2', 'lists the scripts of the project'],
    ['c', 'init !#2', 'writes package.json', 'package'],
    ['c', 'exec|x|dlx|create|init #2', 'may download a package and run it{: rest}', 'code-execution'],
    [
      'd',
      '-g|--global|--location install|i|add|uninstall|remove|rm|update|link',
      'changes the packages of the machine{: rest}',
      'outside-workspace',
    ],
    ['d', 'global', 'changes the packages of the machine{: rest}', 'outside-workspace'],
    ['c', 'audit fix', 'changes versions of packages', 'network'],
    [
      'c',
      'install|i|add|ci|in|it|install-test|clean-install|up|update|upgrade|dedupe|link|rebuild|import',
      installs,
      'code-execution',
    ],
    ['c', 'uninstall|remove|rm|r|un|unlink|prune|autoclean', 'removes packages{: rest}'],
    ['c', 'version #2', 'changes the version in package.json, and commits and tags that where git is in use'],
    ['c', 'pkg|shrinkwrap|pack|patch|patch-commit', 'changes package.json or packs the project'],
    [
      's',
      'version|ls|list|ll|la|view|info|show|outdated|audit|search|why|explain|help|root|prefix|bin|fund|docs|ping|whoami|doctor|query|licenses|get|config|diff|sbom|completion|repo|bugs',
      reads,
      'network',
    ],
  ],
};

/** A tool that is fetched where it is not there, and run. */
export const fetchingAndRunning: Doing = {
  effect: 'code-execution',
  care: 'c',
  says: 'may download a package and run it{: rest}',
  helps: true,
  rules: [['s', 'list', reads]],
};

/** Tools in environments of their own. */
export const installingTools: Doing = {
  ...fetchingAndRunning,
  rules: [
    ['d', 'uninstall|uninstall-all', 'removes packages{: rest}'],
    ['c', 'install|install-all|inject|upgrade|upgrade-all|reinstall|reinstall-all', installs, 'code-execution'],
    ['c', 'run', 'may download a package and run it{: rest}', 'code-execution'],
    ...(fetchingAndRunning.rules ?? []),
  ],
};

/** Packages and environments of Python. */
export const pythonPackages: Doing = {
  effect: 'package',
  care: 'c',
  says: 'changes the packages{: rest}',
  valued:
    '-r --requirement -c --constraint --channel --index-url -i --extra-index-url --trusted-host -t --target --prefix -p --python --root -G --group --extra --extras -E --source -n --name --file -f --find-links --platform --config-settings',
  helps: true,
  rules: [
    ['c', 'cache purge|remove|clean|prune|clear', emptiesCache],
    ['d', 'venv --clear|-c', 'deletes everything in {rest} first'],
    ['c', 'pip uninstall', 'removes packages{: rest}'],
    ['d', 'tool uninstall', 'removes packages{: rest}'],
    ['c', 'tool install|upgrade', installs, 'code-execution'],
    ['c', 'tool run', 'may download a package and run it{: rest}', 'code-execution'],
    ['c', 'run|shell', 'runs what it is given in the environment of the project', 'code-execution'],
    ['c', 'activate|deactivate', 'changes which environment is used'],
    ['d', '--rm', 'removes packages'],
    ['c', 'pip install|sync|compile', installs, 'code-execution'],
    ['c', 'env create|update|use', installs, 'code-execution'],
    ['c', 'env vars set|unset', 'changes settings{: rest}'],
    ['c', 'env export -f|--file', 'writes which packages there are to a file'],
    ['s', 'pip list|show|freeze|check|tree', reads],
    ['c', 'publish --dry-run', showsPublished, 'code-execution'],
    ['d', 'publish|upload|yank', 'publishes a package', 'network'],
    ['d', 'uninstall|remove --all', 'removes packages{: rest}'],
    ['c', 'clean -y|--yes|--all|-a', emptiesCache],
    ['c', 'uninstall|remove', 'removes packages{: rest}'],
    ['d', 'env|cache|self|python remove|purge|clean|rm|uninstall|prune|clear', 'removes packages{: rest}'],
    [
      'd',
      'install|download --index-url|-i|--extra-index-url|--trusted-host|--break-system-packages',
      'installs from another place, or over the system{: rest}',
      'code-execution',
    ],
    ['c', 'install|sync|add|update|upgrade|create|lock|tool|pip|develop', installs, 'code-execution'],
    ['s', 'list|show|freeze|check|search|info|help|inspect|index|debug|tree|graph', reads],
    [
      's',
      'env|config|cache|python|tool|self|kernel|repo list|ls|info|show|dir|get|debug|find|size|activate|export|vars',
      reads,
    ],
    ['s', 'version !#2 !--bump', reads],
    ['c', 'version', 'changes the version of the project{: rest}'],
    ['s', 'config --list|--show|--show-sources|--get|--describe|--validate', reads],
    ['s', 'config !#2 !--set|--add|--append|--prepend|--remove|--remove-key|--unset|--file|--write-default', reads],
    ['d', 'config set|unset|edit', 'changes settings{: rest}'],
    ['c', 'config', 'changes settings{: rest}'],
  ],
};

/** Packages, builds and tools of projects in further languages. */
export const projectTools: Doing = {
  effect: 'package',
  care: 'c',
  says: 'runs code of the project, or changes packages{: rest}',
  valued:
    '--features -F --package -p --target --target-dir --manifest-path --path --git --branch --tag --rev --registry --bin --example --profile -C -j --jobs --version --vers',
  helps: true,
  rules: [
    ['c', 'publish --dry-run|-n', showsPublished, 'code-execution'],
    ['c', 'pub publish --dry-run|-n', showsPublished, 'code-execution'],
    [
      'd',
      'publish|push|yank|owner|login|logout|unpublish|retire|hex.publish',
      'publishes or changes a package{: rest}',
      'network',
    ],
    ['d', 'pub publish', 'publishes or changes a package{: rest}', 'network'],
    ['d', '~^ecto\\.(drop|reset|rollback)$', 'deletes or changes a database', 'database'],
    ['d', 'nuget|dev-certs|user-secrets|workload delete|push|clean|clear|remove|locals', 'deletes or publishes {rest}'],
    ['c', 'clean -modcache|-cache|-testcache|-fuzzcache', emptiesCache],
    ['d', 'clean --expunge', 'deletes all that was built'],
    [
      'd',
      'toolchain|target|component|global|tool|cache|hex|local|plugin|sdk|env|formatter|self uninstall|remove|purge|clear|clean',
      'removes tools or files{: rest}',
    ],
    ['d', 'uninstall|cleanup|remove|implode|pristine', 'removes packages{: rest}'],
    ['cv', 'clean|fix', 'deletes or changes built files'],
    ['c', 'install|add|get|update|upgrade|restore|fetch|vendor|require|deps.get|self|use', installs, 'code-execution'],
    [
      's',
      'help|version|tree|metadata|search|info|list|outdated|which|show|current|locate-project|pkgid|licenses|depends|why',
      reads,
    ],
    ['s', 'env !-w|-u', reads],
    ['s', '--list', reads],
  ],
};

/** `install` of folders builds what is there. */
export const goTools: Doing = {
  ...projectTools,
  rules: [['c', 'install !~@', 'builds and installs{: rest}', 'outside-workspace'], ...(projectTools.rules ?? [])],
};

/** `publish` only builds what can be published. */
export const dotnetTools: Doing = {
  ...projectTools,
  valued:
    '-c --configuration -f --framework -o --output -r --runtime -v --verbosity -p --project -s --source --startup-project --version',
  rules: [
    ['d', 'ef database drop', 'deletes a database', 'database'],
    ['c', 'ef database update', 'changes a database', 'database'],
    ['c', 'publish|build|pack|run|test', 'runs code of the project'],
    ...(projectTools.rules ?? []),
  ],
};

/** Of several goals or tasks in one call each may publish. */
export const goals: Doing = {
  ...projectTools,
  rules: [
    [
      'd',
      '~^([\\w.-]*:)*(deploy(-file)?|publish(?!\\w*local$)\\w*|uploadArchives|closeAndRelease\\w*)$|^(release|nexus-staging|versions):(perform|release|deploy)',
      'publishes or changes a package',
      'network',
    ],
    ...(projectTools.rules ?? []),
  ],
};
