import { alternatives, type CodeCall, type CodeReading, type CodeValue } from './codeReading.ts';

// Part of the interpreter itself: no file of the project can stand in for them. `json` and `re` are files that one could.
const pythonModules = /^(sys|time|itertools|builtins|errno)$/;
const pythonCalls =
  /^(print|len|range|str|int|float|bool|list|dict|set|tuple|sorted|reversed|enumerate|zip|map|filter|sum|min|max|abs|round|any|all|repr|ord|chr|hex|bin|oct|type|isinstance|hash|divmod|pow|format|bytes|bytearray|frozenset|complex|exit|quit|iter|next|sys\.(exit|getsizeof|getrecursionlimit|stdin\.(read|readline|readlines)|std(out|err)\.(write|flush))|time\.(time|sleep|strftime|localtime|gmtime|perf_counter|monotonic|ctime)|itertools\.\w+)$/;
const javaScriptModules =
  /^(path|util|url|querystring|assert|crypto|buffer|string_decoder|os|fs|child_process|\.{0,2}\/?[\w./-]+\.json)$/;
const javaScriptCalls =
  /^(console\.(log|error|info|warn|table|dir)|JSON\.(parse|stringify)|(Math|Object|Array|Number|String|BigInt|Date|Intl|Symbol|RegExp|Set|Map|URL|URLSearchParams|Buffer|TextEncoder|TextDecoder|Boolean)(\.\w+)?|parseInt|parseFloat|isNaN|isFinite|encodeURIComponent|decodeURIComponent|encodeURI|decodeURI|structuredClone|process\.(stdout\.write|stderr\.write|exit|cwd|uptime|hrtime|memoryUsage)|path(\.posix)?\.\w+|util\.(inspect|format)|url\.\w+|querystring\.\w+|os\.(?!setPriority)\w+|crypto\.(createHash|randomUUID|randomBytes)|fs\.(readFileSync|existsSync|statSync|lstatSync|readdirSync|realpathSync)|child_process\.(execSync|execFileSync|spawnSync))$/;
// What may be handed to a call: data, and functions that only compute.
const handedOn =
  /^(process\.(argv|version|versions|platform|arch|pid|title|execPath)(\.\w+)*|process\.env\.\w+|undefined|NaN|Infinity|Boolean|Number|String|parseInt|parseFloat|console\.log|JSON\.stringify|Math\.\w+|os\.EOL|[\w./-]+\.json(\.\w+)*|sys\.(argv|version|version_info|platform|path|executable|maxsize|byteorder|stdin|stderr|stdout)(\.\w+)*|str|int|len|float|bool|repr|ord|chr|hex|abs|list|tuple|set|sorted)$/;
// What is called on a text, a list or the result of one of these.
const methodOf = /^(''|\[\]|[\w.]+\(\))((\.\w+)?\(\))*\.\w+$/;
const unsafeName = /__|constructor|prototype|(^|\.)(call|apply|bind|mainModule|binding|dlopen|_load)$/;

/** Whether every call of a text only computes, reads or prints. What it starts is judged elsewhere. */
export function isHarmless(reading: CodeReading, language: string): boolean {
  const [modules, calls] = language === 'python' ? [pythonModules, pythonCalls] : [javaScriptModules, javaScriptCalls];
  if (!reading.isWhole || reading.isEndless || reading.assignsMembers) return false;
  if (![...reading.modules].every((name) => modules.test(name))) return false;
  if ([...reading.names].some((name) => unsafeName.test(name))) return false;
  return reading.calls.every(
    (call) => call.callees.every((name) => isHarmlessCall(name, calls)) && argumentsAreData(call),
  );
}

function isHarmlessCall(name: string, calls: RegExp): boolean {
  if (unsafeName.test(name) || name.includes('?')) return false;
  if (calls.test(name)) return true;
  const root = methodOf.exec(name)?.[1];
  if (root === undefined) return false;
  return root === "''" || root === '[]' || calls.test(root.replace(/\(\)$/, ''));
}

function argumentsAreData(call: CodeCall): boolean {
  return [...call.args, ...call.named.values()].every(isData);
}

function isData(value: CodeValue): boolean {
  return alternatives(value).every((one) => {
    if (one.kind === 'name') return handedOn.test(one.name);
    if (one.kind === 'list') return one.items.every(isData);
    return one.kind !== 'record' || [...one.fields.values()].every(isData);
  });
}
