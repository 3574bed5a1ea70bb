import type { CodeDeedKind } from '../../facts/codeDeed.ts';
import type { Level } from '../../facts/level.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import { judgeStatements } from '../statements.ts';
import { isTemporaryPath } from '../targets.ts';
import { alternatives, type CodeCall, type CodeReading, type CodeValue, textsOf } from './codeReading.ts';

/** What a program text would do, one thing of it. */
export interface CodeDeed {
  deed: Exclude<CodeDeedKind, 'sends-secrets' | 'gives-shell' | 'too-deep'>;
  /** Commands that it starts, as scripts for a shell. Absent where they are not known. */
  script?: string;
  /** Text that it evaluates as code of its own language. */
  code?: string;
  /** File that it writes, where that is known. */
  path?: string;
}

const deletesAnywhere =
  /^(rmtree|removedirs|rm_rf!?|rm_r|remove_dir|remove_dir_all|rimraf(Sync)?|remove_entry(_secure)?|remove_tree|deleteRecursively|deleteDir|emptyDir(Sync)?|unlink|unlinkSync|rmSync|rmdirSync|rmdir|rm_f)$/;
const deletesInModule =
  /^(os|posix|nt|File|Dir|Files|FileUtils|file|fs|fsp|fs\.promises|fs\/promises|fs-extra|del|Deno|rimraf|\?|pathlib\.\w+\(\)|Pathname(\.new)?|FileSystem(\.\w+)?)\.(delete|rm|rm!|rmdir!?|truncate|truncateSync|ftruncate|ftruncateSync|removeSync|remove_file|deleteIfExists|deleteSync|rimraf|sync)$|^(os|posix|nt|fs-extra|Deno|file)\.remove$|^del$/;
const runsAnywhere =
  /^(system|popen[234]?e?|exec[lv]p?e?|spawn[lv]?p?e?|shell_exec|passthru|proc_open|pcntl_exec|check_output|check_call|getoutput|getstatusoutput|execSync|execFile|execFileSync|spawnSync|posix_spawnp?|execaSync|execaCommand|create_subprocess_(shell|exec)|capture2e?|capture3|readpipe)$/;
const runsInModule =
  /^(subprocess\.(run|call|Popen)|child_process\.\w+|commands\.\w+|pty\.spawn|execa(\.\w+)?|shelljs\.exec|Bun\.(spawn|spawnSync|\$)|Deno\.(run|Command)|zx\.\$|\$|`|os\.(exec\w*|spawn\w*|startfile|execute|cmd)|io\.popen|IO\.popen|Kernel\.(system|exec|spawn)|Process\.(spawn|exec)|Open3\.\w+|System\.cmd|exec|spawn|script|(os|child_process|subprocess|shutil|fs|posix)\.\?)$/;
const evaluates =
  /^(eval|exec|compile|Function|instance_eval|class_eval|module_eval|create_function|assert|loadstring|load|vm\.\w+|evalin|execfile|runpy\.\w+|''\.constructor\.constructor|\[\]\.constructor\.constructor)$/;
/** Names of calls that unpack or decode. */
export const decodes =
  /(^|\.)(b64decode|b32decode|a85decode|decode_base64|base64_decode|decode64|strict_decode64|urlsafe_b64decode|from_base64|atob|unhexlify|gzinflate|gzuncompress|str_rot13|unpack|rot13|inflateSync|gunzipSync|fromCharCode)$|^(zlib|bz2|lzma|gzip)\.decompress$|^codecs\.decode$|^bytes\.fromhex$/;
const unpacksObjects = /^(marshal|pickle|cPickle|dill|shelve|Marshal)\.loads?$|^(unserialize|yaml\.unsafe_load)$/;
const connects =
  /^(urllib\.request|urllib2|urllib\.urlopen|urllib\.urlretrieve|requests|httpx|aiohttp|http\.client|socket|ftplib|smtplib|telnetlib|paramiko|websockets?|xmlrpc\.client|net|tls|dgram|dns|https?|axios|got|undici|node-fetch|ws|nodemailer|Net|LWP|IO\.Socket|HTTP|HTTPoison|WebClient|Faraday|RestClient)(\.|$)|(^|\.)(urlopen|urlretrieve|fetch|XMLHttpRequest|WebSocket|fsockopen|curl_exec|curl_init|TCPSocket|UDPSocket|stream_socket_client|create_connection|EventSource|URI\.open)(\.|\(|$)/;
const changes =
  /^(os|process|Process|Kernel)\.(kill|killpg)$|^kill$|^(os|posix)\.(chmod|chown|rename|renames|replace|symlink|link|mkfifo|mknod|utime|fork)$|^shutil\.(move|chown)$|(^|\.)(chmodSync|chownSync|renameSync|symlinkSync|linkSync|lchown|fork)$|^(fs|fs\.promises|fs\/promises|fsp|File|FileUtils|Deno)\.(chmod\w*|chown\w*|rename\w*|move|mv|symlink|link|copy\w*|cp\w*)$|^pathlib\.\w+\(\)\.(rename|replace|chmod|symlink_to|hardlink_to)$|^(rename|chmod|chown|symlink)$/;
const writesAnywhere =
  /(^|\.)(write_text|write_bytes|writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|outputFile(Sync)?|writeTextFile(Sync)?|file_put_contents|writeJson(Sync)?|copyfile|copytree|copy2|extractall|urlretrieve|syswrite|binwrite)$|^(File|IO|Bun)\.(write|binwrite)$|^shutil\.copy$/;
const opens = /(^|\.)(open|fopen|openSync|File\.new)$/;
const asksDatabase =
  /\.(execute|executescript|executemany|query|exec|run|prepare|raw|all|get|multi_query|do|execute!|\$(execute|query)Raw(Unsafe)?)$|^(mysqli_query|pg_query|dbExecute|dbGetQuery)$/;
// They get a path or a text, and read nothing there.
const onlyNames =
  /(^|\.)(Path|exists|existsSync|isfile|isdir|join|dirname|basename|touch|mkdir|mkdirSync|require)$|^os\.path\.|^path\.|^(print|pprint(\.pprint)?|puts|p|say|echo|printf|console\.\w+|process\.stdout\.write|sys\.std(out|err)\.write|io\.write|logging\.\w+|cat|IO\.puts|error_log)$/;
const isEnvironment =
  /^(os\.environb?|os\.getenv|process\.env|Deno\.env|Bun\.env|ENV|getenv|Sys\.getenv|System\.get_env|System\.getenv)(\.|$|\()/;
const plainVariables =
  /\.(HOME|PATH|USER|LOGNAME|PWD|SHELL|LANG|TERM|TMPDIR|TMP|TEMP|CI|DEBUG|NODE_ENV|EDITOR|HOSTNAME|PORT|TZ|COLUMNS|LINES|get|setdefault|pop)$/;

const temporaryMakers =
  /^(tempfile\.\w+|tempfile\.\w+\(\)(\.name|\.path)?|fs\.mkdtemp(Sync)?|fs\.promises\.mkdtemp|os\.tmpdir|mkdtempSync|Deno\.makeTemp\w+|Tempfile(\.\w+)?|Dir\.mktmpdir|tmp\.\w+)$/;

/** Everything that a program text would do, as far as it can be read. `isSecret` tells whether a path is one of keys. */
export function deedsOf(reading: CodeReading, language: string, isSecret: (path: string) => boolean): CodeDeed[] {
  const deeds: CodeDeed[] = [];
  const written = new Set<string>();
  let isHidden = false;
  let runsUnread = false;
  for (const call of reading.calls) {
    const names = call.callees.map(plainName);
    const is = (pattern: RegExp) => names.some((name) => pattern.test(name));
    const ends = (pattern: RegExp) => names.some((name) => pattern.test(name.slice(name.lastIndexOf('.') + 1)));
    const paths = writtenPaths(call, is);
    if (is(decodes) || is(unpacksObjects) || is(connects)) isHidden = true;
    if (is(unpacksObjects) && !ends(/^load$/)) deeds.push({ deed: 'hidden' });
    if (
      is(connects) ||
      (is(/^(file_get_contents|open|URI\.open)$/) &&
        textsOf(call.args[0]).some(({ text }) => /^(https?|ftp):/.test(text)))
    )
      deeds.push({ deed: 'connects' });
    if (
      is(evaluates) &&
      !(language !== 'python' && is(/^(compile|assert|load|exec)$/)) &&
      !(language === 'python' && is(/^(load|assert)$/))
    ) {
      const codes = textsOf(call.args[0]);
      for (const { text, isOpen } of codes)
        deeds.push(isOpen ? { deed: 'evaluates' } : { deed: 'evaluates', code: text });
      if (codes.length === 0 && (call.args.length > 0 || !isPlain(language))) deeds.push({ deed: 'evaluates' });
      runsUnread ||= codes.length === 0 || codes.some(({ isOpen }) => isOpen);
    } else if ((ends(runsAnywhere) || is(runsInModule)) && !isPattern(call)) {
      const scripts = scriptsOf(call, language);
      for (const script of scripts) deeds.push({ deed: 'runs', script });
      if (scripts.length === 0 && (call.args.length > 0 || !isPlain(language))) deeds.push({ deed: 'runs' });
      runsUnread ||= scripts.length === 0;
    } else if (
      ends(deletesAnywhere) ||
      is(deletesInModule) ||
      (language === 'julia' && is(/^rm$/)) ||
      (language === 'elixir' && is(/^File\.rm/))
    ) {
      const deleted = deletion(call, written);
      if (deleted) deeds.push({ deed: deleted });
    } else if (paths) {
      for (const path of paths) written.add(path);
      if (paths.length === 0) deeds.push({ deed: 'writes' });
      for (const path of paths) deeds.push({ deed: 'writes', path });
    } else if (is(changes)) deeds.push({ deed: 'changes' });
    else if (is(asksDatabase) && textsOf(call.args[0]).some(({ text }) => judgeStatements(text) === 'destroys')) {
      deeds.push({ deed: 'changes-data' });
    }
    const named = paths || is(onlyNames) ? [] : [...call.args, ...argumentsOf(call.on)];
    if (named.some((value) => textsOf(value).some(({ text }) => isSecret(text)))) deeds.push({ deed: 'reads-secrets' });
  }
  if (
    [...reading.names].some(
      (name) => isEnvironment.test(name) && !plainVariables.test(name) && !isOnlyAPart(name, reading.names),
    )
  )
    deeds.push({ deed: 'reads-secrets' });
  if (runsUnread && isHidden) deeds.push({ deed: 'hidden' });
  if (reading.isEndless) deeds.push({ deed: 'endless' });
  if (!reading.isWhole) deeds.push({ deed: 'unread' });
  return deeds;
}

/** `os.environ` alone is read where `os.environ.HOME` is. */
function isOnlyAPart(name: string, names: ReadonlySet<string>): boolean {
  const members = [...names].filter((one) => one.startsWith(`${name}.`));
  return members.length > 0 && members.every((one) => plainVariables.test(one));
}

function plainName(name: string): string {
  return name
    .replace('.__dict__', '')
    .replace(/^(builtins|__builtins__|globalThis|window|global|CORE|Kernel)\.(?=\w)/, '');
}

// Languages that are read by their words alone: a word without anything behind it is no call.
function isPlain(language: string): boolean {
  return !/^(python|javascript)$/.test(language);
}

/** `pattern.exec(text)` of JavaScript looks for a pattern. */
function isPattern(call: CodeCall): boolean {
  const name = call.callees[0] ?? '';
  return (
    /\.(exec|spawn)$/.test(name) &&
    !/^(child_process|subprocess|os|pty|shelljs|Bun|Process|Kernel)\./.test(name) &&
    !/^\?$/.test(name)
  );
}

function scriptsOf(call: CodeCall, language: string): string[] {
  const args = [...call.args];
  // `os.spawnlp(os.P_WAIT, 'ls', 'ls')` begins with a number.
  while (args[0]?.kind === 'name' && args.length > 1) args.shift();
  const [first, second] = args;
  if (!first) {
    const named = call.named.get('args') ?? call.named.get('cmd');
    return named ? scriptsOf({ ...call, args: [named], named: new Map() }, language) : [];
  }
  return alternatives(first).flatMap((one) => {
    if (one.kind === 'list') return one.items.length > 0 ? [asScript(one.items)] : [];
    if (one.kind !== 'text') return [];
    const rest = second?.kind === 'list' ? second : call.named.get('args');
    if (rest?.kind === 'list') return [asScript([one, ...rest.items])];
    const several = isPlain(language) || /(exec|spawn)[lv]|create_subprocess_exec$/.test(call.callees[0] ?? '');
    const texts = several ? args.filter((arg) => arg.kind === 'text' || arg.kind === 'unknown') : [];
    if (texts.length > 1 && !/\s/.test(one.text)) return [asScript(texts)];
    return one.text.startsWith('$unknown') ? [] : [one.text];
  });
}

function asScript(items: readonly CodeValue[]): string {
  return items
    .map((item) => {
      const [known] = textsOf(item);
      if (!known) return '"$unknown"';
      return known.isOpen ? `"${known.text.replace(/["`\\]/g, '\\$&')}"` : quoteWord(known.text);
    })
    .join(' ');
}

function writtenPaths(call: CodeCall, is: (pattern: RegExp) => boolean): string[] | undefined {
  const modes = [...call.args.slice(1), ...(call.named.has('mode') ? [call.named.get('mode')] : [])];
  const isMethod = call.on !== undefined && !is(/^(os|io|codecs|gzip|fs|fsp|fs\.promises|File|bz2|lzma)\./);
  const all = isMethod ? [...call.args, ...modes] : modes;
  const opensToWrite =
    is(opens) &&
    all.some((value) =>
      textsOf(value).some(
        ({ text }) => /^([rwax]b?t?\+?|[rwax]\+?b?t?|>>?.*|\+<.*)$/.test(text) && /[wax+>]/.test(text),
      ),
    );
  if (!opensToWrite && !is(writesAnywhere)) return undefined;
  const target = isMethod && /Path\(\)/.test(call.callees[0] ?? '') ? argumentsOf(call.on)[0] : call.args[0];
  return textsOf(target).flatMap(({ text, isOpen }) => (isOpen ? [] : [text]));
}

function argumentsOf(value: CodeValue | undefined): readonly CodeValue[] {
  return value?.kind === 'result' ? value.call.args : [];
}

function deletion(call: CodeCall, written: ReadonlySet<string>): CodeDeed['deed'] | undefined {
  const isMethod = call.on !== undefined && /\(\)\.\w+$|^\?\.\w+$/.test(call.callees[0] ?? '');
  const target = isMethod ? call.on : call.args[0];
  if (target && alternatives(target).every(isOwnTemporary)) return undefined;
  const paths = textsOf(isMethod ? argumentsOf(call.on)[0] : target);
  const isPassing = ({ text, isOpen }: { text: string; isOpen: boolean }) =>
    (!isOpen && written.has(text)) ||
    (isTemporaryPath(text) &&
      !/^(\/private)?\/(tmp|var\/tmp|dev\/shm)\/*(\*+|\.)?$/.test(text) &&
      !text.includes('..'));
  return paths.length > 0 && paths.every(isPassing) ? 'deletes-temporary' : 'deletes';
}

/** Something that the text itself made in the temporary folder. */
function isOwnTemporary(value: CodeValue): boolean {
  if (value.kind === 'text')
    return value.begins !== undefined && !value.text.includes('..') && alternatives(value.begins).every(isOwnTemporary);
  if (value.kind === 'result') {
    if (value.call.callees.every((name) => temporaryMakers.test(name))) return true;
    const wraps = /^(pathlib\.(Path|PosixPath)|str|os\.path\.\w+|open)$/.test(value.call.callees[0] ?? '');
    return wraps && value.call.args[0] !== undefined && alternatives(value.call.args[0]).every(isOwnTemporary);
  }
  if (value.kind === 'name') return value.of !== undefined && alternatives(value.of).every(isOwnTemporary);
  return false;
}

/** How much care each deed needs; what it starts or evaluates is judged by what that is. */
export const deedLevels: Readonly<Record<CodeDeed['deed'], Level>> = {
  deletes: 'danger',
  'deletes-temporary': 'caution',
  runs: 'caution',
  evaluates: 'caution',
  hidden: 'danger',
  connects: 'caution',
  'reads-secrets': 'caution',
  writes: 'caution',
  changes: 'caution',
  'changes-data': 'danger',
  endless: 'caution',
  unread: 'caution',
};
