import type { Level } from '../facts/level.ts';
import type { Evidence, Risk } from '../facts/risk.ts';
import { programName } from '../programs/programName.ts';
import { programNamed } from '../programs/programOf.ts';
import { givenSettingRuns } from '../programs/programPattern.ts';
import { classifyTarget, type Place } from '../programs/targets.ts';
import type { StaticProgram } from '../shell/evaluated.ts';

/** Variables by which other programs are given code to run. */
const runsCode =
  /^(LD_(PRELOAD|AUDIT)|DYLD_INSERT_LIBRARIES|BASH_ENV|ENV|PROMPT_COMMAND|PYTHON(STARTUP|INSPECT|BREAKPOINT)|PERL5OPT|RUBYOPT|GIT_(SSH|SSH_COMMAND|EXTERNAL_DIFF|PROXY_COMMAND|ASKPASS|EXEC_PATH|TEMPLATE_DIR|CONFIG_(COUNT|GLOBAL|SYSTEM|KEY_\d+|VALUE_\d+|PARAMETERS))|LESSOPEN|LESSCLOSE|SSH_ASKPASS|SUDO_ASKPASS|TAR_OPTIONS|RIPGREP_CONFIG_PATH|RSYNC_RSH|SHELLOPTS|BASHOPTS|PS4|BASH_FUNC_.*)$/;
/** Where programs look for libraries and modules of theirs. */
const searched =
  /^(LD_LIBRARY_PATH|DYLD_\w*PATH|PYTHONPATH|PYTHONHOME|NODE_PATH|PERL5LIB|PERLLIB|RUBYLIB|GEM_(HOME|PATH)|CLASSPATH|LUA_PATH|LUA_CPATH|GCONV_PATH|TERMINFO)$/;
/** Programs that others start for showing, editing or compiling. */
const starts = /^(PAGER|MANPAGER|GIT_PAGER|EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR|BROWSER|CC|CXX|LD|AR)$/;

/** Risks of variables that are set for a program: some decide what code it runs. */
export function environmentRisks(program: StaticProgram, place: Place): Risk[] {
  return Object.entries(program.env).flatMap(([name, value]): Risk[] => {
    const evidence: Evidence[] = [{ kind: 'variable', name, value }];
    if (name === 'PATH') {
      if (!/(^|:)(\.|\/tmp|\/var\/tmp|\/dev\/shm|[^/~$:][^:]*)(\/|:|$)/.test(value)) return [];
      return [{ level: 'caution', fact: { kind: 'pathOfOthers' }, evidence }];
    }
    const level = levelOf(name, value, program.env, place);
    return level === 'safe' ? [] : [{ level, fact: { kind: 'variableRuns', name }, evidence }];
  });
}

function levelOf(name: string, value: string, env: Readonly<Record<string, string>>, place: Place): Level {
  if (searched.test(name)) return searchLevel(name, value, place);
  // `CC="gcc -m32"`: the first word is the program.
  if (starts.test(name)) {
    const [program = ''] = value.trim().split(/\s+/);
    return program === '' || programNamed(programName(program))?.usualTool ? 'safe' : 'caution';
  }
  if (name === 'NODE_OPTIONS')
    return /(^|\s)(-r|--require|--import|--(experimental-)?loader)\b/.test(value) ? 'danger' : 'safe';
  if (name === 'MAKEFLAGS' || name === 'GREP_OPTIONS')
    return /^[\s\w=-]*$/.test(value) && !/eval/.test(value) ? 'safe' : 'danger';
  if (!runsCode.test(name)) return 'safe';
  if (value === '') return 'safe';
  if (/^GIT_CONFIG_(GLOBAL|SYSTEM)$/.test(name) && value === '/dev/null') return 'safe';
  if (name === 'GIT_CONFIG_COUNT') return 'safe';
  if (/^GIT_CONFIG_VALUE_\d+$/.test(name)) return 'safe';
  if (/^GIT_CONFIG_KEY_\d+$/.test(name))
    return givenSettingRuns(value, env[name.replace('KEY', 'VALUE')] ?? '') ? 'danger' : 'caution';
  if (/^GIT_(SSH|SSH_COMMAND)$|^RSYNC_RSH$/.test(name)) {
    return /^ssh(\s|$)/.test(value) && !/(proxy|local)command|-F/i.test(value) ? 'caution' : 'danger';
  }
  if (name === 'TAR_OPTIONS') return /^(\s|-v|--no-same-owner|--warning=\S+)*$/.test(value) ? 'safe' : 'danger';
  if (name === 'PS4') return /[$`]\(?/.test(value) && /\$\(|`/.test(value) ? 'danger' : 'safe';
  if (name === 'RUBYOPT' || name === 'PERL5OPT') return /-[rIM]/.test(value) ? 'danger' : 'safe';
  if (name === 'PYTHONINSPECT' || name === 'PYTHONBREAKPOINT')
    return value === '0' || value === '1' ? 'safe' : 'danger';
  return 'danger';
}

/**
 * The project's own modules are what a project runs anyway. Libraries of the system's programs come from elsewhere, and in
 * the temporary folder anybody can put something.
 */
function searchLevel(name: string, value: string, place: Place): Level {
  if (/^(LD_|DYLD_|GCONV)/.test(name)) return 'caution';
  const isOwn = (part: string) => {
    const classes = classifyTarget(part, place);
    return !['outside', 'temporary', 'system', 'unknown', 'remote'].some((one) => classes.has(one as 'outside'));
  };
  const known = value.split(':').filter((part) => part !== '' && !/^\$\{?\w+\}?$/.test(part));
  return known.every(isOwn) ? 'safe' : 'caution';
}
