/**
 * Whether the published clients call the hooks that `foretell hooks install` writes, and obey them: each is installed from the npm
 * registry into the cache, started without a person against a scripted model on loopback, in a throw-away repository and home, and
 * made to call its tools: what would lose work, what is safe, edits, and a program whose effects are unknown; at last a denied call that
 * the user lets through, which counts once and for this effect alone.
 *
 *   node test/bench.mjs clients [NAME…] [--version VERSION] [--installed FOLDER] [--project] [--update] [--show]
 *
 * `--project`: by the hooks of the project, as others share them; `--installed`: a folder with `node_modules` in it; `--update`: what was sent to the hook becomes fixtures of the unit tests
 * (`test/fixtures/hooks`, then UPDATE_GOLDEN=1); `--show`: what the client printed. Exit code 0: every client obeyed.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type ClientSeen, runClient, type StepSeen } from './clientSession.ts';
import { type ClientDriver, clients } from './drivers.ts';

const { values: flags, positionals } = parseArgs({
  options: {
    version: { type: 'string', default: 'latest' },
    installed: { type: 'string' },
    update: { type: 'boolean' },
    show: { type: 'boolean' },
    project: { type: 'boolean' },
    seconds: { type: 'string', default: '120' },
  },
  allowPositionals: true,
});

const mark = (isSo: boolean | undefined) => (isSo === undefined ? '–' : isSo ? 'yes' : 'NO');

process.exitCode = await main();

async function main(): Promise<number> {
  const names = positionals.length > 0 ? positionals : Object.keys(clients);
  const unknown = names.find((name) => !clients[name]);
  if (unknown !== undefined) {
    console.error(`There is no client called ${unknown}; choose from ${Object.keys(clients).join(', ')}.`);
    return 2;
  }
  const rows: string[] = [];
  let worst = 0;
  for (const name of names) {
    const driver = clients[name] as ClientDriver;
    const packages = installed(driver);
    if (packages === undefined) {
      console.log(`${driver.package} cannot be had from the npm registry here.`);
      worst = 1;
      continue;
    }
    const { version } = JSON.parse(fs.readFileSync(path.join(packages, driver.package, 'package.json'), 'utf8')) as {
      version: string;
    };
    const seen = await runClient(driver, packages, {
      scope: flags.project ? 'project' : 'user',
      mostSeconds: Number(flags.seconds),
    });
    if (flags.show) console.log(seen.printed);
    if (flags.update) keepEvents(driver, name === driver.agent ? version : `${version}-${name}`, seen);
    rows.push(rowOf(name, version, seen));
    for (const step of seen.steps) {
      const wrong = wrongIn(step);
      if (wrong !== undefined) worst = 1;
      if (wrong !== undefined || flags.show)
        console.log(`${name} ${version}, ${step.name}: ${wrong ?? 'good'}: ${JSON.stringify(step)}`);
    }
    for (const { name: call, expected, seen: became } of seen.releases) {
      if (became !== expected) worst = 1;
      if (became !== expected || flags.show)
        console.log(`${name} ${version}, release, ${call}: ${became}, expected ${expected}`);
    }
    if (seen.releases.length < 4) worst = 1;
    if (flags.show) console.log(`${name}: tools: ${seen.tools.join(' ')}`);
    if (flags.show) console.log(`${name}: variables of its shell: ${seen.variables.join(' ')}`);
  }
  console.log(
    '| client | version | asked | denied, and nothing lost | the model reads why | safe calls made | the model reads notes | released once, for this effect | compared afterwards |',
  );
  console.log('| --- | --- | --: | --: | --- | --: | --- | --: | --: |');
  console.log(rows.join('\n'));
  return worst;
}

function wrongIn({ isAsked, said, expected, isObeyed }: StepSeen): string | undefined {
  if (!isAsked) return 'the hook was not called';
  if (said !== expected) return `the hook said ${said}, not ${expected}`;
  return isObeyed ? undefined : 'the client did not do what was said';
}

function rowOf(name: string, version: string, { steps, releases, compared }: ClientSeen): string {
  const count = (list: StepSeen[], is: (step: StepSeen) => boolean) => `${list.filter(is).length} of ${list.length}`;
  const denied = steps.filter(({ expected }) => expected === 'deny');
  const passed = steps.filter(({ expected }) => expected !== 'deny');
  const told = (said: string) => steps.filter((step) => step.said === said);
  const isTold = (said: string) => (told(said).length > 0 ? mark(told(said).every((step) => step.isTold)) : 'NO');
  const cells = [
    name,
    version,
    count(steps, ({ isAsked }) => isAsked),
    count(denied, ({ said, isObeyed }) => said === 'deny' && isObeyed),
    isTold('deny'),
    count(passed, ({ isObeyed }) => isObeyed),
    isTold('note'),
    `${releases.filter(({ expected, seen }) => expected === seen).length} of 4`,
    `${compared.calls} (${compared.hits} of ${compared.counted} as predicted)`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The folder `node_modules` with the client in it. */
function installed(driver: ClientDriver): string | undefined {
  if (flags.installed !== undefined) return path.resolve(flags.installed, 'node_modules');
  const folder = path.resolve('test/.cache/clients', `${driver.package.replaceAll('/', '+')}@${flags.version}`);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  const words = [
    'install',
    '--silent',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    `${driver.package}@${flags.version}`,
  ];
  try {
    execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    return path.join(folder, 'node_modules');
  } catch {
    return undefined;
  }
}

function keepEvents({ agent }: ClientDriver, version: string, { events }: ClientSeen): void {
  for (const { step, moment, event } of events) {
    const file = path.resolve('test/fixtures/hooks', agent, `${version}-${step}-${moment}.json`);
    fs.writeFileSync(file, `${JSON.stringify({ event }, undefined, 2)}\n`);
  }
}
