import { findSecrets } from './secrets/findSecrets.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command gets, and what was kept from it. */
export interface CommandEnvironment {
  env: Record<string, string>;
  /** Variables that were taken out because they hold secrets that the script does not name; sorted by name. */
  withheld: WithheldVariable[];
  /** Names of variables with secrets that the script names, and gets. */
  named: string[];
}

/** A variable that is set, and whose value is kept back. */
export interface WithheldVariable {
  readonly name: string;
  /** Two values of the same form in its place, so that what depends on its value is not the same with both. */
  readonly standIns: readonly [string, string];
}

// Parts of a name, between underscores, that say "secret".
const secretPart =
  /(?:^|_)(?:\w*TOKEN|\w*SECRET|SECRETS|\w*PASSWORD|\w*PASSWD|PASS|PASSPHRASE|PW|PWD|CREDENTIALS?|CREDS|\w*APIKEY|KEY|PRIVATE|AUTH|PAT|JWT|BEARER|COOKIE|DSN|CONNECTION_?STRING|WEBHOOK)(?:_(?:ID|VALUE|BASE64|B64|PEM|DEV|PROD|STAGING|TEST|\d+))?$/i;
const secretPrefix =
  /^(?:AWS_(?:ACCESS|SECRET|SESSION|SECURITY)|npm_config__|NPM_CONFIG__|TF_VAR_\w*(?:secret|password|token|key))/i;

// Names that look like secrets and are none. PWD and OLDPWD are folders; the sockets are not reachable anyway. A key of git is a setting's name.
const harmless =
  /^(?:PWD|OLDPWD|INIT_CWD|SSH_AUTH_SOCK|GPG_AGENT_INFO|XAUTHORITY|LESSKEY\w*|MONKEY\w*|GIT_CONFIG_KEY_\d+|GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|VSCODE_GIT_ASKPASS_\w+)$/;

// Names whose value may be anything and is needed for the same output as in the terminal.
const always = /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|TZ|LANG|LANGUAGE|LC_\w+|TMPDIR|PS\d|PROMPT_COMMAND|IFS)$/;

/**
 * The user's environment without secrets that the script does not name. So a rehearsed `env` or a gated program's
 * environment cannot leak what the command has nothing to do with, and `curl -H "Bearer $API_TOKEN"` still works.
 *
 * A name counts as a secret by its parts (`DEPLOY_TOKEN`, `AWS_SECRET_ACCESS_KEY`), a value by its format (see `redact`)
 * or as an address with a password in it. Named means: the name stands in the script as a word.
 */
export function withoutSecrets(env: Environment, script: string): CommandEnvironment {
  const named = new Set(script.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []);
  const result: CommandEnvironment = { env: {}, withheld: [], named: [] };
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    const holdsSecret = isSecret(name, value);
    if (holdsSecret && !named.has(name)) {
      result.withheld.push({ name, standIns: [standInFor(value, 'x1'), standInFor(value, 'y2')] });
      continue;
    }
    result.env[name] = value;
    if (holdsSecret) result.named.push(name);
  }
  result.withheld.sort((a, b) => (a.name < b.name ? -1 : 1));
  return result;
}

// How such values begin, by those who give them out: a script may tell by that which kind it has.
const publicBeginning =
  /^(?:gh[pousr]_|github_pat_|gl[a-z]{2,4}-|sk-(?:ant-|proj-)?|[sprw]k_(?:live|test)_|xox[a-z]-|npm_|pypi-|hf_|AKIA|ASIA|AIza|eyJ|[a-z][a-z+]*:\/\/)/;

/** The value with other letters and digits where it is secret. `like`: a letter and a digit. */
function standInFor(value: string, like: string): string {
  const found = findSecrets(value);
  if (found.length === 0) return othersIn(value, like);
  let text = value;
  for (const { start, end } of [...found].sort((a, b) => b.start - a.start))
    text = text.slice(0, start) + othersIn(text.slice(start, end), like) + text.slice(end);
  return text;
}

function othersIn(text: string, like: string): string {
  const [letter = '', digit = ''] = like;
  const begins = publicBeginning.exec(text)?.[0] ?? '';
  const rest = text.slice(begins.length).replace(/\p{Lu}/gu, letter.toUpperCase());
  return begins + rest.replace(/(?!\p{Lu})\p{L}/gu, letter).replace(/\d/g, digit);
}

function isSecret(name: string, value: string): boolean {
  if (value === '' || always.test(name)) return false;
  if (!harmless.test(name) && (secretPart.test(name) || secretPrefix.test(name))) return true;
  return findSecrets(value).length > 0;
}
