/** What a text that is run as code may load besides itself. */
export interface OwnReach {
  /** Files that it takes for data by their names: each must be a plain file of that name. */
  data: string[];
}

/**
 * Whether a text runs no code but its own and the standard library's: it evaluates nothing, unpacks no objects, loads no other
 * packages and no files as code; `undefined` where it may. It is read by its words, so words that are hidden on purpose are not
 * found: a text that is its author's own needs no files for that.
 */
export function runsOnlyItself(code: string, language: string): OwnReach | undefined {
  if (language === 'python') return isOwnPython(code) ? { data: [] } : undefined;
  if (language === 'javascript') return ownJavaScript(code);
  if (language === 'perl') return isOwnPerl(code) ? { data: [] } : undefined;
  return undefined;
}

// Not those that run, load or unpack code which they are given, nor those that lead to the interpreter itself.
const standardModules = new Set(
  `abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 binascii bisect bz2 calendar cgi cgitb
  chunk cmath cmd codecs collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg crypt csv
  curses dataclasses datetime dbm decimal difflib dis email encodings enum errno faulthandler fcntl filecmp fileinput fnmatch
  fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr
  importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox mailcap math mimetypes mmap
  modulefinder multiprocessing netrc nis nntplib ntpath nturl2path numbers opcode operator optparse os pathlib pipes pkgutil platform
  plistlib poplib posix posixpath pprint pstats pty pwd py_compile pyclbr pyexpat queue quopri random re reprlib resource sched
  secrets select selectors shlex shutil signal smtpd smtplib sndhdr socket socketserver spwd sqlite3 ssl stat statistics string
  stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this
  threading time token tokenize tomllib traceback tty types typing unicodedata unittest urllib uu uuid warnings wave weakref
  webbrowser wsgiref xdrlib xml xmlrpc zipfile zlib zoneinfo __future__`.split(/\s+/),
);
// Of others, as the system installs them, what reads data alone. What else they can is in `pythonRuns`.
const readsData = new Set(
  `yaml toml tomli tomli_w tomlkit requests urllib3 certifi idna chardet charset_normalizer packaging dateutil pytz six attr attrs
  bs4 lxml html5lib markdown psutil distro numpy pandas PIL regex jsonschema`.split(/\s+/),
);
const pythonRuns = [
  // What evaluates a text or makes code of an object.
  /\b(?:exec_?|(?:unsafe_)?eval|eval_str|execfile|exec_module|load_module|run_path|run_module|get_type_hints|ForwardRef|addsitedir|(?:Function|Lambda|Code)Type)\b/,
  // A function of a compiled text, by the type of another function.
  /\btype\s*\((?:[^()]|\([^()]*\))*\)\s*\([^\n]*(?<![.\w])compile\s*\(/,
  // The debugger runs the lines of `.pdbrc`.
  /\b(?:breakpoint|set_trace)\b/,
  // What unpacks objects, also where another module has loaded it.
  /\b(?:_?pickle|pickle_compat|marshal|\w*ForkingPickler|send_bytes)\b/,
  /\b(?:walk_packages|extend_path)\b/,
  // What leads to that by other names.
  /\b__(?:import|builtins|globals|self|subclasses|loader|code|getattribute)__\b|\bf_(?:builtins|globals|locals)\b/,
  /\b(?:globals|locals)\s*\(|\bvars\s*\(\s*\)|\bsys\s*\.\s*modules\b|\bfrom\s+sys\s+import\b[^\n;]*\b(?:path|modules)\b|\bsys\s+as\b/,
  // Where modules are looked for: an archive can stand for all of them.
  /\bsys\s*\.\s*(?:path\s*(?:\.\s*(?!index\b|count\b|copy\b)|\+?=(?!=)|\[[^\]]*\]\s*=(?!=))|meta_path\b|path_hooks\b)|=\s*sys\s*\.\s*path\b(?!\s*[.[])/,
  /\bimportlib\b(?!\.(?:metadata|resources|util|invalidate_caches)\b|\s*(?:$|[,;\n#])|\s+import\s+(?:metadata|resources|util)\b)/m,
  /\blogging\s*\.\s*config\b|\bfrom\s+logging\s+import\b[^\n;]*\bconfig\b/,
  /\bfrom\s+yaml\b(?!\s+import\s+(?:safe_\w+|dump|C?Safe\w+|YAMLError)(?:\s*,\s*(?:safe_\w+|dump|C?Safe\w+|YAMLError))*\s*(?:$|[;\n#]))|\byaml\s+as\b|\byaml\.(?!safe_|dump\b|YAMLError\b|Safe\w+|CSafe\w+|__version__|load\((?:[^()]|\([^()]*\))*\bC?SafeLoader\b)/,
];
// What libraries of tables evaluate and unpack.
const tablesRun = /\b(?:read_pickle|allow_pickle|f2py|read_hdf)\b|\.\s*query\b/;
// What unpacks objects that come through a connection.
const processesRun = /\b(?:connection|managers|reduction)\b/;

function isOwnPython(text: string): boolean {
  const named = text
    // What is loaded by a name that stands there.
    .replace(/\b(?:__import__|importlib\.import_module)\s*\(\s*(["'])([\w.]+)\1\s*\)/g, '\nimport $2\n');
  const code = withoutTexts(named);
  if (pythonRuns.some((pattern) => pattern.test(code))) return false;
  const modules = modulesOf(code);
  if (processesRun.test(code) && modules.includes('multiprocessing')) return false;
  if (tablesRun.test(code) && modules.some((name) => name === 'pandas' || name === 'numpy')) return false;
  return modules.every((name) => standardModules.has(name) || readsData.has(name));
}

/** First names of the modules that a Python text loads. */
function modulesOf(code: string): string[] {
  const found: string[] = [];
  for (const [, list, from] of code.matchAll(/\bimport\s+([^\n;#()]+)|\bfrom\s+([\w.]+)\s+import\b/g)) {
    // `from a import b`: what follows is no module.
    if (from !== undefined) found.push(from);
    else if (list !== undefined) found.push(...list.split(',').map((one) => one.trim().split(/\s/)[0] ?? ''));
  }
  return found.map((name) => name.split('.')[0] ?? '');
}

/**
 * A Python text without its comments and the contents of its literals. Those with values in them (`f"{x}"`, since Python 3.14
 * `t"{x}"`) stay, and so does all behind a literal that nothing ends.
 */
function withoutTexts(code: string): string {
  const literals =
    /#[^\n]*|\b([a-zA-Z]{0,2})("""|'''|"|')((?:\\[\s\S]|(?!\2)[\s\S])*)\2|("""|'''|"|')(?:\\[\s\S]|(?!\4)[\s\S])*\4/g;
  // Since Python 3.12 the code in a literal may have the same quotes: where that is, nobody here says which of them end it.
  const hasValues = (prefix: string | undefined) => prefix !== undefined && /[ft]/i.test(prefix);
  const isOpen = (text: string) => text.split('{').length > text.split('}').length;
  const nests = [...code.matchAll(literals)].some(
    ([, prefix, , inner = '']) => hasValues(prefix) && (isOpen(inner) || isOpen(inner.replace(/\{\{|\}\}/g, ''))),
  );
  if (nests) return code;
  return code.replace(literals, (whole, prefix: string | undefined) =>
    hasValues(prefix) ? whole : whole.startsWith('#') ? '' : '""',
  );
}

const builtInModules = new Set(
  `assert async_hooks buffer child_process console constants crypto diagnostics_channel dns domain events fs fs/promises http http2
  https net os path path/posix path/win32 perf_hooks process punycode querystring readline readline/promises stream
  stream/promises stream/consumers string_decoder timers timers/promises tls tty url util util/types zlib`.split(/\s+/),
);
const javaScriptRuns =
  /\b(?:eval|Function|vm|WebAssembly|Worker|worker_threads|inspector|repl|createRequire|getBuiltinModule|mainModule|dlopen|binding|_linkedBinding|_compile|_load|_extensions|registerHooks|setFlagsFromString)\b|\.\s*constructor\b|\bconstructor\s*[:}]|\[\s*(?:["'`]constructor|["'`][^"'`]*["'`]\s*\+)|\b(?:globalThis|global|process|module|require)\s*\[/;

function ownJavaScript(code: string): OwnReach | undefined {
  if (javaScriptRuns.test(code)) return undefined;
  const data: string[] = [];
  // Every mention of `require` or `import` has to be one of these.
  const loads =
    /\brequire\s*\(\s*(["'`])([^"'`$\\]*)\1\s*\)|\bimport\s*\(\s*(["'`])([^"'`$\\]*)\3(?=\s*[,)])|\b(?:import|export)\b(?:[^;"'`()]*?\bfrom)?\s*(["'])([^"'\\]*)\5/g;
  const rest = code.replace(loads, (...found: string[]) => {
    const name = found[2] ?? found[4] ?? found[6] ?? '';
    if (builtInModules.has(name.replace(/^node:/, ''))) return '';
    if (!/^\.{0,2}\/.*\.json$/.test(name)) return ' require ';
    data.push(name);
    return '';
  });
  if (/\brequire\b(?!\.resolve\b)|\bimport\b(?!\.meta\b)/.test(rest)) return undefined;
  return { data };
}

const perlRuns = [
  /\beval(?:bytes)?\b(?!\s*\{)/,
  // A file that is run: what is no block. Behind `do` and `require` other words may stand in texts, but no calls.
  /\bdo\s*(?:["'$(<+]|qq?\b|(?:shift|pop|glob|lc|join)\b|[A-Za-z_][\w:]*\s*(?:->|\())/,
  /\brequire\s*(?:["'$(<+]|qq?\b|(?:shift|lc|join)\b|[A-Za-z_][\w:]*\s*(?:->|\())|\buse\s+(?:lib|if|re|B)\b/,
  // Where modules are looked for.
  /\b(?:push|unshift|splice)\s*\(?\s*@INC\b|@INC\s*=(?!=)/,
  // A substitution that evaluates what it has evaluated.
  /\bs([^\w\s])(?:\\[\s\S]|(?!\1)[^\\])*\1(?:\\[\s\S]|(?!\1)[^\\])*\1[a-z]*e[a-z]*e|(?:[}\])]|(?<!-)>)(?=[a-z]*e[a-z]*e)[msixpodualngcer]+(?!\w)/,
  /\b(?:Storable|Safe|Inline|DynaLoader|XSLoader|SelfLoader|AutoLoader|Module|Filter|Devel|TAP|App|CPAN|Test|YAML|ExtUtils|Benchmark|Net|Template|Log)\b/,
];
// `s/open/eval/`: plain words, which are put in the place of others and not evaluated. A pattern holds code in `(?{…})` alone.
const plainSubstitution = /(^|[;{(~\n])(\s*)s([/|,#])(?:\\.|(?!\3)[^\\\n;'"`@{])*\3[\w\s.:=-]*\3(?![a-z]*e)/g;
const plainMatch =
  /(^|[=!]~|&&|[!({;]|\b(?:if|unless|and|or|not|grep|split))(\s*)\/(?:\\.|[^\\/\n;'"`@{$])+\/(?=[imsx]*(?:[\s;)}]|$))/g;

function isOwnPerl(text: string): boolean {
  const code = text.replace(plainSubstitution, '$1$2s///').replace(plainMatch, '$1$2//');
  return !perlRuns.some((pattern) => pattern.test(code));
}
