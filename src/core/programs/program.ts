import type { EffectKind } from '../facts/effect.ts';
import type { Elsewhere } from '../shell/evaluated.ts';

/**
 * All that is known of a program before it runs. A row of `table/`; `programOf()` finds it. Everything but the names may be
 * left out. An expression that stands in the place of `true` is matched against every argument: one of them has to match.
 */
export interface Program {
  /** Its names, without a path. Names stand in one row when all that is said here holds for each. */
  names: string;

  /**
   * It may run in the confinement: it does what its arguments say, and whatever else it could start it starts through
   * `execve` or maps through `mmap`, which the gate sees. By its exact name only; whoever asks resolves that to a file that
   * the user cannot write.
   *
   * Never, although often thought harmless:
   * - `perl python ruby node lua php guile gdb vim emacs nano man2html rpm pandoc`: they run code of others in their own process
   * - `gcc ld.so ldd cargo go javac`: compilers run plug-ins, build scripts and macros
   * - `curl wget ssh nc openssl git-remote-*`: useless without network, and their failure would be a wrong prediction
   * - `logger wall write mesg at crontab ip sysctl`: they speak to a daemon, to other users or to the kernel
   * - `chattr lsattr setfacl setfattr chroot unshare nsenter runuser`: their calls differ on a copy, or are denied
   *
   * How the risky ones among the inert get out, and why the gate holds: `awk system()`, `sed e`, `find -exec`, `xargs`,
   * `tar --to-command`, `split --filter`, `sort --compress-program`, `less` (`LESSOPEN`, `!`), `man`, `ed !`, `dc !`,
   * `m4 esyscmd`, `zip -TT`, `rg --pre`, `top` (inspect), `git` (hooks, pagers, aliases, filters) and `sqlite3 .shell`
   * all exec. `gawk -l`, `bash enable -f`, `zsh zmodload`, `make load`, `sqlite3 .load`, `nm --plugin`, `iconv`
   * (`GCONV_PATH`) and `LD_PRELOAD` all map a library.
   */
  inert?: true;
  /**
   * Forms of its words in which it runs without consent, though not inert: then its code is the words' own and the system's.
   * The launcher sees to that: it lets it load and start what an inert program may, and open no code of others.
   */
  known?: readonly KnownForm[];
  /** What of the real machine decides its answer: in copy mode it is stopped, and look mode answers for it. */
  asks?: readonly MachineState[];
  /** What it shows is the state of a moment: another one a moment later. */
  momentary?: Condition;
  /** Its lines are processes: numbers in them may be numbers of processes. */
  listsProcesses?: true;
  /** It shows, stores or asks for owners, sizes and link counts: in a copy these are corrected for it. */
  showsStatus?: Condition;
  /** What it writes holds the times of the files that it was made from, always or where its words, joined by blanks, match. */
  storesTimes?: Condition;
  /** Also when they were read last, which reading changes: where its words, joined by blanks, match `when` and not `unless`. */
  storesReadTimes?: { when?: RegExp; unless?: RegExp };
  /** Without words it packs its input, and stores a time only where that is a file. */
  packsInput?: true;
  /** It shows or adds up link counts. */
  countsLinks?: Condition;
  /** It prints in the order in which its threads or children are ready. */
  races?: Race;
  /** It starts programs beside each other, and the next one when any of them has ended. */
  jobs?: Race;
  /** Lines of its output that tell how its processes kept pace: two runs agree on them often, and not always. */
  pacedLines?: RegExp;
  /** What it leaves behind follows from its words and the files alone, where it succeeds and prints nothing. */
  steady?: Steady;
  /**
   * It changes nothing, and what it prints and how it ends follow from its words and from what files contain, always or where its
   * words, joined by blanks, match: no clock, no status of a file, no number of a process.
   */
  readsSteadily?: Condition;
  /** It may close its input before it has read all of it, always or where its words, joined by blanks, match. */
  leavesEarly?: Condition;
  /** It changes names, modes, owners and times of files, and no content. */
  leavesContents?: true;

  /** It interprets this programming language. */
  language?: Language;
  /** The option behind which code of that language stands. */
  codeOption?: RegExp;
  /** The options, joined by blanks, with which it does nothing but run that code. */
  codeOnly?: RegExp;
  /** How a file of its language ends whose modules can be found. */
  codeEnding?: '.py' | '.mjs' | '.rb' | '.php';
  /** Code of it in which chance decides what comes of it, so that two runs may agree and the next one does not. */
  chance?: RegExp;
  /** Code of it that draws so much by chance that no two runs agree, unless it makes little of that: a remainder, a first letter, an order. */
  drawsMuch?: RegExp;
  /** Where code of the form `by` begins that chance with a constant, what has the form `of` comes out alike every time. */
  seeds?: readonly { by: RegExp; of: RegExp }[];
  /** Code of it that holds none of this, and starts no other program, finds out no time and no duration. */
  clock?: RegExp;
  /** Code of it that goes through things in an order of chance: on the order of a few of them some runs agree. */
  unordered?: RegExp;
  /** Code of it that asks how much time has passed: of a short one two runs may tell the same. */
  measures?: RegExp;
  /**
   * Where `when` holds it runs code, from files of these names, that prints while it goes through a few things that come in the
   * same order more often than not: no number of runs that agree tells that the next one does. `fails`: other
   * words with which it tells what it was about only where it fails, and what it prints where it tells of several. `tests`: where
   * `when` holds it runs tests, which stand in files of these names, each behind its name (the first group of `name`), and of them
   * only those whose names match what is given to `option`.
   */
  printsUnordered?: {
    when: RegExp;
    fails: { when: RegExp; printed: RegExp };
    files: RegExp;
    code: RegExp;
    tests: { when: RegExp; files: RegExp; name: RegExp; option: RegExp };
  };
  /** It imports modules of that language that its words name: `package.module:name`, `-A package`. */
  importsModules?: true;
  /** It starts another program, which its arguments name. Shells, which read scripts, are in `core/shell/shells.ts`. */
  starts?: Starts;
  /** It runs as code what it reads from its input. */
  runsInput?: true;
  /** Its first word names what it becomes, a shell among them. */
  isMany?: true;
  /** A word of the shell that runs what it is given in the same shell. */
  evaluates?: true;
  /** It makes arguments of what it reads, and starts another program with them. */
  feeds?: true;
  /** The option behind which a file stands that it reads as its commands, in the place of its input. */
  inputOption?: RegExp;
  /** A word that is no option and names such a file, in the first group or as a whole. */
  inputWord?: RegExp;
  /** What it reads so, or from its input, are statements for a database; with an argument like `unless` it does not read its input. */
  readsStatements?: { unless?: RegExp };
  /** The option behind which a file stands that it runs. */
  fileOption?: RegExp;
  /** It runs code of the folder that it works in, where its words that are no options, joined by blanks, match. */
  runsFolder?: RegExp;
  /** It installs files of packages, and their code runs by that, or later: `when` its arguments, joined by blanks, match; how these files end. */
  installsFiles?: { when: RegExp; files: RegExp };
  /** It brings a whole folder from another machine. */
  clones?: Clones;
  /** It makes files of an archive. */
  unpacks?: Unpacks;
  /** Projects carry it with them under this name, so that it is meant by any path: wrappers, stubs in `bin`. */
  carried?: true;
  /** It is a script that this interpreter runs, and is called by its own name. */
  scriptOf?: 'node' | 'php';
  /** Whose rules it follows in reading its own line, where it runs scripts and tools of a package as `npm` does. */
  packageRunner?: PackageRunner;
  /** Whose file tells what a word of its own line starts, where it starts what a project names. */
  startsNamed?: NamedStarts;
  /** It starts a program of a package, under its own name. */
  runsPackages?: true;
  /** It stands before other programs under their names, and starts the version of them that is wanted. */
  managesVersions?: true;

  /** How a line begins in which it says what is wrong, where that is not its name. */
  complains?: RegExp;
  /** Exit codes that answer a question and are no failure. */
  answers?: readonly Answer[];
  /** Neither a file nor its input decides what it prints and how it ends. */
  needsNoFile?: Condition;
  /** What files contain decides nothing of what it prints, does and returns, and it gives none another name; not with such a word. */
  needsNoContent?: { unless?: RegExp };
  /** Shells have it built in, so that no start of it is seen; where they have all its forms, its row tells so by `planned`. */
  builtIn?: true;
  /** As a word of the shell it decides how what stands behind it runs, or where the script ends. */
  steers?: true;
  /** As a word of the shell it looks at files. */
  shellReads?: true;

  /** What its words would do to the real files: the reader that plans it; `nothing`: it destroys nothing, whatever its arguments. */
  planned?: PlannedReader | 'nothing';
  /** It fails where somebody has what this one of its plain words names, so that scripts take it for a lock. */
  takesAlone?: { word: 'first' | 'last'; when?: RegExp; unless?: RegExp };
  /** What it does with plain words, an inert program does as well. */
  doesAs?: DoesAs;
  /** It takes away exactly what its words name. */
  removesNamed?: true;
  /** It only prints: what it prints can be asked of itself on the real disk. */
  prints?: true;
  /** As a test of `find -exec` it destroys nothing. */
  onlyTests?: true;
  /** Which of its arguments name files that it writes. */
  writes?: Writes;
  /** For a project, where its arguments, joined by blanks, match: it runs tests, it compiles, bundles or installs. */
  tests?: Condition;
  builds?: Condition;
  /** It runs a program of the project, or waits at a port for others. */
  runsProgram?: Condition;
  serves?: Condition;
  /** Which of its words name what it makes anew, whatever stood there before. */
  creates?: 'words' | 'last';
  /** What it makes has a name by chance, after a template among its words. */
  invents?: true;
  /** It makes files of files, always or where its arguments, joined by blanks, match. */
  makes?: Condition;
  /** It destroys what stands at the paths that it is given. */
  harms?: true;
  /** What is certain of what it prints and how it ends, whatever it reads from its input. The first that matches counts. */
  reduces?: readonly Reduction[];
  /** With such words it changes nothing in the workspace, as a rule. */
  leaves?: LeavesFiles;

  /** What it writes holds what it reads: a copy, a link, an unpacked file. */
  passesOn?: true;
  /** Where it puts what it fetches: at its words, or (also with these options) under the last part of the address. */
  savesAs?: 'words' | 'address' | RegExp;
  /** The option that names the folder for it. */
  savesIn?: RegExp;
  /** Its words are no files that it reads. */
  opensNothing?: true;
  /** Without arguments it prints the environment. */
  printsEnvironment?: true;
  /** It fetches from other machines. */
  fetches?: Condition;
  /**
   * It asks a registry of packages where its first word that is no option matches, or all that are none; the empty text: where it
   * has no arguments.
   */
  downloads?: Condition;
  /**
   * It only asks for a newer version of itself, meanwhile, where its first word that is no option matches: no answer changes
   * nothing else.
   */
  looksForNewer?: Condition;
  /** The same of these words where it is told to make do with what is here (`--offline`). */
  worksOffline?: Condition;
  /** It runs a tool, of the project or one that it fetches, and ends as that does: where a tool ran, it needed nothing of the network. */
  endsAsTool?: Condition;
  /** It asks for the network's interfaces whenever it starts, only to know which values an option may have. */
  asksInterfaces?: true;
  /** It asks what the addresses of this machine are, and contacts none. */
  ordersAddresses?: true;
  /** It plans changes to the packages of the machine with Debian's planner, where its first word matches. */
  plansPackages?: RegExp;
  /** Folder below the home directory where it keeps a log of each run, of which it deletes the oldest by itself. */
  keepsLogs?: string;
  /** It sends to other machines. */
  sends?: Condition;
  /** It makes readable text of what is not. */
  decodes?: Condition;
  /** It names keys by options, to use and not to send them. */
  usesKeys?: true;
  /** It makes keys: a new one is what it is for. */
  makesKeys?: true;
  /** Usual as what a variable names for showing, editing or compiling. */
  usualTool?: true;
  /** It makes a program of source files. */
  links?: true;

  /** It runs scripts of the packages of a workspace: `always`, or where its words ask for that. */
  inPackages?: 'always' | 'asked';
  /** Options whose value is the folder in which it works; `onlyFirst`: before its other words only. */
  worksIn?: { options: string; onlyFirst?: true };
  /** What it reads without being told: manifests, settings, default inputs. */
  reads?: readonly DefaultFiles[];
  /** Whether there is something at these paths decides what it can do: sockets of services, settings; `~` is the home folder. */
  probes?: readonly string[];
  /** It runs or compiles the files that it is given: what these name is read as well. */
  follows?: true;
  /** It looks at everything below the folders that it is given. */
  walks?: Condition;
  /** It works on the current folder when it is given none. */
  here?: true | 'whenItWalks';
  /** It needs to know that a file is there, how big and whose, more than what is in it. */
  needsEntry?: true;
  /** How its arguments tell which lines of a file matter. */
  focus?: 'pattern' | 'script' | 'head' | 'tail';
  /**
   * It only tells something: about folders, sizes and kinds of files, and about the machine. Not what prints the contents of
   * files, because these are read and shown as such; what differs each time (`date`, `ps`); what prints the environment or
   * the name of the machine. `files`: where it is given one; else it reads its input.
   */
  tells?: true | 'files';

  /** What it does, judged by its arguments. Without it an inert program only reads, and any other is not known. */
  does?: Doing;
}

/** `true`: always. */
export type Condition = true | RegExp;

/** Options, then `by`, then `given`, then the rest. What is left out need not be there, or may be anything. */
export interface KnownForm {
  /** Options that may stand before, each in one word. */
  options?: RegExp;
  /** Options that take the next word as their value. */
  valued?: RegExp;
  /** The word that makes it this form: `-c`, a subcommand. */
  by?: RegExp;
  /** The word behind that. */
  given?: RegExp;
  /** Each word that is left. */
  rest?: RegExp | 'nothing';
  /** Only for an ordinary user: it asks for rights that root alone has before it does anything. */
  refusedUser?: true;
  /** It runs what it reads: only what a pipe brings, as a here-document does, and no file. */
  fed?: true;
  /** It runs code among its words. As what it reads, that has to be the command's own, and may run no other. */
  runsWords?: true;
  /** With a variable of such a name it runs code of others, or other than it seems. */
  unless?: RegExp;
  /** Endings of files that it opens to run them: those of the system's folders only. */
  code: readonly string[];
}

/** With which words no clock, number of a process, chance or order of a directory decides what a program leaves behind. */
export interface Steady {
  /** Its first word of all has to be of this form. */
  mode?: RegExp;
  /** It stores times of what is there: so only where it is the whole script, and nothing was made before it. */
  alone?: true;
  /** Each of its options has to be of this form; absent: any. */
  options?: RegExp;
  /** So has its first word that is no option. */
  first?: RegExp;
  /** What it prints follows from the same, in an order of its own. */
  prints?: true;
  /** It prints nothing where it succeeds; not with such an option. */
  silent?: { unless: RegExp };
  /** It makes names, or contents of others' contents: which of two comes last may matter, and what is read. */
  places?: true;
}

/**
 * What makes the answer of a program in copy mode differ from the real one: it shows processes, looks for those that it
 * signals, reads the mount table, or looks at devices, sessions and addresses of the machine (`/sys`, `/run`, `/dev`).
 */
export type MachineState = 'processes' | 'signalled' | 'mounts' | 'devices';

/** Package managers that are looked through besides npm. */
export type PackageRunner = 'yarn' | 'pnpm' | 'bun';

/** Files of a project that name what may be started: scripts of composer.json, tasks of deno.json, targets of a makefile. */
export type NamedStarts = 'composer' | 'deno' | 'make';

/** Programming languages whose inline code is read. `groovy` and others are read by their words alone. */
export type Language =
  | 'python'
  | 'javascript'
  | 'perl'
  | 'ruby'
  | 'php'
  | 'lua'
  | 'Rscript'
  | 'osascript'
  | 'julia'
  | 'elixir'
  | 'groovy'
  | 'scala';

/** Threads or children race, `when` an argument (with the next one) matches, `unless` one does. */
export interface Race {
  when?: RegExp;
  unless?: RegExp;
  /** It is chance, and no race: two runs may agree on everything that was made of it. */
  isChance?: true;
}

/** `when` matches its arguments, joined by `\0`: it reads no file then. */
export interface Reduction {
  when: RegExp;
  /**
   * Most lines that it prints: a number; `captured`: the first group of `when`; `range`: from the first group to the second;
   * `asMany`: as it reads. Absent: any number.
   */
  lines?: number | 'captured' | 'range' | 'asMany';
  /** It prints one number. */
  isNumber?: true;
  /** How it ends: `captured` as above. */
  ends?: number | 'captured';
}

/** Words with which a program only checks, tests or lists. Both patterns are matched against the arguments, joined by blanks. */
export interface LeavesFiles {
  when?: RegExp;
  unless?: RegExp;
  /** What it keeps for itself in the workspace all the same: last parts of paths. */
  own?: readonly string[];
  /** It runs code of the project, which may change anything. */
  runsProject?: true;
}

/**
 * `call` stands before its words then, which all match `words`; options match `options`. `call` is empty where its first word
 * names that program (`first`), which gets the options too.
 */
export interface DoesAs {
  call: readonly string[];
  first?: RegExp;
  words: RegExp;
  options?: RegExp;
}

/** `after`: only with one of these arguments; `having`: and with one of these. */
export interface Answer {
  codes: readonly number[];
  after?: readonly string[];
  having?: readonly string[];
}

/** Who plans a program on the real disk; the world has a reader for each. */
export type PlannedReader =
  | 'rm'
  | 'unlink'
  | 'rmdir'
  | 'shred'
  | 'truncate'
  | 'tee'
  | 'dd'
  | 'mkdir'
  | 'touch'
  | 'sed'
  | 'sort'
  | 'cp'
  | 'mv'
  | 'install'
  | 'ln'
  | 'find'
  | 'rsync'
  | 'tar'
  | 'unzip'
  | 'git';

/** How the command line of a program that starts another one is read, and what is different for what it starts. */
export interface Starts {
  /** What stands before its own words: `exec`, `container run`. One of these, or it starts nothing. */
  subcommands?: readonly string[];
  /** Options whose value is the rest of the word or the next word. */
  valued?: string;
  /** Options with two values, each a word: `--bind` of bwrap. */
  pairs?: string;
  /** Short options whose value may only stand in the same word: `-i{}` of xargs. */
  attached?: string;
  /** Long options have one dash: `-Command`. */
  oneDash?: true;
  /** With one of these it starts nothing. */
  nothing?: string;
  /** So many operands stand before the command: the duration of timeout, the host of ssh. */
  operands?: number;
  /** Only such words are those operands, and another one is the command: the version of `nvm exec`. */
  operandForm?: RegExp;
  /** Options may also stand behind those operands. */
  mixed?: true;
  /** Behind options, `NAME=value` sets a variable for what it starts. */
  assignments?: true;
  /** Options whose value is a script for a shell. */
  script?: string;
  /** Options whose value is such a script besides what it starts: `--prepare` of hyperfine. */
  scriptsBeside?: string;
  /**
   * Options whose value is a command of its own language, and its form where it runs a script, which is the first group: `-ex` of
   * gdb. `word`: such a command may also stand in one word behind this.
   */
  commands?: { options: string; form: RegExp; word?: string };
  /** Options whose value is the program; its words are those that would stand for all of it. */
  program?: string;
  /** Without such an option it starts no command: its words are files. */
  onlyScript?: true;
  /** The command stands behind `--`, with other words before. */
  behindDashes?: true;
  /** The command stands behind such an option, with other words before; without one it starts none: `nix shell a -c b`. */
  behind?: string;
  /** Behind these of its words it is read in another way. */
  also?: Readonly<Record<string, Starts>>;
  /** Its words are joined to one script (`ssh`, `watch`), or each is one (`hyperfine`). */
  joins?: 'one' | 'each';
  /** Options that turn joining off: `-x` of watch. */
  unjoined?: string;
  /** Options whose value is the folder in which it starts it. */
  folder?: string;
  /** It starts it in another folder, which is not known: with one of these options, or (`!`) without them. */
  away?: string;
  /** So it does behind these of the subcommands, unless an option names the folder. */
  awayBehind?: RegExp;
  /** Its own words end at this one: `;` of tmux. */
  endsAt?: string;
  /** Of words that are scripts each, those that name something else. */
  names?: RegExp;
  /** Options whose value is the name that it is started under, in the place of its own. */
  calledAs?: string;
  /** It starts it as another user: root, or whom this option names. */
  user?: string;
  /** The user is an operand: `su bob -c x`. */
  userOperand?: true;
  /** It starts it where the files of this machine are not: on another machine, in a container, under another root. */
  elsewhere?: Elsewhere;
  /** Further arguments come from its input (`xargs`). */
  reads?: true;
  /** Options that name the placeholder of what is read: `-I` of xargs. */
  placeholder?: string;
  /** Options that show it folders of this machine: `-v` of docker. */
  mounts?: string;
  /** Behind these of the subcommands it starts it in a place of its own, which is made for it; not with such an option. */
  fresh?: { behind: RegExp; unless: string };
  /** It can be replaced by what it starts: nothing else is printed and done, or all but this clause. */
  instead?: 'exact' | string;
}

/** How a call that brings a whole folder is read: its words, then an address, then the name of the folder if it has another one. */
export interface Clones {
  by: RegExp;
  /** Options that take the next word as their value. */
  valued: string;
  /** An address on another machine; absent: each is one. */
  far?: RegExp;
  /** With such an option there is nothing in the folder that could be run. */
  unless?: RegExp;
}

/** Whether it unpacks, by its arguments, joined by blanks, and the option that names the folder for it. */
export interface Unpacks {
  when: RegExp;
  into?: RegExp;
}

/** Which arguments name files that are written. */
export interface Writes {
  /** Options whose value is such a file. */
  options?: RegExp;
  /** They count only with such an argument. */
  optionsBehind?: RegExp;
  /** They may stand in a bundle of letters: `curl -sSo f`. */
  bundles?: true;
  /** Which of its words (no options) it is. */
  word?: 'first' | 'second' | 'second of two' | 'last' | 'all';
  /** Which of its operands it is, from 0; values of its options are none. */
  operand?: number;
  /** Words that begin so: `of=f`. */
  prefix?: string;
  /** Only with such an argument. */
  when?: RegExp;
  /** Not with such an argument. */
  unless?: RegExp;
  /** Of `copy`: the words that stand before the files, joined by blanks; without them nothing is written. */
  behind?: RegExp;
  /** Of `copy`: behind these of the words the last one is a folder, and never the file itself. */
  intoFolder?: RegExp;
  /** Of `copy`: only what comes from another machine is meant; what is copied here is seen. */
  onlyFar?: true;
  /** Arguments with rules of their own. */
  by?: 'tar' | 'git' | 'copy' | 'address' | 'newer' | 'statements';
  /**
   * The word behind these two, joined by a blank, is such a file: `aws lambda invoke --function-name f out.json`. Each long option
   * takes a value, those aside that begin with `--no-` or are `--debug`.
   */
  third?: RegExp;
  /** The option that names the folder of the files that these options name. */
  folder?: { named: string; of: RegExp };
  /** What stands there goes, whatever it was. Absent: always; `false`: it asks, refuses, adds to it or takes another name. */
  overwrites?: { when?: RegExp; unless?: RegExp } | false;
  /** Behind these of the options it makes the file where none is there. */
  makes?: RegExp;
}

/** Names or globs below the nearest folder upwards that has one of them. `with`: only with such an argument. */
export interface DefaultFiles {
  /** A name is looked for upwards, a glob in the folder itself, and one that begins with two stars and a slash below it. */
  files: readonly string[];
  with?: RegExp;
  /** What these files name is read as well. */
  follow?: true;
  /** They count below its own folder, whatever folder a word names: `test` of `mix test` is no folder. */
  whole?: true;
}

/**
 * How much care a call needs: `s` safe, because it only looks; `c` caution, `d` danger.
 * `sd`: it does something, and loses nothing; `sh`: it only prints its help, and contacts nobody.
 * `cv`, `dv`, `ck`, `df`: what it does is visible in the files of a rehearsal, so that these judge in its place. Where they show
 * no harm, `cv` and `df` say nothing more; so do `dv` and `ck` where all was run, is certain and succeeded. Else they stay a
 * caution, because another time there may be something to lose. `ca` is as `ck`, and asks somebody first, whom a rehearsal has not:
 * it always stays one.
 */
export type Care = 's' | 'sd' | 'sh' | 'c' | 'd' | 'cv' | 'dv' | 'ck' | 'ca' | 'df';

/**
 * One rule: care, pattern, what it says, and the effect where it is not that of the program.
 *
 * A pattern is words that all have to match, in any order:
 * - `prune`, `prune|rm`: the next word of the subcommand path; `*`: any word there
 * - `-f|--force`: one of these options is given (also in a bundle, `-rf`); `-X=re`: with a value that matches
 * - `!-n|--dry-run`: none of these is given
 * - `~re`: some word (no option) matches, ignoring case; for words whose form alone tells what they are (`of=…`, `777`)
 * - `%home|root`: some word is of one of these classes of targets; `!%glob`: none is; `%>home`: the last word is; `%<home`: one of those that go there is
 * - `@=re`: a word matches before which stands no other verb; `@1=re`: the first word matches
 * - `@script=re`: the script of sed or awk matches; `@statement=re`: a statement for a database does
 * - `@data=destroys|changes|reads`: what the statements for a database ask for
 * - `@fed=unread`: it is fed statements that are not known: a file that nobody read, what another program prints
 * - `@setting=runs`: `git config` sets what makes git run programs; `@setting=given`: `-c` does for this call
 * - `#0`: no words at all; `#2`: at least two words; `#`: no words and no options
 *
 * What it says continues the sentence that begins with the command. `{rest}` stands for the words that remain; `{: rest}` and
 * `{ to rest}` at the end go away, with what leads to them, where no words remain. `{: rest}` also where it would only repeat
 * the command. An effect of its own counts instead of the program's.
 */
export type ProgramRule = readonly [care: Care, pattern: string, says: string, effect?: EffectKind | 'none'];

/** What a program does. The first rule that matches decides; where none does, `care` and `says`. */
export interface Doing {
  effect: EffectKind | 'files' | 'none';
  care: Care;
  says: string;
  /** Options that take the next word as their value. */
  valued?: string;
  /** The first word is options without their dash: `tar xzf a.tgz`. */
  oldOptions?: true;
  /** Options are long with one dash (`find -name`, `terraform -auto-approve`): never bundles of letters. */
  oneDash?: true;
  /** Its last word says where the others go: `mv a b`. */
  lastIsPlace?: true;
  /** Options begin with a slash as well, as those of Windows do: `/s`, `/grant:x`. */
  slashes?: true;
  /** Subcommands are verbs: what no rule knows is judged by the verb (`delete-bucket`, `sites:list`). */
  verbs?: true;
  /** `--help` and `--version` only print; `alone`: without other words, which are a script and what that is told. */
  helps?: true | 'alone';
  /** `--dry-run` (or `--check`) changes nothing. */
  rehearses?: true;
  /** Words after the subcommand are paths: they are what it touches. */
  paths?: true;
  /** The first word says how (a mode, an owner) and names nothing, where it matches `is` and none of these options stands in its place. */
  how?: { is?: RegExp; unless?: string };
  rules?: readonly ProgramRule[];
}
