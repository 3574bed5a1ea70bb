import type { Doing, KnownForm, Program } from '../program.ts';
import { defaultFiles } from './defaultFiles.ts';
import { runningFile, servingByWord, testingTarget } from './projectWork.ts';
import { nodeLoads } from './runtimeVariables.ts';

const runningCode: Doing = {
  effect: 'code-execution',
  care: 'c',
  says: 'runs code',
  valued: '-m',
  helps: 'alone',
  rules: [
    ['c', '-m=^(pip|ensurepip)$ uninstall', 'removes packages'],
    ['c', '-m=^pip$ install', 'downloads packages and runs their install scripts', 'code-execution'],
    ['d', '-m=^(venv|virtualenv)$ --clear', 'deletes everything in {rest} first'],
    ['d', '-m=^twine$ upload', 'publishes a package', 'network'],
    [
      'd',
      '@1=(^|/)manage\\.py$ ~^(flush|reset_db|sqlflush|migrate|loaddata|dbshell|clearsessions|remove_stale_contenttypes)$',
      'changes or empties the database',
      'database',
    ],
    [
      'd',
      '@1=(^|/)console$ ~^doctrine:(database:drop|schema:(drop|update)|fixtures:load|migrations:migrate)$',
      'deletes or changes a database',
      'database',
    ],
    ['d', 'artisan ~^(migrate:(fresh|reset|refresh|rollback)|db:wipe)$', 'deletes or changes a database', 'database'],
    [
      'sd',
      '-m=^http\\.server$ -b|--bind ~^(127\\.[\\d.]+|localhost|::1)$',
      'serves the directory to this machine alone',
    ],
    ['c', '-m=^http\\.server$', 'opens the directory to the network', 'network'],
    // What stands behind a script or a module is for that.
    ['s', '-V|-v|--version|--help|-version #0 !-m', 'only prints'],
  ],
};

// `-i` asks at the terminal afterwards, `-h` and `-V` are no code.
const pythonOptions = /^-[bBdEIOPqsSuv]+$|^-W\w+$/;
const python: KnownForm = {
  options: pythonOptions,
  valued: /^-[WX]$/,
  unless: /^PYTHON(?:PATH|HOME|INSPECT|PYCACHEPREFIX|USERBASE|PLATLIBDIR|CASEOK|BREAKPOINT|WARNINGS)$/,
  // A module that is found somewhere else is asked for by its compiled name first, and a folder of modules may hold lines to run.
  code: ['.pyc', '.pth'],
};
const knownPython: readonly KnownForm[] = [
  { ...python, by: /^-[bBdEIOPqsSuv]*c$/, given: /(?:)/, runsWords: true },
  {
    ...python,
    by: /^-[bBdEIOPqsSuv]*m$/,
    given:
      /^(?:json\.tool|py_compile|ast|tokenize|base64|calendar|dis|gzip|zipfile|tarfile|tabnanny|quopri|uuid|platform|sysconfig|site|this)$/,
  },
  {
    ...python,
    by: /^-[bBdEIOPqsSuv]*m$/,
    given: /^pip$/,
    // `list`, `show`, `freeze`, `check`, and what they are asked for: no word that changes or fetches anything.
    rest: /^(?!(?:install|uninstall|download|wheel|lock|cache|config|index|search|debug|hash|completion|inspect)$)/,
  },
  { ...python, fed: true, rest: 'nothing' },
  { ...python, fed: true, by: /^-$/ },
  { ...python, by: /^-(?:V|VV|h|-version|-help)$/, rest: 'nothing' },
];

const javaScript: KnownForm = { unless: nodeLoads, code: ['.js', '.cjs', '.mjs', '.node'] };
// What is read as modules or not: the text alone, which asks for others in the same way. What is warned of changes nothing either.
const javaScriptOptions = /^--(?:input-type=(?:module|commonjs)|(?:no|trace)-(?:warnings|deprecation)|trace-uncaught)$/;
const knownNode: readonly KnownForm[] = [
  { ...javaScript, options: javaScriptOptions, fed: true, rest: 'nothing' },
  { ...javaScript, options: javaScriptOptions, fed: true, by: /^-$/ },
  {
    ...javaScript,
    options: javaScriptOptions,
    by: /^(?:-e|-p|-pe|--eval|--print)$/,
    given: /(?:)/,
    rest: /^[^-]|^$/,
    runsWords: true,
  },
  // What is only checked is not run.
  { ...javaScript, by: /^(?:-c|--check)$/, given: /^[^-]/, rest: 'nothing', code: ['.node'] },
  { ...javaScript, by: /^(?:-v|-h)$/, rest: 'nothing' },
];

// Letters of `-0777lanpsw`; `-i` and `-F` take what follows in the same word. Not -d, -I, -S, -t, -x, -D, -M; `-C`, how texts are read, by itself.
const perlLetters = '(?:0[0-7]*|[alnpswW])*';
const knownPerl: readonly KnownForm[] = [
  {
    options: new RegExp(
      `^-${perlLetters}(?:i[^/]*|F.+|[mM][A-Z][\\w:]*(?:=[\\w,:]+)?)?$|^-Mstrict$|^-Mwarnings$|^-Mutf8$|^-C[SIOEioADLa]*$`,
    ),
    by: new RegExp(`^-${perlLetters}i?[eE]$`),
    given: /(?:)/,
    runsWords: true,
    rest: /^(?!-)|^-(?:[eE]|-)?$/,
    unless: /^PERL/,
    code: ['.pm', '.pmc', '.pl', '.ph', '.al'],
  },
  { by: /^-[vV]$/, rest: 'nothing', unless: /^PERL/, code: ['.pm', '.pl'] },
];

const fetchingCode: Doing = {
  ...runningCode,
  rules: [['d', '~^https?://', 'runs code that it fetches', 'code-execution'], ...(runningCode.rules ?? [])],
};

// Ruby begins with these, and takes newer ones from the user's folders; a checked file has the same ending and is not run.
const rubyBegins = ['error_highlight', 'did_you_mean', 'syntax_suggest', 'rubygems_plugin', 'operating_system'];
const knownRuby: readonly KnownForm[] = [
  {
    by: /^-(?:w?c|cw)$/,
    given: /^[^-]/,
    rest: 'nothing',
    unless: /^(?:RUBY|GEM_|BUNDLE)/,
    code: ['.so', ...rubyBegins.map((name) => `/${name}.rb`), 'syntax_suggest/core_ext.rb'],
  },
  { by: /^-v$/, rest: 'nothing', unless: /^(?:RUBY|GEM_|BUNDLE)/, code: ['.rb', '.so'] },
];

const php: KnownForm = { unless: /^PHP/, code: ['.so', '.phar'] };
const knownPhp: readonly KnownForm[] = [
  // What is only checked is not run.
  { ...php, by: /^(?:-l|--syntax-check)$/, given: /^[^-]/, rest: 'nothing' },
  { ...php, by: /^-[vm]$/, rest: 'nothing', code: ['.so', '.phar', '.php'] },
];

const java: KnownForm = {
  unless: /^(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS)$/,
  code: ['.jar', '.class', '.jmod'],
};
const knownJava: readonly KnownForm[] = [{ ...java, by: /^-?-(?:version|showversion|help)$|^-\?$/, rest: 'nothing' }];

/** Interpreters: what they run is somebody’s code. Inline code is looked at for destructive calls elsewhere. */
export const languages: readonly Program[] = [
  {
    names: 'python python2 python3',
    complains: /^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt)(?:$|: )/,
    serves: /(?:^| )-m http\.server\b/,
    ...runningFile,
    language: 'python',
    codeEnding: '.py',
    known: knownPython,
    chance:
      /\b(?:random|SystemRandom|randbelow|randbits|shuffle)\b|\bsecrets\.choice\b|\bimport choice\b|\b(?:urandom|token_\w+)\([12]?\)|\bhash\(|\bin\s+[\w.]*(?:as_completed|imap_unordered)\([^\n]*\)\s*:\s*(?:[^\n]*\n[ \t]+){0,3}[^\n]*\bprint\(/,
    drawsMuch: /\b(?:uuid[14]|urandom|token_(?:hex|bytes|urlsafe))\b/,
    seeds: [
      { by: /(?<![\w.])random\.seed\(\s*[\d'"]/, of: /\bimport random\b|(?<![\w.])random\b(?:\.(?!SystemRandom)\w+)?/ },
      {
        by: /(?<![\w.])random\.Random\(\s*[\d'"]/,
        of: /\bimport random\b|(?<![\w.])random\.Random(?=\(\s*[\d'"])|(?<!\brandom)\.shuffle\b/,
      },
      { by: /\bPYTHONHASHSEED=["']?\d/, of: /\bhash\(/ },
      { by: /\b(?:np|numpy)\.random\.seed\(\s*\d/, of: /\b(?:np|numpy)\.random\b(?:\.\w+)?/ },
    ],
    clock:
      /\b(?:times?|timeit|perf_counter\w*|monotonic\w*|\w+_time\w*|clock\w*|datetime|getrusage|resource|unittest|c?[Pp]rofile|trace|logging|subprocess|system|popen)\b/,
    measures: /\b(?:perf_counter|process_time|monotonic|timeit)\b|\btime\.time\(/,
    // Texts in sets; threads and processes, and what tells which of them has ended.
    unordered:
      /(?:(?<=\bos\.)fork|\bThread|\bProcess|\bas_completed|imap_unordered|(?:futures|asyncio)\.wait)\(|(?<!\b(?:sorted|len|sum|min|max|bool)\()\b(?:frozen)?set\(|\{[^{}:]{0,200},[^{}:]{0,200}\}|\{[^:{}]{0,200}\bfor\b[^:{}]{0,200}\}/,
    codeOption: /^-[a-zA-Z]*c$/,
    codeOnly: /^(?:-[BEIPSqsu]+ )*-[BEIPSqsu]*c$/,
    runsInput: true,
    reads: [defaultFiles.pythonTest, defaultFiles.python, defaultFiles.django, defaultFiles.djangoTest],
    follows: true,
    does: runningCode,
  },
  {
    names: 'pypy pypy3',
    language: 'python',
    codeEnding: '.py',
    codeOption: /^-[a-zA-Z]*c$/,
    codeOnly: /^(?:-[BEIPSqsu]+ )*-[BEIPSqsu]*c$/,
    runsInput: true,
    does: runningCode,
  },
  {
    names: 'node nodejs',
    complains: /^(?:Uncaught )?(?:[A-Z]\w*)?Error(?: \[\w+\])?(?:$|: )/,
    ...{ ...runningFile, tests: /^--test(?: |$)/ },
    language: 'javascript',
    codeEnding: '.mjs',
    known: knownNode,
    chance: /\brandom(?!UUID|Bytes)|\bgetRandomValues\b|\brandomBytes\([12]\)/,
    drawsMuch: /\brandom(?:UUID|Bytes)\b/,
    clock:
      /\b(?:Date|Temporal|performance|perf_hooks|hrtime|time\w*|uptime|cpuUsage|resourceUsage|child_process|inspector|test)\b/,
    measures: /\bperformance\.now\(|\bhrtime\b|\bconsole\.time\b|\bDate\.now\(/,
    unordered: /\bnew Worker\(|\bcluster\.fork\(/,
    codeOption: /^(?:-e|-p|-pe|--eval|--print)$/,
    codeOnly: /^(?:-e|-p|-pe|--eval|--print)$/,
    runsInput: true,
    reads: [defaultFiles.package, defaultFiles.nodeTest],
    follows: true,
    leaves: {
      when: /(?:^| )--test(?: |$)/,
      unless: /--test-(?:update-snapshots|reporter-destination)|--\S*-prof|--watch/,
      runsProject: true,
    },
    does: runningCode,
  },
  {
    names: 'perl',
    language: 'perl',
    known: knownPerl,
    chance: /\bs?rand\b|\bshuffle\b/,
    seeds: [{ by: /\bsrand\b\s*\(?\s*\d/, of: /\bs?rand\b|\bshuffle\b/ }],
    clock: /\b(?:\w*times?|Time|Benchmark|clock\w*|system|exec|qx|alarm|BASETIME)\b|\$\^T|-[MAC]\b|`/,
    measures: /\bTime::HiRes\b|\bBenchmark\b/,
    unordered: /(?<!\bsort\b[^;]*)\b(?:keys|values|each)\b|\bfork\b(?!\s*=>)|\bthreads->/,
    codeOption: /^-[a-zA-Z0]*[eE]$/,
    runsInput: true,
    follows: true,
    focus: 'script',
    does: runningCode,
  },
  {
    names: 'ruby',
    ...runningFile,
    language: 'ruby',
    known: knownRuby,
    chance:
      /\b(?:s?rand|Random\.\w+|SecureRandom\.(?!hex|uuid|(?:urlsafe_)?base64|alphanumeric)\w+)\b|\bSecureRandom\.\w+\(?\s*[12]\b|\.(?:shuffle|sample|hash)\b(?!\.)/,
    drawsMuch: /\bSecureRandom\b/,
    seeds: [
      { by: /(?<!\.)\bsrand\b\s*\(?\s*\d/, of: /\bs?rand\b|\.(?:shuffle|sample)\b(?!\.)/ },
      { by: /\bRandom\.new\(\s*\d/, of: /\.(?:shuffle|sample)\b(?=!?\([^()]*\brandom:)|\bRandom\.new(?=\(\s*\d)/ },
    ],
    measures: /\bCLOCK_MONOTONIC\b|\bBenchmark\b/,
    unordered: /\bThread\.(?:new|start|fork)\b|\bRactor\.new\b|\bfork\b(?!:)/,
    codeEnding: '.rb',
    codeOption: /^-[a-z]*e$/,
    runsInput: true,
    reads: [defaultFiles.ruby],
    follows: true,
    does: runningCode,
  },
  {
    names: 'php',
    ...servingByWord,
    language: 'php',
    known: knownPhp,
    chance: /\b(?:(?:mt_)?rand|random_int|(?:str_)?shuffle|array_rand)\b|\brandom_bytes\([12]\)/,
    drawsMuch: /\b(?:random_bytes|uniqid)\b/,
    seeds: [{ by: /\b(?:mt_)?srand\(\s*\d/, of: /\b(?:(?:mt_)?rand|(?:str_)?shuffle|array_rand)\b/ }],
    measures: /\b(?:microtime|hrtime)\(/,
    unordered: /\bpcntl_fork\b/,
    codeEnding: '.php',
    codeOption: /^(?:-r|-B|-R|-E)$/,
    runsInput: true,
    reads: [defaultFiles.php],
    follows: true,
    does: runningCode,
  },
  {
    names: 'lua',
    language: 'lua',
    known: [{ by: /^-v$/, rest: 'nothing', unless: /^LUA_/, code: ['.lua'] }],
    chance: /\bmath\.random\b/,
    seeds: [{ by: /\bmath\.randomseed\(\s*\d/, of: /\bmath\.random\b/ }],
    measures: /\bos\.clock\b/,
    unordered: /\b(?:pairs|next)\b/,
    codeOption: /^-e$/,
    runsInput: true,
    does: runningCode,
  },
  {
    names: 'java',
    fileOption: /^-jar$/,
    known: knownJava,
    seeds: [{ by: /\bnew Random\(\s*\d/, of: /\bnew Random(?=\(\s*\d)/ }],
    drawsMuch: /\brandomUUID\b/,
    chance: /\b(?:Math\.random|new Random|ThreadLocalRandom|Collections\.shuffle|identityHashCode)\b/,
    measures: /\b(?:nanoTime|currentTimeMillis)\(/,
    unordered:
      /\b(?:Set|Map)\.(?:of|copyOf|ofEntries)\b|\.parallel(?:Stream)?\(|\bnew Thread\b|\b(?:Executors|CompletableFuture)\./,
    does: runningCode,
  },
  {
    names:
      'luajit r kotlin jshell ghci guile racket sbcl erl escript ocaml octave coffee qjs gjs cscript wscript mshta py bpython',
    does: runningCode,
  },
  { names: 'tclsh irb', runsInput: true, does: runningCode },
  // It prints what the program that it speaks with has said by then.
  { names: 'expect', runsInput: true, races: {}, does: runningCode },
  { names: 'Rscript', language: 'Rscript', codeOption: /^-e$/, runsInput: true, does: runningCode },
  { names: 'julia', language: 'julia', codeOption: /^(?:-e|-E)$/, does: runningCode },
  { names: 'groovy', language: 'groovy', codeOption: /^-e$/, does: runningCode },
  { names: 'scala', language: 'scala', codeOption: /^-e$/, does: runningCode },
  { names: 'osascript', language: 'osascript', codeOption: /^-e$/, runsInput: true, does: runningCode },
  {
    names: 'deno',
    ...{ ...testingTarget, ...runningFile },
    startsNamed: 'deno',
    language: 'javascript',
    codeEnding: '.mjs',
    codeOption: /^eval$/,
    runsInput: true,
    reads: [defaultFiles.deno, defaultFiles.denoTest],
    follows: true,
    does: fetchingCode,
  },
  { names: 'tsx ts-node', ...runningFile, reads: [defaultFiles.typeScript], follows: true, does: runningCode },
  { names: 'elixir', language: 'elixir', codeOption: /^-e$/, reads: [defaultFiles.mix], does: runningCode },
  {
    names: 'ipython',
    language: 'python',
    codeEnding: '.py',
    codeOption: /^-c$/,
    codeOnly: /^(?:-[BEIPSqsu]+ )*-[BEIPSqsu]*c$/,
    does: runningCode,
  },
];
