/**
 * What statements for a database ask for: `destroys` data, tables or rights; `changes`; only `reads`. `undefined`: neither SQL
 * nor the calls of a document database. Texts, names in quotes and comments in it say nothing.
 */
export function judgeStatements(text: string): 'destroys' | 'changes' | 'reads' | undefined {
  const code = withoutLiterals(endLines(text));
  if (destroyingCalls.test(code)) return 'destroys';
  let found: 'changes' | 'reads' | undefined;
  for (const statement of code.split(';')) {
    const judged = judgeStatement(statement.replace(/^[\s(]+/, ''));
    if (judged === 'destroys') return 'destroys';
    if (judged === 'changes' || !found) found = judged;
  }
  return found;
}

const destroyingCalls =
  /\.(drop(Database|Index|Indexes|Collection|User)?|delete(Many|One)|remove|findOneAndDelete|bulkWrite|flush(all|db))\s*\(|\bdropDatabase\s*\(/i;
const destroying =
  /^(drop|truncate|delete|grant|revoke|flushall|flushdb|shutdown|reassign\s+owned|update|alter\s+(system|role|user)|alter\s+table\b[\s\S]*\bdrop|merge\b[\s\S]*\bdelete|attach\b[\s\S]*\bdetach|vacuum\s+into|create\s+or\s+replace\s+table|insert\s+overwrite)\b/i;
const changing =
  /^(\\copy|insert|create|alter|merge|replace|copy|load|call|vacuum|reindex|set|begin|import|reset|comment|do|exec|execute|rename|analyze|refresh|lock|use|commit|start|restore|attach|detach)\b/i;
const reading =
  /^(select|show|explain|describe|desc|with|values|table|pragma|\\(?:[dlz]\w*\S*|[?x]|c|connect|conninfo|timing|pset|echo|encoding)(?![\w])|\.(tables|schema|dump|indexes|databases|help|mode|headers))/i;

// What a SELECT does besides reading: it makes a table, or calls what ends sessions and changes the server.
const changingCalls =
  /\binto\s+(?!@)|\b(pg_(terminate|cancel)_backend|pg_drop_\w+|pg_reload_conf|pg_promote|lo_unlink|setval|dblink_exec)\s*\(/i;

function judgeStatement(statement: string): 'destroys' | 'changes' | 'reads' | undefined {
  if (/^(do|begin|declare)\b/i.test(statement) && /\b(drop|truncate|delete)\b/i.test(statement)) return 'destroys';
  if (destroying.test(statement)) return 'destroys';
  // A statement with parts of its own, or one that is run to be explained.
  if (
    /^(with|explain)\b/i.test(statement) &&
    /(\(|\)|\banalyze)\s*\)?\s*(delete|update|insert|truncate|drop)\b/i.test(statement)
  )
    return 'destroys';
  if (changing.test(statement) || (/^select\b/i.test(statement) && changingCalls.test(statement))) return 'changes';
  return reading.test(statement) ? 'reads' : undefined;
}

/** Words of the client itself end with their line: `\c db`, `.mode csv`, `use db`, and `go`, which ends what stands before it. */
function endLines(text: string): string {
  return text
    .replace(/^[ \t]*(?:[\\.][a-z?!][^\n]*|use\s+[^\n;]+|delimiter\b[^\n]*)$/gim, '$&;')
    .replace(/^[ \t]*go[ \t]*$/gim, ';');
}

/** Texts become `''`; comments go. What stands between `$$` is run. */
function withoutLiterals(text: string): string {
  return text
    .replace(
      /'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|""|\\.)*"|`[^`]*`|\/\*[\s\S]*?\*\/|(^|\s)--[^\n]*/g,
      (all, before?: string) => {
        if (/^['"`]/.test(all)) return "''";
        return before ?? ' ';
      },
    )
    .replace(/\$\w*\$/g, ' ');
}
