import { judgeStatements } from './statements.ts';

/** What a verb of a command line asks for. */
export type Verb = 'destroys' | 'reads' | 'makes';

const destroying =
  /^(delete|del|destroy|remove|rm|rb|drop|purge|terminate|wipe|erase|flush|flushall|truncate|uninstall|revoke|deregister|unregister|kill|killall|prune|clear|rollback|drain|evict|empty|unpublish|nuke|reset|teardown|undeploy|decommission|unset|detach|disable|stop|shutdown|cancel|abort|deactivate|expire|forget|disconnect|unlink|clean|cleanup|void|refund|suspend|force|schedule)$/;
const reading =
  /^(list|ls|get|describe|show|view|inspect|ps|version|help|diff|whoami|cat|head|tail|watch|explain|validate|lint|check|outdated|print|doctor|ping|completion|about)$/;
/** Words that are verbs in one program and things in another: they read, but what comes behind may say more. */
const readingThings = /^(status|info|logs|log|top|plan|search|history|query|lookup|count|read|stat|stats|find|docs)$/;
const making =
  /^(create|add|new|update|put|install|upload|push|apply|edit|set|copy|cp|mv|move|write|insert|clone|pull|fetch|register|rename|enable|init|attach|publish|upgrade|generate|join|invite|assign|grant|serve)$/;
/** At the beginning these are often things: `gcloud run services delete`. */
const makingLater =
  /^(run|start|build|deploy|send|invoke|exec|scale|bench|compile|sync|import|restore|backup|mount|login|link|tag|patch|test|watch|download)$/;

/**
 * The verb that a word of a command is: `delete-bucket` and `sites:delete` are verbs, `delete-me.txt` and `src/delete` are
 * not. `index`: its place among the words.
 */
export function verbOf(word: string, index: number): Verb | undefined {
  const parts = partsOf(word);
  if (!parts) return undefined;
  if (parts.some((part) => destroying.test(part))) return 'destroys';
  const ends = [parts[0] ?? '', parts.at(-1) ?? ''];
  if (ends.some((part) => reading.test(part))) return 'reads';
  if (ends.some((part) => making.test(part) || (index > 0 && makingLater.test(part)))) return 'makes';
  return undefined;
}

/** What the words of a command ask for, by the first verb among them: what stands behind a verb is a name. */
export function judgeVerbs(words: readonly string[]): 'destroys' | 'reads' | undefined {
  let reads = false;
  for (const [index, word] of words.slice(0, 4).entries()) {
    const parts = partsOf(word);
    if (!parts) break;
    const verb = verbOf(word, index);
    if (verb === 'makes') return undefined;
    if (verb !== undefined) return verb;
    if (readingThings.test(parts[0] ?? '') || readingThings.test(parts.at(-1) ?? '')) reads = true;
  }
  return reads ? 'reads' : undefined;
}

function partsOf(word: string): string[] | undefined {
  if (!/^[a-z][\w:.-]*$/i.test(word) || word.includes('::') || /\.\w{1,5}$/.test(word)) return undefined;
  return word.toLowerCase().split(/[-:._]/);
}

// For a program that nobody knows only the plainest words count: `./build.sh clean` is everyday work.
const plainlyDestroying =
  /^(delete|destroy|drop|purge|wipe|erase|truncate|terminate|nuke|remove|rm|rb|uninstall|revoke)$/;
const switches =
  /^(-[a-zA-Z]{1,2}|--(yes|force|verbose|debug|quiet|silent|no-\w[\w-]*|all|recursive|dry-run|json|assume-yes))$/;

/**
 * Whether a program that is in no table is asked to destroy: its first word, or the second behind a word that is no verb, is
 * such a verb. What stands behind an option may be the option's value.
 */
export function asksToDestroy(argv: readonly string[]): boolean {
  if (/^(alter|drop|truncate|delete|grant|revoke|update)$/i.test(argv[0] ?? '') && argv.length > 2)
    return judgeStatements(argv.join(' ')) === 'destroys';
  const words: string[] = [];
  for (const [index, word] of argv.entries()) {
    if (index === 0 || word.startsWith('-')) continue;
    const before = argv[index - 1] ?? '';
    if (index > 1 && before.startsWith('-') && !before.includes('=') && !switches.test(before)) continue;
    words.push(word);
  }
  for (const [index, word] of words.slice(0, 2).entries()) {
    const parts = partsOf(word);
    if (!parts) return false;
    if ([parts[0] ?? '', parts.at(-1) ?? ''].some((part) => plainlyDestroying.test(part))) return true;
    if (verbOf(word, index) !== undefined || /^(run|start|build|deploy|exec)$/.test(parts[0] ?? '')) return false;
  }
  return false;
}
