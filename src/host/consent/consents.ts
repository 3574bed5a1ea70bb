import path from 'node:path';
import * as vscode from 'vscode';
import {
  type ConsentProblem,
  consentFile,
  consentFor,
  giveConsent,
  isStillThere,
  type KeptConsent,
  readConsents,
  takeBackConsent,
} from '../../core/consent/consentStore.ts';
import { findPrograms } from '../../core/consent/findPrograms.ts';
import type { Consent, ConsentedProgram } from '../../core/facts/consent.ts';
import { inSentence } from '../../core/view/quantity.ts';
import { consentQuestion, programsText } from '../../core/words/consentText.ts';
import type { Panel } from '../panel/panel.ts';
import type { Predictions } from '../predict/predictions.ts';
import type { Run } from '../predict/run.ts';

export interface ConsentsOptions {
  predictions: Predictions;
  panel: Panel;
  /** Where programs are looked for: PATH as a terminal has it. */
  searchPath: () => string;
}

/** Asks for consent to rehearse programs of the workspace, keeps it and takes it back. */
export interface Consents {
  give(): Promise<void>;
  takeBack(): Promise<void>;
  show(): Promise<void>;
}

/** One store for editor and command line. */
const file = () => consentFile(process.env);

const notTrusted = 'Programs that are not known to be harmless stay stopped in a workspace that is not trusted.';

/** The consent that counts for a command in this folder. None in a workspace that is not trusted. */
export function consentIn(folder: string | undefined, log: vscode.LogOutputChannel): Consent | undefined {
  if (!vscode.workspace.isTrusted || folder === undefined) return undefined;
  const { consent, problem } = consentFor(file(), folder);
  if (problem !== undefined) log.warn(problem);
  return consent;
}

export function createConsents({ predictions, panel, searchPath }: ConsentsOptions): Consents {
  function say(sentence: string, kind: 'information' | 'warning' = 'information'): void {
    panel.banner({ kind, sentence });
    if (!predictions.current()) void vscode.window.showInformationMessage(sentence);
  }

  return {
    async give() {
      if (!vscode.workspace.isTrusted) {
        panel.banner({ kind: 'warning', sentence: notTrusted, offer: 'manageTrust' });
        return;
      }
      const run = predictions.current();
      const folder = await folderOf(run);
      if (folder === undefined) return say('No folder of this workspace is meant: predict a command in one of them.');
      const programs = await ask(folder, run ? stoppedPrograms(run, searchPath()) : []);
      if (!programs) return;
      const given = giveConsent(file(), folder, programs, new Date());
      if ('problem' in given) return say(given.problem, 'warning');
      await panel.reveal();
      if (run && predictions.current() === run) predictions.again({ openGate: false });
      say(`From now on ${programsText(given.consent.programs)} may be rehearsed in ${inSentence(folder)}.`);
    },
    async takeBack() {
      const folder = await folderOf(predictions.current());
      if (folder === undefined) return say('No folder of this workspace is meant: predict a command in one of them.');
      saidBack(takeBackConsent(file(), consentFor(file(), folder).consent?.folder ?? folder));
    },
    async show() {
      const read = readConsents(file());
      if ('problem' in read) return say(read.problem, 'warning');
      if (read.consents.length === 0) return say('There is no consent to rehearse programs, for no folder.');
      const chosen = await vscode.window.showQuickPick(read.consents.map(itemOf), {
        title: 'Folders whose programs are rehearsed',
        placeHolder: 'Choose one to take its consent back',
        matchOnDescription: true,
      });
      if (chosen) saidBack(takeBackConsent(file(), chosen.kept.folder));
    },
  };

  function saidBack(answer: { taken: KeptConsent } | ConsentProblem): void {
    if ('problem' in answer) say(answer.problem, 'warning');
    else say(`Taken back: programs of ${inSentence(answer.taken.folder)} are not rehearsed any more.`);
  }
}

/** The folder of the workspace in which the shown command runs; without one, the folder that the user picks. */
async function folderOf(run: Run | undefined): Promise<string | undefined> {
  const local = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const cwd = run?.action.cwd;
  if (cwd !== undefined) {
    const around = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd));
    if (around) return around.uri.fsPath;
  }
  if (local.length < 2) return local[0]?.uri.fsPath;
  return (await vscode.window.showWorkspaceFolderPick())?.uri.fsPath;
}

/** Programs that were stopped and could have been rehearsed, by the names and files that they were started by. */
function stoppedPrograms({ prediction, action }: Run, searchPath: string): ConsentedProgram[] {
  const found = prediction.assumptions.flatMap(({ argv: [name = ''], ways = [] }) => {
    if (!ways.includes('rehearse')) return [];
    const cwd = prediction.programs.find(({ argv }) => argv[0] === name)?.cwd ?? action.cwd ?? '/';
    const answer = findPrograms([name], cwd, searchPath);
    return 'problem' in answer ? [] : answer.programs;
  });
  return [...new Map(found.map((program) => [program.file, program])).values()];
}

/** Asks with the exact words; `undefined`: no. */
async function ask(folder: string, stopped: readonly ConsentedProgram[]): Promise<Consent['programs'] | undefined> {
  const { question, details } = consentQuestion({ folder, programs: 'all' }, file());
  const every = 'Rehearse Every Program';
  const names = stopped.map(({ name }) => path.basename(name)).join(', ');
  const some = stopped.length > 0 && stopped.length <= 3 ? [`Only ${names}`] : [];
  const what = stopped.length > 1 ? 'what they start' : 'what it starts';
  const only = some.length > 0 ? [`Only ${names}: ${programsText([...stopped])}, with ${what}.`] : [];
  const detail = [...details, ...only].join('\n\n');
  // The first choice has the keyboard: Enter must not consent.
  const choices = ['Do Not Rehearse', every, ...some];
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...choices);
  if (answer === every) return 'all';
  return answer === some[0] && answer !== undefined ? [...stopped] : undefined;
}

function itemOf(kept: KeptConsent): vscode.QuickPickItem & { kept: KeptConsent } {
  const since = `since ${kept.givenAt.slice(0, 10)}`;
  const gone = isStillThere(kept) ? since : `${since}; another folder is there now, or none: it does not count`;
  return { label: kept.folder, description: programsText(kept.programs), detail: gone, kept };
}
