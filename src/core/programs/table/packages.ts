import type { KnownForm, Program, Starts } from '../program.ts';
import { defaultFiles } from './defaultFiles.ts';
import {
  dotnetTools,
  fetchingAndRunning,
  goals,
  goTools,
  installingTools,
  packageScripts,
  projectTools,
  pythonPackages,
} from './managingPackages.ts';
import { outputOrFile } from './outputOptions.ts';
import { buildingAll, compiling, installing, scripting, testingTarget } from './projectWork.ts';
import { nodeLoads } from './runtimeVariables.ts';

const startsConda: Starts = { subcommands: ['run'], valued: '-n -p --name --prefix --cwd', folder: '--cwd' };

// What of their subcommands makes files.
const changesEnvironment =
  /(?:^| )(?:install|uninstall|add|remove|sync|lock|update|upgrade|init|create|venv|download)\b/;
const changesPackages = /^(?:$|install|update|add|remove|require|init|dump-autoload)/;
const changesModules = /^(?:$|i\b|install|add|remove|rm|up|update|upgrade|dedupe|init|create|link|build|import|patch)/;

// Subcommands that ask a registry; `npm test`, `uv run` and `cargo build` do without where everything is there.
const downloadsModules =
  /^(?:$|i|in|it|install|ci|clean-install|add|up|update|upgrade|dedupe|audit|outdated|view|info|search|create|init .*|dlx|link|(?:un)?publish|whoami|ping|login|logout|adduser|token|owner|dist-tag|deprecate)$/;
const downloadsForPython =
  /^(?:install|add|sync|lock|update|upgrade|download|create|tool|self|publish|upload|search|index)$/;
const downloadsForTools =
  /^(?:install|add|get|update|upgrade|restore|fetch|vendor|require|deps\.get|search|publish|push|login|download|mod download\b.*)$/;

/** `go install .` builds what is here, as `go build` does; with a version it asks for one. */
const downloadsForGo = /^(?:get|mod download\b.*|install\b.*@.*)$/;

// Their own words aside each is a script of the project.
const runsScripts =
  /^(?!(?:add|audit|bin|cache|config|create|dlx|global|help|info|init|licenses|link|list|ls|login|logout|outdated|pm|publish|remove|rm|search|store|up|update|upgrade|version|versions|view|why|x)\b|(?:i|install) .)/;
/** `install .`, `install -e ./x`; with `-r x.txt` no word is left. */
const installsFolder = /^(?:install|wheel)(?:$| (?:.* )?\.(?:[./[ ]|$))/;

/** Wheels and sources that are named, and lists of what is fetched. */
const installsPythonFiles = { when: /(?:^| )(?:install|add|wheel)(?: |$)/, files: /\.(?:whl|zip|tar\.\w+|tgz|txt)$/ };
const installsModuleFiles = { when: /(?:^| )(?:i|in|install|add)(?: |$)/, files: /\.(?:tgz|tar\.gz)$/ };

const ofModules = { downloads: downloadsModules, installsFiles: installsModuleFiles, does: packageScripts } as const;
const ofPython = { downloads: downloadsForPython, installsFiles: installsPythonFiles, does: pythonPackages } as const;
/** What tools of projects do that have no rule of their own. */
export const ofTools = { downloads: downloadsForTools, does: projectTools } as const;

/** What npm only looks up here. */
const npmAnswers: KnownForm = { unless: nodeLoads, code: ['.js', '.cjs', '.mjs', '.node'] };

/** Package managers of languages and of systems. */
export const packages: readonly Program[] = [
  {
    names: 'npm',
    ...scripting,
    runsFolder:
      /^(?:i|in|it|install|ci|clean-install|install-test|rebuild|rb|link|pack)$|^(?:run|run-script|t|tst|test|start|stop|restart)\b/,
    known: [
      { ...npmAnswers, by: /^(?:ls|list|la|ll|root|prefix|bin|get|explain|why|query|-v|--version|help)$/ },
      { ...npmAnswers, by: /^(?:config|c)$/, given: /^(?:get|list|ls)$/ },
      { ...npmAnswers, by: /^pkg$/, given: /^get$/ },
    ],
    keepsLogs: '.npm/_logs',
    asksInterfaces: true,
    endsAsTool: /^(?:exec|x)$/,
    looksForNewer:
      /^(?:run|run-script|rum|urn|test|t|tst|start|stop|restart|ls|list|la|ll|pkg|version|root|prefix|config|c|get|explain|why|query|help)$/,
    // Others send what no cache answers: `publish`, `audit`.
    worksOffline:
      /^(?:i|in|ins|install|ci|clean-install|add|un|uninstall|rm|remove|update|up|upgrade|dedupe|prune|rebuild|rb)$/,
    worksIn: { options: '--prefix -C' },
    scriptOf: 'node',
    makes:
      /^(?:i|in|install|ci|add|un|uninstall|rm|remove|update|up|upgrade|dedupe|prune|init|version|pack|link|rebuild|audit fix)\b/,
    reads: [defaultFiles.package, defaultFiles.lock],
    starts: {
      subcommands: ['exec', 'x'],
      valued: '-p --package -w --workspace -c --call --prefix -C',
      script: '-c --call',
      away: '-w --workspace -ws --workspaces',
      also: { explore: { subcommands: ['explore'], operands: 1, behindDashes: true, awayBehind: /^explore$/ } },
    },
    ...ofModules,
  },
  {
    names: 'yarn yarnpkg',
    ...scripting,
    runsFolder: runsScripts,
    worksIn: { options: '--cwd' },
    scriptOf: 'node',
    packageRunner: 'yarn',
    makes: changesModules,
    reads: [defaultFiles.package, defaultFiles.lock],
    starts: {
      subcommands: ['exec', 'dlx'],
      valued: '-p --package --cwd',
      also: { workspaces: { subcommands: ['workspaces foreach'], behind: 'exec', awayBehind: /./ } },
    },
    ...ofModules,
  },
  {
    names: 'pnpm',
    ...scripting,
    runsFolder: runsScripts,
    worksIn: { options: '-C --dir --prefix' },
    scriptOf: 'node',
    packageRunner: 'pnpm',
    makes: changesModules,
    reads: [defaultFiles.package, defaultFiles.lock, { files: ['pnpm-workspace.yaml'] }],
    starts: {
      subcommands: ['exec', 'dlx'],
      valued: '--package -C --dir --filter -F',
      folder: '-C --dir',
      away: '-r --recursive --filter -F',
    },
    ...ofModules,
  },
  {
    names: 'bun',
    ...scripting,
    runsFolder: runsScripts,
    worksIn: { options: '--cwd' },
    language: 'javascript',
    codeEnding: '.mjs',
    codeOption: /^(?:-e|-p|--eval|--print)$/,
    runsInput: true,
    packageRunner: 'bun',
    makes: changesModules,
    reads: [defaultFiles.package, defaultFiles.lock, defaultFiles.bunTest],
    follows: true,
    ...ofModules,
  },
  {
    names: 'npx',
    scriptOf: 'node',
    asksInterfaces: true,
    endsAsTool: true,
    runsPackages: true,
    reads: [defaultFiles.package],
    starts: { valued: '-p --package -w --workspace -c --call', script: '-c --call' },
    does: fetchingAndRunning,
  },
  {
    names: 'bunx',
    runsPackages: true,
    packageRunner: 'bun',
    starts: { valued: '-p --package --package' },
    does: fetchingAndRunning,
  },
  {
    names: 'uvx',
    runsPackages: true,
    starts: { valued: '--from --with -p --python --index-url' },
    does: fetchingAndRunning,
  },
  {
    names: 'pnpx',
    scriptOf: 'node',
    runsPackages: true,
    packageRunner: 'pnpm',
    starts: { valued: '-p --package --package' },
    does: fetchingAndRunning,
  },
  {
    names: 'pipx',
    installsFiles: installsPythonFiles,
    runsFolder: installsFolder,
    makes: changesEnvironment,
    does: installingTools,
  },
  {
    names: 'pip pip3 pip2',
    ...installing,
    runsFolder: installsFolder,
    known: [
      {
        by: /^(?:list|show|freeze|check|--version|-V|help)$/,
        unless: /^PYTHON(?:PATH|HOME|INSPECT|PYCACHEPREFIX|USERBASE|PLATLIBDIR)$/,
        code: ['.pyc', '.pth'],
      },
    ],
    makes: changesEnvironment,
    reads: [defaultFiles.python],
    ...ofPython,
  },
  {
    names: 'uv',
    ...installing,
    runsFolder: /^(?:sync|build|run\b.*|(?:pip|tool) install(?:$| (?:.* )?\.(?:[./[ ]|$).*))/,
    writes: { options: /^(?:-o|--output|--output-file)$/ },
    makes: changesEnvironment,
    worksIn: { options: '--directory --project' },
    reads: [defaultFiles.python, defaultFiles.pythonLock],
    starts: {
      subcommands: ['run'],
      valued: '--with --with-requirements --python -p --project --directory --package --extra --group --env-file',
      folder: '--directory',
    },
    ...ofPython,
  },
  {
    names: 'poetry',
    ...installing,
    runsFolder: /^(?:install|sync|build|run\b.*)$/,
    writes: { options: /^(?:-o|--output|--output-file)$/ },
    makes: changesEnvironment,
    worksIn: { options: '-C --directory' },
    reads: [defaultFiles.python, defaultFiles.pythonLock],
    starts: { subcommands: ['run'], valued: '-C --directory -P --project', folder: '-C --directory' },
    ...ofPython,
  },
  {
    names: 'pdm',
    runsFolder: /^(?:install|sync|build|run\b.*)$/,
    makes: changesEnvironment,
    reads: [defaultFiles.python],
    starts: { subcommands: ['run'] },
    ...ofPython,
  },
  { names: 'pipenv rye', starts: { subcommands: ['run'] }, ...ofPython },
  {
    names: 'pixi',
    starts: {
      subcommands: ['run', 'exec', 'x'],
      valued: '-e --environment --manifest-path -s --spec -c --channel --with',
    },
    ...ofPython,
  },
  { names: 'micromamba', starts: startsConda, ...ofPython },
  { names: 'easy_install twine flit', ...ofPython },
  {
    names: 'conda mamba',
    writes: { options: /^(?:-f|--file)$/, when: /^export$/, makes: /^(?:-f|--file)$/ },
    makes: changesEnvironment,
    starts: startsConda,
    ...ofPython,
  },
  {
    names: 'hatch',
    reads: [defaultFiles.python],
    starts: { subcommands: ['run'] },
    ...ofPython,
  },
  {
    names: 'cargo',
    ...buildingAll,
    runsFolder: /^(?:\+\S+ )?(?:(?:b|build|c|check|t|test|r|run|bench|clippy|doc)\b|install$)/,
    worksIn: { options: '-C', onlyFirst: true },
    writes: { options: outputOrFile },
    // Of cargo-watch.
    starts: {
      subcommands: ['watch'],
      valued: '-s --shell -x --exec -w --watch -i --ignore -d --delay -C --workdir',
      script: '-s --shell',
      onlyScript: true,
    },
    makes:
      /^(?:\+\S+ )?(?:b|build|c|check|t|test|r|run|bench|doc|new|init|add|remove|rm|update|fix|fmt(?!.*--check)|install|vendor|generate-lockfile|clippy)\b/,
    reads: [defaultFiles.cargo, defaultFiles.cargoSources],
    leaves: {
      when: /^(?:\+\S+ )?(?:c|check|clippy|t|test|bench|nextest run|fmt .*--check)\b/,
      unless: /(?:^| )(?:--fix|--target-dir|--bless)\b/,
      own: ['target', 'Cargo.lock'],
      runsProject: true,
    },
    ...ofTools,
  },
  {
    names:
      'rustup bundler nuget pod carthage stack cabal opam lein buck pants elm nimble luarocks cpan cpanm raco conan vcpkg spack pub ghcup sdk hex rebar3 waf xmake',
    ...ofTools,
  },
  {
    names: 'go',
    ...buildingAll,
    runsFolder: /^(?:run|test|generate)\b/,
    // Tools that its settings name are programs of their own, which the gate sees.
    known: [
      { by: /^(?:env|list|version|help|fmt)$/, code: [] },
      { by: /^mod$/, given: /^edit$/, code: [] },
    ],
    chance: /\brand\./,
    seeds: [{ by: /\brand\.(?:Seed|NewSource)\(\s*\d/, of: /\brand\./ }],
    measures: /\btime\.(?:Now|Since)\(/,
    unordered: /\bmap\[|\bgo\s+(?:func\b|[\w.]+\()|\bselect\s*\{/,
    // Of two keys the first one begins seven times out of eight, and of two goroutines mostly the newest.
    printsUnordered: {
      when: /^run\b|^test\b.* -(?:v|json)\b/,
      fails: { when: /^test\b/, printed: /(?:^\s+--- FAIL: \S+\/[\s\S]*){2}|(?:^\s+\w+_test\.go:\d+:[\s\S]*){2}/m },
      files: /\.go$/,
      tests: {
        when: /^test\b/,
        files: /_test\.go$/,
        name: /^func ((?:Test|Example|Fuzz|Benchmark)\w*)\(/m,
        option: /^--?(?:test\.)?run(?:=(.*))?$/s,
      },
      code: /\b(\w+)\s*(?::?=\s*(?:make\(\s*)?|\s)map\[[\s\S]*?\brange\s+\1\s*\{[^}]*?\b(?:(?:fmt|log)\.[FP]?[a-z]*rint|[tb]\.(?:Run|Log|Error|Fatal))|\bt\.Parallel\(|\bfor\b[^\n{]*\{[^}]*?\bgo\s+func\b[^}]*?\b(?:fmt|log)\.[FP]?[a-z]*rint/i,
    },
    worksIn: { options: '-C' },
    // What is no program stays as it is.
    writes: { options: outputOrFile, overwrites: false },
    makes:
      /^(?:build|install|generate|get|run|fmt|test\b.* (?:-c|-o|-\w*profile\S*|-trace\S*)|work|mod (?:tidy|init|download|vendor|edit))\b/,
    links: true,
    reads: [defaultFiles.go, defaultFiles.goSources],
    follows: true,
    leaves: {
      when: /^(?:-C \S+ )?(?:test|vet)\b/,
      unless: /(?: |^)--?(?:c|o|fuzz|trace|outputdir|\w*profile|update\S*|mod=mod)(?: |=|$)/,
      runsProject: true,
    },
    downloads: downloadsForGo,
    does: goTools,
  },
  { names: 'gem', makes: changesPackages, installsFiles: { when: /^install /, files: /\.gem$/ }, ...ofTools },
  {
    names: 'bundle',
    carried: true,
    ...installing,
    runsFolder: /^(?:install|exec\b.*|)$/,
    makes: changesPackages,
    reads: [defaultFiles.ruby],
    starts: { subcommands: ['exec'] },
    ...ofTools,
  },
  {
    names: 'composer',
    ...installing,
    runsFolder: /^(?:i|install|u|update|run|run-script|test)(?: |$)/,
    scriptOf: 'php',
    startsNamed: 'composer',
    starts: { subcommands: ['exec'], valued: '-d --working-dir' },
    makes: changesPackages,
    worksIn: { options: '-d --working-dir' },
    reads: [defaultFiles.php],
    ...ofTools,
  },
  { names: 'mix', ...testingTarget, runsFolder: /./, reads: [defaultFiles.mix], ...ofTools },
  {
    names: 'dotnet',
    ...buildingAll,
    runsFolder: /^(?:build|run|test|publish|pack|restore|msbuild)\b/,
    writes: { options: outputOrFile },
    makes: true,
    reads: [defaultFiles.dotnet],
    ...ofTools,
    does: dotnetTools,
  },
  { names: 'sbt ant scons', runsFolder: /^/, makes: true, reads: [defaultFiles.otherBuilds], ...ofTools, does: goals },
  {
    names: 'gradle gradlew',
    carried: true,
    ...buildingAll,
    runsFolder: /^/,
    makes: true,
    reads: [defaultFiles.gradle],
    ...ofTools,
    does: goals,
  },
  {
    names: 'mvn mvnw',
    carried: true,
    ...buildingAll,
    runsFolder: /./,
    makes: true,
    reads: [defaultFiles.maven],
    ...ofTools,
    does: goals,
  },
  { names: 'zig', writes: { options: outputOrFile }, reads: [defaultFiles.zig], ...ofTools },
  {
    names: 'meson cmake',
    runsFolder: /^/,
    worksIn: { options: '-C' },
    makes: true,
    reads: [defaultFiles.cmake],
    ...ofTools,
  },
  {
    names: 'ninja',
    jobs: { unless: /^-j ?1$/ },
    runsFolder: /^/,
    ...compiling,
    worksIn: { options: '-C' },
    makes: true,
    reads: [defaultFiles.cmake],
    ...ofTools,
  },
];
