import type { RiskFactOf, SpecialPlace } from '../facts/risk.ts';
import { programText } from './programText.ts';

const writtenPlaces: Readonly<Record<SpecialPlace, string>> = {
  device: ', a device or a switch of the kernel',
  startup: ', which is run or read at the next start',
  secret: ', which holds keys or passwords',
  guard: ', which decides what agents and editors may do',
  pipeline: ', which decides what runs on other machines',
  keeps: ', which holds keys, settings or history',
  system: ', which belongs to the system',
  outside: ', outside the workspace',
};

const places: Readonly<Record<NonNullable<RiskFactOf<'runsUnread'>['elsewhere']>, string>> = {
  machine: ' on another machine',
  container: ' in a container',
  root: ' below another root',
};

/** What lies in how the parts of a script are connected, as a sentence. */
export function scriptRiskText(
  fact: RiskFactOf<
    | 'runsOutput'
    | 'runsDownload'
    | 'runsUnread'
    | 'overwrites'
    | 'writesPlace'
    | 'connects'
    | 'sendsSecret'
    | 'readsSecret'
    | 'unsetVariable'
    | 'bomb'
    | 'historyOff'
    | 'hiddenCharacters'
    | 'unreadableScript'
  >,
): string {
  switch (fact.kind) {
    case 'runsOutput':
      return runsOutputText(fact);
    case 'runsDownload':
      return `${fact.isPackage ? 'Installs' : 'Runs'} ${fact.isFolder ? 'code of ' : ''}${fact.file}, which \`${programText(fact)}\` fetches before.`;
    case 'runsUnread':
      return `Runs the commands in ${fact.file}${fact.elsewhere ? places[fact.elsewhere] : ''}${fact.isRead ? '' : ', which were not read'}.`;
    case 'overwrites':
      return `Overwrites ${fact.target}, ${fact.isThere ? 'which is there' : 'if it is there'}.`;
    case 'writesPlace':
      return writesPlaceText(fact);
    case 'connects':
      return `Opens a connection to ${fact.address}.`;
    case 'sendsSecret':
      return `Reads ${fact.path ?? 'the environment'} and talks to the network: keys or passwords could be sent.`;
    case 'readsSecret':
      return `Reads ${fact.path}, which may hold keys or passwords.`;
    case 'unsetVariable':
      return unsetVariableText(fact);
    case 'bomb':
      return `The function \`${fact.name}\` starts itself again and again until the machine stops.`;
    case 'historyOff':
      return 'Turns off the history of the shell: what is typed from then on is not kept.';
    case 'hiddenCharacters':
      return `Holds characters that nobody sees (${fact.characters.join(', ')}): its words are not what they look like.`;
    case 'unreadableScript':
      return fact.problem;
  }
}

function writesPlaceText({ place, target, appends, stays, isNew, elsewhere }: RiskFactOf<'writesPlace'>): string {
  if (elsewhere)
    return `${appends ? 'Appends to' : 'Overwrites'} ${target}${place === 'outside' ? '' : writtenPlaces[place]} (${places[elsewhere].trim()}).`;
  if (stays && isNew) return `Asks to create ${target}${writtenPlaces[place]} (nothing is there here).`;
  if (stays)
    return `Asks to ${appends ? 'append to' : 'overwrite'} ${target}${writtenPlaces[place]} (it stays as it is here).`;
  if (place === 'device')
    return /^\/(?:proc|sys)\//.test(target)
      ? `Writes ${target}, a file of the kernel.`
      : `Writes onto the device ${target}.`;
  return `${isNew ? 'Creates' : appends ? 'Appends to' : 'Overwrites'} ${target}${writtenPlaces[place]}.`;
}

function runsOutputText({ does, ...call }: RiskFactOf<'runsOutput'>): string {
  const program = `\`${programText(call)}\``;
  switch (does) {
    case 'fetches':
      return `Runs code that ${program} fetches.`;
    case 'unpacks':
      return `Runs code that ${program} unpacks: what it does cannot be read.`;
    case 'prints':
      return `Runs whatever ${program} prints.`;
  }
}

function unsetVariableText({ name, isCertain, program, word, becomes, isWide }: RiskFactOf<'unsetVariable'>): string {
  const maybe = isCertain ? 'is not set' : 'may not be set';
  const gets = becomes === '' ? 'nothing' : `\`${becomes}\``;
  return `\`${name}\` ${maybe}, so \`${program}\` would get ${gets}${isWide ? '' : ` in place of \`${word}\``}.`;
}
