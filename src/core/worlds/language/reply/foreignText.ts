import type { ReplyFault } from '../../../facts/replyFault.ts';

/*
 * What models write in the place of an answer. Where an answer has a form, the form decides whether it is one, and this
 * only tells what came instead. Where any text could be an answer (the content of a file, what a tool printed), it is all
 * there is to go by, so it looks at whole texts and not for words in them.
 */

/** The beginning of a refusal, in languages in which models refuse. Only a short text that begins so is one. */
const refusals: readonly RegExp[] = [
  /^(?:(?:i(?:['’]m| am)(?: (?:very|so|really|truly))? (?:sorry|afraid|unable|not able)|(?:(?:i|my) )?(?:sincer(?:e|est) )?apolog(?:ies|i[sz]e)|sorry)\b[^\n]{0,40}?\b(?:i|but|as)\b|i(?:['’]m| am) (?:unable|not able|not allowed|just an? ai)\b|(?:unfortunately,? )?i (?:can['’]?t|can ?not|won['’]?t|will not|must decline|do(?: not|n['’]t) (?:have|feel)|cannot)\b|as an? (?:ai|(?:large )?language model|assistant)\b|unfortunately,? i\b)/i,
  /^(?:es tut mir (?:sehr )?leid|tut mir leid|leider (?:kann|darf|ist es mir)|entschuldigung\b[^\n]{0,20}\bich|ich (?:kann|darf|werde) (?:das|dies|diese[nrms]?|ihnen|dir|dabei|hier|leider|nicht)\b|als (?:ki|sprachmodell))/i,
  /^(?:(?:je suis )?(?:vraiment |sincèrement )?désolée?|je ne (?:peux|suis|saurais)\b|je regrette|en tant qu['’](?:ia|assistant|modèle)|malheureusement,? je)/i,
  /^(?:lo siento|lo lamento|no puedo\b|disculp[ae]|perdón|lamentablemente|como (?:modelo|asistente|una? ia)\b)/i,
  /^(?:desculpe|sinto muito|lamento|não posso|infelizmente|como (?:um )?modelo de linguagem)/i,
  /^(?:mi dispiace|non posso\b|purtroppo|spiacente|in quanto (?:ia|modello))/i,
  /^(?:het spijt me|sorry, maar ik|ik kan (?:dit|dat|je|u|niet|hier)\b|helaas kan ik|als (?:ai|taalmodel))/i,
  /^(?:przepraszam|przykro mi|niestety|nie mogę)/i,
  /^(?:üzgünüm|maalesef|özür dilerim)/i,
  /^(?:beklager|tyvärr|jag kan (?:inte|tyvärr)|jeg kan (?:ikke|desværre|dessverre)|undskyld|förlåt|valitettavasti|olen pahoillani)/i,
  /^(?:omlouvám se|je mi líto|bohužel|sajnálom|îmi pare rău|ne pare rău|nu pot)/i,
  /^(?:извините|простите|к сожалению|я не могу|мне жаль|прошу прощения|вибачте|на жаль|як мовна модель|как (?:языковая модель|ии))/iu,
  /^(?:λυπάμαι|συγγνώμη|δυστυχώς)/iu,
  /^(?:(?:很|非常|十分)?(?:抱歉|对不起|對不起|遗憾|遺憾)|我(?:无法|無法|不能|没有办法|沒有辦法|不会|不會)|作为(?:一个|一名)?(?:ai|人工智能|语言模型|助手)|作為(?:一個)?(?:ai|人工智慧|語言模型))/iu,
  /^(?:申し訳|すみません|ごめんなさい|恐れ入りますが|残念ながら|(?:私は)?ai(?:アシスタント)?として|お(?:答え|手伝い)(?:でき|すること))/iu,
  /^(?:죄송|미안|유감|저는 (?:할 수 없|ai)|ai (?:모델|어시스턴트)로서)/iu,
  /^(?:عذر|أعتذر|آسف|أنا آسف|للأسف|لا أستطيع|لا يمكنني|متأسف)/u,
  /^(?:מצטער|סליחה|אני (?:לא יכול|מצטער))/u,
  /^(?:क्षमा|माफ़|मुझे (?:खेद|माफ़)|मैं (?:नहीं|यह नहीं))/u,
  /^(?:ขออภัย|ขอโทษ|xin lỗi|tôi (?:không thể|rất tiếc)|rất tiếc|maaf\b|saya (?:tidak (?:bisa|dapat)|minta maaf))/iu,
];
const longestRefusal = 1_500;

/** The text is a refusal: it begins as one, and is short. */
function isRefusal(text: string): boolean {
  const plain = text.replace(/^[\s"'“„«*_>#-]+/, '');
  return plain.length <= longestRefusal && refusals.some((pattern) => pattern.test(plain));
}

const callTag =
  /^<\|?(?:tool_calls?|function_calls?|function|invoke|antml:\w+|tool_use|tool|call)\b[^>]*>|^\[TOOL_CALLS?\]|^<｜tool|^(?:Action|Tool): *\w+\n+(?:Action Input|Arguments|Command|Input): /i;

/** The whole text calls a tool: a tag for it, or a JSON object with a name and arguments. */
function isToolCall(text: string): boolean {
  if (callTag.test(text) || /^<(?:tool_call|function_call)\b/im.test(text.slice(0, 400))) return true;
  const value = jsonIn(unfenced(text) ?? text);
  const calls = Array.isArray(value) ? value : [value];
  return calls.length > 0 && calls.every(isCall);
}

function isCall(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const keys = Object.keys(value);
  if (keys.includes('tool_calls') || keys.includes('function_call')) return true;
  const isNamed = keys.some((key) => ['name', 'tool', 'tool_name', 'function', 'recipient_name'].includes(key));
  return isNamed && keys.some((key) => ['arguments', 'input', 'parameters', 'args', 'params'].includes(key));
}

const longestJson = 200_000;

function jsonIn(text: string): unknown {
  const plain = text.trim();
  if (plain.length > longestJson || !/^[[{]/.test(plain)) return undefined;
  try {
    return JSON.parse(plain) as unknown;
  } catch {
    return undefined;
  }
}

/** The JSON object says how a command went, which nobody asked for in JSON. */
function isOutcomeJson(text: string): boolean {
  const value = jsonIn(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value).map((key) => key.toLowerCase().replace(/[^a-z]/g, ''));
  const outputs = ['output', 'stdout', 'stderr', 'observation', 'predictedobservation', 'result', 'response'];
  const ends = ['exitcode', 'returncode', 'exitstatus', 'signal', 'code', 'status', 'returncode'];
  return (
    names.some((name) => outputs.includes(name)) &&
    (names.some((name) => ends.includes(name)) || names.every((name) => outputs.includes(name)))
  );
}

/** What stands in a code fence that is the whole text. */
function unfenced(text: string): string | undefined {
  const match = /^(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?[ \t]*\1[`~]*$/.exec(text.trim());
  // Another fence that closes in between: the text only begins and ends with one.
  if (!match || new RegExp(`^${match[1]}\\s*$`, 'm').test(match[2] ?? '')) return undefined;
  return match[2] ?? '';
}

const leadIn =
  /^[^\n]{0,200}(?:\b(?:output|outputs|prints?|printed|result|results|reply|response|observation|content|contents|file|code|command|terminal|prediction|ausgabe|ergebnis|inhalt|datei|sortie|résultat|contenu|salida|resultado|contenido)\b|输出|输出结果|结果|内容|文件|出力|結果|ファイル|출력|결과|вывод|результат|содержимое)[^\n]{0,120}[:：]\s*$/iu;

/** A sentence that announces, and then a fence or an answer behind it. */
function isAnnounced(text: string): boolean {
  const [first = '', ...rest] = text.trimStart().split('\n');
  return leadIn.test(first.replace(/[*_]+\s*$/, '')) && /^\s*(?:`{3,}|~{3,})/m.test(rest.join('\n').slice(0, 2_000));
}

const turnMark =
  /^(?:#{1,4} Turn \d+\b|\*\*Action:\*\*|\*\*Environment Observation:\*\*|<\|im_(?:start|end)\|>|<\|?(?:user|human|endoftext|eot_id|start_header_id)\b[^\n]{0,20}>|(?:\[INST\])|(?:\*\*)?(?:User|Human)(?:\*\*)?: ?)/im;

/** Somebody else's turn begins in the text, which no answer has. */
export function hasTurn(text: string): boolean {
  return turnMark.test(text);
}

/** The whole text stands in a tag that was not asked for. */
const otherTag =
  /^<(predicted[_-]?\w*|observations?|answer|tool_(?:response|result|output)|function_results?|command[_-]output|terminal[_-]output|assistant|reply|prediction)\b[^>\n]*>[\s\S]*<\/\1>$/i;

// `**Exit Code:** 0`, `- Exit Code: 0`, `> Output: x`.
const decorated =
  /^[ \t*_#>|`-]*[*_#>|`-][ \t]*(?:Command|Directory|Output|Stdout|Stderr|Error|Exit[ _-]?Code|Signal)[ \t]*(?:[*_`]+)?[ \t]*[:：|]/im;
const decoratedEnd = /^[ \t*_#>|`-]*[*_#>|`-][ \t]*(?:Exit[ _-]?(?:code|status)|Return ?code)[*_`]*[ \t]*[:：=|]/im;
const foreignEnd =
  /^[ \t*_#>|`-]*(?:Beendigungscode|Rückgabewert|R[üu]ckgabecode|Exit-?Status|Code de (?:sortie|retour)|Código de (?:salida|saída|retorno)|Codice di uscita|Afsluitcode|Kod wyjścia|Код (?:выхода|завершения|возврата)|退出(?:码|代码|状态|碼)|返回(?:码|值)|結束代碼|終了(?:コード|ステータス)|종료 ?코드|رمز الخروج)[*_`]*[ \t]*[:：=|]/imu;

/** The outcome of a command in fields that were not asked for: in bold, in a list, in another language. */
function hasOtherFields(text: string): boolean {
  return text.split('\n').some((line) => decorated.test(line)) || saysEnd(text);
}

/** How a command ends is said in such a field, in a text that may be anything else. */
export function saysEnd(text: string): boolean {
  return text.split('\n').some((line) => decoratedEnd.test(line) || foreignEnd.test(line));
}

/** A placeholder of the form as the whole text: `<output>`, `{exit_code}`, `[content here]`. */
export function isPlaceholder(text: string): boolean {
  const plain = text.trim();
  const word =
    '(?:the |your |actual |predicted |program |command |file |tool |whole |full |complete )*(?:output|stdout|stderr|observation|contents?|text|reply|result|answer|exit[ _-]?code|signal|number|code|reason)(?: (?:of|here|goes|from|as|that)\\b[^<>{}[\\]\\n]{0,60})?';
  return new RegExp(`^(?:<${word}>|\\{${word}\\}|\\[${word}\\])$`, 'i').test(plain);
}

/**
 * What a text is that was to be in a form and is not. Always a fault: `prose` where nothing more can be said of it.
 */
export function faultOfFormless(text: string): ReplyFault {
  const plain = text.trim();
  if (plain === '') return { kind: 'empty' };
  if (isToolCall(plain)) return { kind: 'tool-call' };
  if (isRefusal(plain)) return { kind: 'refused' };
  if (jsonIn(plain) !== undefined) return { kind: 'json' };
  if (otherTag.test(plain)) return { kind: 'no-tags' };
  if (hasTurn(plain)) return { kind: 'another-turn' };
  if (isPlaceholder(plain)) return { kind: 'placeholder' };
  if (/^\s*(?:`{3,}|~{3,})/m.test(plain)) {
    const inside = unfenced(plain);
    return inside !== undefined && jsonIn(inside) !== undefined ? { kind: 'json' } : { kind: 'fence' };
  }
  return hasOtherFields(plain) ? { kind: 'other-fields' } : { kind: 'prose' };
}

/** What a text that may be anything can still not be: an answer wrapped, refused, announced, or of another kind. */
export function faultOfFreeText(text: string): ReplyFault | undefined {
  const plain = text.trim();
  if (plain === '') return undefined;
  if (isToolCall(plain)) return { kind: 'tool-call' };
  if (isRefusal(plain)) return { kind: 'refused' };
  if (isOutcomeJson(plain)) return { kind: 'json' };
  if (otherTag.test(plain)) return { kind: 'no-tags' };
  if (isPlaceholder(plain)) return { kind: 'placeholder' };
  if (unfenced(plain) !== undefined || isAnnounced(plain)) return { kind: 'fence' };
  return undefined;
}
