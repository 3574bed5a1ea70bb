import { posix } from 'node:path';

/** What kind of place or thing an argument names, as far as its text tells. */
export type TargetClass =
  /** `/`, or a directory directly below it. */
  | 'root'
  /** Of these the whole file system, and the directories that the system keeps there. */
  | 'core'
  /** The home directory itself, or everything in it. */
  | 'home'
  /** Below `/etc`, `/usr`, `/boot`, `/var`, … */
  | 'system'
  /** A disk or another device that holds data. */
  | 'device'
  /** `/dev/null`, `/dev/tty`, a descriptor: nothing is kept there. */
  | 'sink'
  /** Outside the workspace, and not temporary. */
  | 'outside'
  | 'temporary'
  /** `*`, `.`, `..`: the whole current directory, or one around it. */
  | 'everything'
  /** Has a pattern in it. */
  | 'glob'
  /** Has a variable or substitution in it whose value is not known. */
  | 'unknown'
  /** `.git`, or something in it. */
  | 'repository'
  | 'secret'
  /** Read by a shell, a scheduler or a server at start: what is put there runs later. */
  | 'startup'
  /** Settings of agents and editors that decide what may run. */
  | 'guard'
  /** Decides what runs on other machines: workflows, pipelines. */
  | 'pipeline'
  /** `host:path`, `s3://…`, `https://…`. */
  | 'remote'
  | 'url';

/** Where an argument is judged from. */
export interface Place {
  cwd: string;
  /** Home directory of the user. */
  home: string;
  /** Absolute; default the working directory. */
  workspaceFolders?: readonly string[] | undefined;
  /** Words that nothing expands any more: `'$HOME'` and `'*'` are names in them. Absent: none is known to be one. */
  letters?: ReadonlySet<string> | undefined;
}

const systemDirectories =
  /^\/(bin|boot|dev|etc|lib|lib32|lib64|libx32|opt|proc|root|run|sbin|srv|sys|usr|var|System|Library|Applications|Volumes|private|nix|snap)(\/|$)/;
// Folders in which projects lie: of a workspace there, nothing is the system's.
const projectsOfSystem = /^\/(opt|srv|var\/www|usr\/(local\/)?src)\/[^/]/;
const temporaryDirectories = /^(\/private)?\/(tmp|var\/tmp|dev\/shm|var\/folders)(\/|$)/;
const sinks =
  /^\/dev\/(null|zero|full|tty|stdin|stdout|stderr|random|urandom|fd\/\d+|console|ptmx|pts\/\d+)$|^\/proc\/self\/fd\/\d+$|^NUL$/i;
const secretNames =
  /(^|\/)(\.env(\.(?!example|sample|template|dist)[\w.-]+)?|[\w-]+\.env|\.netrc|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc|\.git-credentials|\.htpasswd|\.vault-token|\.boto|id_(rsa|dsa|ecdsa|ed25519)(?!\.pub)|credentials(\.(json|ya?ml|toml|txt|ini|csv|xml|db|enc|properties))?|secrets?(\.(json|ya?ml|toml|txt|env))?|auth\.(json|toml)|master\.key|admin\.conf|kubeconfig|[\w.-]+\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)|secring\.gpg|login\.keychain(-db)?|cookies\.sqlite|logins\.json|key4\.db|tokens?(\.(json|ya?ml|toml|txt|enc|db))?)$|^\/etc\/(shadow|gshadow|sudoers)-?$/i;
const secretDirectories =
  /(^|\/)(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker\/config\.json|\.config\/(gcloud|gh|doctl|op|rclone|hub|pypoetry|sops)|\.password-store|Library\/Keychains|\.local\/share\/keyrings|\.mozilla|\.config\/google-chrome|certs|private_keys)(\/|$)/;
const startupPlaces =
  /(^|\/)(\.(bash(rc|_profile|_login|_logout)|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|tcshrc|login|inputrc|xinitrc|xprofile|xsession|pam_environment)|config\.fish|authorized_keys2?|rc\.local|crontab|ld\.so\.preload|\.gitconfig|\.git\/(hooks|config)(\/.*)?|\.husky\/.*|\.envrc)$/;
// Folders of these names start things where the system and the desktop look for them, and not in a project.
const startupFolders =
  /^\/(etc|usr|lib|run|var|Library|System)\/(.*\/)?(cron\.(d|daily|hourly|weekly|monthly)|crontabs|init\.d|profile\.d|sudoers\.d|systemd\/(system|user)|LaunchAgents|LaunchDaemons|autostart)(\/|$)|\/(\.config|\.local\/share|Library)\/(.*\/)?(autostart|systemd\/user|LaunchAgents|fish\/(conf\.d|functions)|environment\.d)(\/|$)/;
const guardPlaces =
  /(^|\/)(\.(claude|codex|cursor|gemini|termaxa|continue|aider|windsurf|copilot|roo|github\/hooks|vscode|devcontainer)|\.config\/(nah|shellfirm|dcg|foretell))(\/|$)|(^|\/)((CLAUDE|AGENTS|GEMINI)\.md|\.mcp\.json|\.?mcp[-_](config|servers|settings)\.json|opencode\.jsonc?|\.devcontainer\.json|[\w.-]+\.code-workspace)$/;
const pipelines =
  /(^|\/)(\.github\/(workflows|actions)\/.|\.gitlab-ci\.ya?ml$|\.circleci\/|\.travis\.yml$|azure-pipelines\.ya?ml$|bitbucket-pipelines\.yml$|Jenkinsfile$|\.buildkite\/|\.drone\.yml$|\.woodpecker|appveyor\.yml$)/;
// What package managers and people put there is of other projects: nobody reads its settings, or starts anything by its names.
const ofOtherProjects =
  /\/(node_modules|bower_components|site-packages|dist-packages|vendor|third_party|\.cargo\/registry|go\/pkg\/mod)\//;
const dataDevices =
  /^(\/dev\/(sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|disk\d?|rdisk\d|md\d|dm-\d|loop\d|mapper\/|sr\d|st\d|mem|kmem|port|block\/|by-|nbd\d|zd\d)|\/proc\/(sysrq-trigger|sys\/)|\\\\\.\\PhysicalDrive)/;

/**
 * The classes of an argument. `word` may still contain unexpanded variables (`$X/`), patterns and `~`, if it is not one of `letters`.
 * Words that are no paths get classes as well (`delete` is a path below the working directory): ask for the right class.
 */
export function classifyTarget(word: string, around: Place): Set<TargetClass> {
  const classes = new Set<TargetClass>();
  const given = word.replace(/^file:\/\//, '');
  if (/^[a-z][\w+.-]*:\/\//i.test(given)) return classes.add('remote').add('url');
  if (/^([\w.-]+@)?[\w.-]{2,}:(?!\\)/.test(given) && !given.startsWith('/')) classes.add('remote');
  const isLetters = around.letters?.has(word) === true;
  const fromTemporary = !isLetters && /^(\$\{?TMPDIR\}?|\$\(mktemp[^)]*\))(\/|$)/.test(given) && !given.includes('..');
  if (fromTemporary) return classes.add('temporary');
  // `${DIR:?}` is a name that somebody gave, or ends the script.
  const open = given.replace(/^\$\{?HOME\}?(?=\/|$)/, '').replace(/\$\{\w+:\?[^{}$`]*\}/g, '');
  if (!isLetters && /[$`]/.test(open)) classes.add('unknown');
  if (!isLetters && /[*?]|\[[^\]]+\]/.test(given)) classes.add('glob');
  if (sinks.test(given)) return classes.add('sink');
  if (dataDevices.test(given)) classes.add('device');

  const path = resolveTarget(given, around);
  for (const one of namedClasses(path)) classes.add(one);
  if (/(^|\/)\.git(\/|$)/.test(path)) classes.add('repository');
  const stem = isLetters ? path : path.replace(/\/[^/]*[*?[{][^/]*$/, '') || '/';
  const endsOpen = stem !== path;
  // A home directory is one wherever it lies.
  if (temporaryDirectories.test(path) && !isAtOrAbove(around.home, endsOpen ? stem : path)) {
    if (/^(\/private)?\/(tmp|var\/tmp)\/?$/.test(endsOpen ? stem : path)) classes.add('everything');
    return classes.add('temporary');
  }
  const whole =
    endsOpen && /^(\.?\*|\.?\*\.\*|\{?\.?\*.*|\[.*\]\*)$/.test(path.slice(path.lastIndexOf('/') + 1)) ? stem : path;
  if (whole === '/' || /^\/[^/]+\/?$/.test(whole)) classes.add('root');
  if (whole === '/' || (classes.has('root') && systemDirectories.test(whole))) classes.add('core');
  if (/^[A-Z]:[\\/]?\*?$/i.test(given)) classes.add('root').add('core');
  if (
    whole === around.home ||
    /^(~[\w-]*|\$\{?(HOME|USERPROFILE)\}?|\/home\/[\w-]+|\/Users\/[\w-]+|\/root)$/.test(whole)
  )
    classes.add('home');
  if (isAtOrAbove(whole, around.cwd) && (isLetters || !given.startsWith('$'))) classes.add('everything');
  // The home directory of root is below `/`, and no more the system's than any other.
  const atHome = around.home !== '/' && isAtOrAbove(around.home, path) && path !== around.home;
  if ((systemDirectories.test(path) && !atHome) || /^[A-Z]:\\(Windows|Program Files)/i.test(given))
    classes.add('system');
  const folders = around.workspaceFolders ?? [around.cwd];
  if (folders.some((folder) => projectsOfSystem.test(folder) && isAtOrAbove(folder, path))) classes.delete('system');
  if (posix.isAbsolute(path) && ![around.cwd, ...folders].some((folder) => isAtOrAbove(folder, path)))
    classes.add('outside');
  return classes;
}

function holdsKeys(path: string): boolean {
  // The public half of a key is there to be given to others; that of other machines is what they show everybody.
  const isPublic = /\.pub$|\/\.ssh\/known_hosts(\.old)?$/.test(path);
  return !isPublic && (secretNames.test(path.replace(/[*?]+$/, '')) || secretDirectories.test(path));
}

/** What names alone tell of a path. */
function namedClasses(path: string): TargetClass[] {
  if (ofOtherProjects.test(path)) return [];
  const classes: TargetClass[] = [];
  if (holdsKeys(path)) classes.push('secret');
  if (startupPlaces.test(path) || startupFolders.test(path)) classes.push('startup');
  if (guardPlaces.test(path)) classes.push('guard');
  if (isPipeline(path)) classes.push('pipeline');
  return classes;
}

/** The folder in which that stands for which a path is special by its names: of `/w/.husky/pre-commit` it is `/w`. Undefined where it is not. */
export function specialRoot(path: string): string | undefined {
  const starts = [secretNames, secretDirectories, startupPlaces, startupFolders, guardPlaces, pipelines].flatMap(
    (names) => names.exec(path)?.index ?? [],
  );
  return starts.length === 0 ? undefined : path.slice(0, Math.min(...starts)) || '/';
}

/** Absolute path of an argument, where `~` and `$HOME` are the user's home; patterns and variables stay. */
export function resolveTarget(word: string, around: Place): string {
  if (around.letters?.has(word)) return posix.resolve(around.cwd, word);
  const expanded = word.replace(/^(~|\$HOME|\$\{HOME\})(?=\/|$)/, around.home);
  if (/^(~|\$|[A-Z]:\\)/i.test(expanded)) return expanded;
  return posix.resolve(around.cwd, expanded);
}

/** Whether a file may hold keys or passwords, by its place. */
export function isSecret(path: string): boolean {
  return !ofOtherProjects.test(path) && holdsKeys(path);
}

/** Whether a file decides what runs on other machines, by its place. */
export function isPipeline(path: string): boolean {
  return pipelines.test(path);
}

/** Whether an absolute path is below `/tmp` or its like. */
export function isTemporaryPath(path: string): boolean {
  return temporaryDirectories.test(path);
}

/** Whether `above` is `path` or a directory that contains it. */
export function isAtOrAbove(above: string, path: string): boolean {
  if (!path.startsWith(above)) return false;
  return path.length === above.length || above.endsWith('/') || path[above.length] === '/';
}
