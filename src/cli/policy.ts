import fs from 'node:fs';
import path from 'node:path';
import type { ShellName } from '../core/action/action.ts';
import { consentFile, consentFor } from '../core/consent/consentStore.ts';
import type { PolicyDecision } from '../core/facts/policyFact.ts';
import { type Foretell, foldAll } from '../core/foretell.ts';
import { calledByAgent } from '../core/hooks/calledByAgent.ts';
import type { Policies } from '../core/policy/decide.ts';
import { confirmed, policyDecision } from '../core/policy/policyDecision.ts';
import { isPreset, type PresetName, presetNames } from '../core/policy/presets.ts';
import {
  keepFile,
  parsePolicy,
  policyRoot,
  readPolicies,
  signPolicy,
  userPolicyFile,
  workspacePolicyFile,
} from '../core/policy/readPolicies.ts';
import { newPolicyText } from '../core/policy/writePolicy.ts';
import { countOf, inSentence } from '../core/view/quantity.ts';
import { decisionText, originText, problemText } from '../core/words/policyText.ts';
import { type Flags, helpFlag, optionsText } from './helpText.ts';
import { readWord } from './readArguments.ts';

/** What `foretell policy` needs of the process around it. */
export interface PolicyProcess {
  /** The working directory; empty where there is none. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** A person types here. */
  isAtTerminal: boolean;
  shell: ShellName;
  say(text: string): Promise<unknown>;
  tell(line: string): void;
  /** The engine, made when it is needed; disposed of afterwards. */
  foretell(): Foretell;
  /** Default: looks at the variables and at the processes above. */
  calledByAgent?: typeof calledByAgent;
}

const words = ['check', 'explain', 'init', 'sign'] as const;

const flags = {
  cwd: { type: 'string', value: 'FOLDER', help: 'the folder in which calls are made (default: the current one)' },
  workspace: { type: 'boolean', help: 'init: write .foretell/policy.json of this folder instead of your own policy' },
  json: { type: 'boolean', help: 'one JSON object instead of text' },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell policy [check]                (which policies count here, and what is wrong with them)
       foretell policy explain COMMAND       (what they say of a command, by which rule, and because of what)
       foretell policy init [careful|everyday|unattended] [--workspace]
       foretell policy sign                  (lets this folder's .foretell/policy.json allow, as long as it stays as it is)

Rules allow, ask or deny by what a command would do, not by its words: files, losses, network, git. foretell hook follows
them. Your own policy is kept with your settings (XDG_CONFIG_HOME, else ~/.config), that of a machine in /etc/foretell, that of
a workspace in its .foretell: it can only ask and deny, until you sign it. init and sign are refused to agents.

${optionsText({ Options: flags })}
Exit status
  0 done, or allowed   1 a policy does not count; explain: left to the user, or no rule   2 explain: denied
  3 it could not be done   64 wrong usage
`;

/** Whether the arguments of the command line ask for policies, not for a program that is called so. */
export function asksForPolicy([first, second]: readonly string[]): boolean {
  return (
    first === 'policy' && (second === undefined || second.startsWith('-') || words.some((word) => word === second))
  );
}

/** Runs `foretell policy …`; `args` come after `policy`. Gives the exit status. */
export async function runPolicy(args: string[], around: PolicyProcess): Promise<number> {
  const read = await readWord(args, flags, { word: 'foretell policy', usage }, around);
  if ('status' in read) return read.status;
  const { values, positionals, wrong } = read;
  const [word = 'check', given, ...more] = positionals;
  const cwd = path.resolve(around.cwd, values.cwd ?? '.');
  const asked: Asked = { ...around, cwd, isJson: values.json === true };
  const takesOne = word === 'explain' || word === 'init';
  if (more.length > 0 || (given !== undefined && !takesOne))
    return wrong(`policy ${word} takes ${takesOne ? 'one word' : 'no words'}; see foretell policy --help.`);
  switch (word) {
    case 'check':
      return check(asked);
    case 'explain':
      return given === undefined ? wrong('policy explain takes a COMMAND; put it in quotes.') : explain(asked, given);
    case 'init':
      if (given !== undefined && !isPreset(given))
        return wrong(`policy init takes ${presetNames.join(', ')}, not ${inSentence(given)}.`);
      return init(asked, given ?? 'everyday', values.workspace === true);
    case 'sign':
      return sign(asked);
    default:
      return wrong(`policy takes ${words.join(', ')}, not ${inSentence(word)}; see foretell policy --help.`);
  }
}

interface Asked extends PolicyProcess {
  isJson: boolean;
}

const read = ({ env, cwd }: Asked): Policies => readPolicies({ env, cwd, trusted: true });

async function check(asked: Asked): Promise<number> {
  const policies = read(asked);
  const { layers, problems } = policies;
  if (asked.isJson) {
    await asked.say(`${JSON.stringify({ version: 1, policies: layers, problems })}\n`);
    return problems.length > 0 ? 1 : 0;
  }
  const lines = layers.map(({ origin, file, rules, mayAllow }) => {
    const allows = rules.filter(({ answer }) => answer === 'allow').length;
    const ignored =
      !mayAllow && allows > 0
        ? `; ${countOf(allows, 'rule')} that ${allows === 1 ? 'allows does' : 'allow do'} not count: not signed`
        : '';
    return `${inSentence(file)}  ${originText(origin)}, ${countOf(rules.length, 'rule')}${ignored}`;
  });
  if (lines.length === 0 && problems.length === 0)
    lines.push('No policy counts here, so nothing is allowed; foretell policy init writes one.');
  await asked.say(`${[...lines, ...problems.map(problemText)].join('\n')}\n`);
  return problems.length > 0 ? 1 : 0;
}

async function explain(asked: Asked, script: string): Promise<number> {
  const { env, cwd, shell } = asked;
  const policies = read(asked);
  const foretell = asked.foretell();
  try {
    const action = { kind: 'command', script, shell, cwd } as const;
    const { consent } = consentFor(consentFile(env), cwd);
    const predicted = foretell.predict({
      ...{ action, hash: true, trusted: true, compared: true },
      ...(consent ? { consent } : {}),
      signal: new AbortController().signal,
    });
    const prediction = await foldAll(action, predicted.events);
    const said = policyDecision(prediction, { policies, ...policyRoot({ env, cwd }) });
    const decision = confirmed(said, predicted.inputs?.([]));
    await predicted.view.close();
    await asked.say(asked.isJson ? `${JSON.stringify({ version: 1, decision })}\n` : `${decisionText(decision)}\n`);
    return exitOf(decision);
  } finally {
    await foretell.dispose();
  }
}

function exitOf({ kind }: PolicyDecision): number {
  return kind === 'allow' ? 0 : kind === 'deny' ? 2 : 1;
}

/** Why an agent, or whoever is not at a terminal, may not do it; `undefined`: the user asks. */
function refusal({ env, isAtTerminal, calledByAgent: by = calledByAgent }: Asked): string | undefined {
  const agent = by(env);
  if (agent === undefined && isAtTerminal) return undefined;
  return `Only the user may say what is allowed (${agent ?? 'this is no terminal'}); type it in a terminal of your own.`;
}

async function init(asked: Asked, preset: PresetName, isOfWorkspace: boolean): Promise<number> {
  const refused = refusal(asked);
  if (refused !== undefined) return complain(asked, refused, 1);
  const file = isOfWorkspace ? workspacePolicyFile(asked.cwd) : userPolicyFile(asked.env);
  if (fs.existsSync(file))
    return complain(asked, `${inSentence(file)} is there already; edit it, or remove it first.`, 3);
  const problem = keepFile(file, newPolicyText(preset));
  if (problem !== undefined) return complain(asked, `${inSentence(file)} cannot be written (${problem}).`, 3);
  await asked.say(`Written: ${inSentence(file)}\n`);
  return 0;
}

async function sign(asked: Asked): Promise<number> {
  const refused = refusal(asked);
  if (refused !== undefined) return complain(asked, refused, 1);
  const file = workspacePolicyFile(asked.cwd);
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch {
    return complain(asked, `There is no ${inSentence(file)}; foretell policy init --workspace writes one.`, 3);
  }
  const policy = parsePolicy(file, text);
  if ('kind' in policy) return complain(asked, problemText(policy), 3);
  const problem = signPolicy(asked.env, file, text);
  if (problem !== undefined) return complain(asked, `The signature cannot be kept (${problem}).`, 3);
  await asked.say(
    `Signed: ${inSentence(file)}, ${countOf(policy.rules.length, 'rule')}. What it allows counts as long as it stays as it is.\n`,
  );
  return 0;
}

function complain({ tell }: Asked, sentence: string, status: number): number {
  tell(`foretell: ${sentence}`);
  return status;
}
