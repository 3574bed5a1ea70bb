import path from 'node:path';
import * as vscode from 'vscode';
import {
  type ConsentProblem,
  consentFile,
  consentFor,
  giveConsent,
  giveLook,
  isStillThere,
  type KeptConsent,
  type KeptLook,
  looksFor,
  readConsents,
  takeBackConsent,
  takeBackLook,
} from '../../core/consent/consentStore.ts';
import { findPrograms } from '../../core/consent/findPrograms.ts';
import type { Consent, ConsentedProgram, LookKind } from '../../core/facts/consent.ts';
import { inSentence } from '../../core/view/quantity.ts';
import { consentQuestion, lookKinds, lookQuestion, lookText, programsText } from '../../core/words/consentText.ts';
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
  /** The same for what is asked outside, as a look: a consent of its own. Without a kind the user picks one. */
  giveLook(look?: LookKind): Promise<void>;
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

/** What may be asked as a look in this folder. Nothing in a workspace that is not trusted. */
export function looksIn(folder: string | undefined): LookKind[] {
  return vscode.workspace.isTrusted && folder !== undefined ? looksFor(file(), folder) : [];
}

export function createConsents({ predictions, panel, searchPath }: ConsentsOptions): Consents {
  function say(sentence: string, kind: 'information' | 'warning' = 'information'): void {
    panel.banner({ kind, sentence });
    if (!predictions.current()) void vscode.window.showInformationMessage(sentence);
  }

  /** Says so where it is not. */
  function isTrusted(): boolean {
    if (!vscode.workspace.isTrusted) panel.banner({ kind: 'warning', sentence: notTrusted, offer: 'manageTrust' });
    return vscode.workspace.isTrusted;
  }

  /** Says so where there is none. */
  async function folderMeant(run: Run | undefined): Promise<string | undefined> {
    const folder = await folderOf(run);
    if (folder === undefined) say('No folder of this workspace is meant: predict a command in one of them.');
    return folder;
  }

  return {
    async give() {
      const run = predictions.current();
      const folder = isTrusted() ? await folderMeant(run) : undefined;
      if (folder === undefined) return;
      const programs = await ask(folder, run ? stoppedPrograms(run, searchPath()) : []);
      if (!programs) return;
      const given = giveConsent(file(), folder, programs, new Date());
      if ('problem' in given) return say(given.problem, 'warning');
      await panel.reveal();
      if (run && predictions.current() === run) predictions.again({ openGate: false });
      say(`From now on ${programsText(given.consent.programs)} may be rehearsed in ${inSentence(folder)}.`);
    },
    async giveLook(meant) {
      const run = predictions.current();
      const folder = isTrusted() ? await folderMeant(run) : undefined;
      if (folder === undefined) return;
      const look = await askForLook(folder, meant);
      if (!look) return;
      const given = giveLook(file(), folder, look, new Date());
      if ('problem' in given) return say(given.problem, 'warning');
      if (run && predictions.current() === run) predictions.again({ openGate: false });
      say(`From now on predictions in ${inSentence(folder)} ask ${lookText(look)} where a command only reads.`);
    },
    async takeBack() {
      const folder = await folderMeant(predictions.current());
      if (folder === undefined) return;
      saidBack(takeBackConsent(file(), consentFor(file(), folder).consent?.folder ?? folder));
    },
    async show() {
      const read = readConsents(file());
      if ('problem' in read) return say(read.problem, 'warning');
      const all = [...read.consents.map(itemOf), ...read.looks.map(lookItemOf)];
      if (all.length === 0) return say('There is no consent, for no folder.');
      const chosen = await vscode.window.showQuickPick(all, {
        title: 'What you consented to',
        placeHolder: 'Choose one to take its consent back',
        matchOnDescription: true,
      });
      if (!chosen) return;
      const { kept } = chosen;
      saidBack('look' in kept ? takeBackLook(file(), kept.folder, kept.look) : takeBackConsent(file(), kept.folder));
    },
  };

  function saidBack(answer: { taken: KeptConsent | KeptLook } | ConsentProblem): void {
    if ('problem' in answer) say(answer.problem, 'warning');
    else if ('look' in answer.taken)
      say(
        `Taken back: no prediction in ${inSentence(answer.taken.folder)} asks ${lookText(answer.taken.look)} any more.`,
      );
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

/** Which kind of look, and whether, with the exact words. */
async function askForLook(folder: string, meant: LookKind | undefined): Promise<LookKind | undefined> {
  const look = meant ?? (await pickLook());
  if (!look) return undefined;
  const { question, details } = lookQuestion(look, folder, file());
  // The first choice has the keyboard: Enter must not consent.
  const choices = ['Do Not Ask', 'Ask, Only to Read'];
  const answer = await vscode.window.showWarningMessage(
    question,
    { modal: true, detail: details.join('\n\n') },
    ...choices,
  );
  return answer === choices[1] ? look : undefined;
}

async function pickLook(): Promise<LookKind | undefined> {
  const kinds = lookKinds.map((look) => ({ label: `Ask ${lookText(look)}`, look }));
  const chosen = await vscode.window.showQuickPick(kinds, { title: 'What may predictions ask, only to read?' });
  return chosen?.look;
}

interface ConsentItem extends vscode.QuickPickItem {
  kept: KeptConsent | KeptLook;
}

function itemOf(kept: KeptConsent): ConsentItem {
  return { label: kept.folder, description: programsText(kept.programs), detail: sinceText(kept), kept };
}

function lookItemOf(kept: KeptLook): ConsentItem {
  return { label: kept.folder, description: `asks ${lookText(kept.look)}`, detail: sinceText(kept), kept };
}

function sinceText(kept: KeptConsent | KeptLook): string {
  const since = `since ${kept.givenAt.slice(0, 10)}`;
  return isStillThere(kept) ? since : `${since}; another folder is there now, or none: it does not count`;
}
