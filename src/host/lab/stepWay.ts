import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import type { Domain } from '../../core/worlds/language/prompt/turns/turn.ts';
import type { Language } from '../model/language.ts';
import { loadProvider } from '../model/model.ts';
import { readModelSettings } from '../model/modelSettings.ts';
import type { LabCore } from './labCore.ts';

/** How a step is asked. Nothing given: as the settings say. */
export interface StepWay {
  /** For people. */
  title: string;
  provider?: LanguageRequest['provider'];
  template?: { name: string; text: string };
  conditions?: string[];
  conditionText?: string;
}

/** Lets the user choose another model, template or condition; undefined: thought better of it. */
export function chooseWay(
  what: 'model' | 'template' | 'conditions',
  options: { language: Language; core: LabCore; domain: Domain; folders: LanguageRequest['templateFolders'] },
): Promise<StepWay | undefined> {
  if (what === 'model') return chooseModel(options.language);
  return what === 'template'
    ? chooseTemplate(options.core, options.domain, options.folders)
    : chooseConditions(options);
}

async function chooseModel({ model, apiKeys }: Language): Promise<StepWay | undefined> {
  const settings = readModelSettings();
  const { editorAccess } = await import('../model/editorAccess.ts');
  const { editorModelName } = await import('../model/editorModel.ts');
  const items = async () => {
    const [status, editorModels] = await Promise.all([
      settings.provider === 'server' ? model.provider()?.status(AbortSignal.timeout(10_000)) : undefined,
      editorAccess.models().catch(() => []),
    ]);
    const served = status?.ok
      ? status.models.map((name) => ({ label: name, description: status.name, name, of: 'server' as const }))
      : [];
    const inEditor = editorModels.map((one) => ({
      ...{ label: one.name, description: one.vendor, name: editorModelName(one), of: 'editor' as const },
    }));
    return [...served, ...inEditor];
  };
  const chosen = await vscode.window.showQuickPick(items(), {
    title: 'Predict Again With Another Model',
    placeHolder: 'Models of the server that is connected, and of this editor',
  });
  if (!chosen) return undefined;
  const { parameters, baseUrl } = settings;
  const provider = await loadProvider({ provider: chosen.of, baseUrl, model: chosen.name, parameters }, () =>
    apiKeys.read(baseUrl),
  );
  return { title: `with ${chosen.name}`, provider };
}

const ownFile = '$(folder-opened) Choose a File…';

async function chooseTemplate(
  core: LabCore,
  domain: Domain,
  folders: LanguageRequest['templateFolders'],
): Promise<StepWay | undefined> {
  const name = core.templateFile(domain, 'system');
  const places = { workspace: 'yours, in this workspace', configured: 'from your settings', shipped: 'Foretell’s own' };
  const found = await Promise.all(
    folders.map(async (folder) => {
      const loaded = await core.loadTemplate(domain, 'system', [folder]);
      return loaded.ok
        ? [{ label: name, description: places[folder.source], detail: loaded.path, file: loaded.path }]
        : [];
    }),
  );
  const variants = await vscode.workspace.findFiles(`**/prompts/${domain}/*.txt`, '**/node_modules/**', 50);
  const known = new Set(found.flat().map(({ file }) => file));
  const others = variants
    .filter(({ scheme, fsPath }) => scheme === 'file' && !known.has(fsPath) && !/judge/.test(path.basename(fsPath)))
    .map(({ fsPath }) => ({ label: path.basename(fsPath), description: '', detail: fsPath, file: fsPath }));
  const chosen = await vscode.window.showQuickPick([...found.flat(), ...others, { label: ownFile, file: '' }], {
    title: 'Predict Again With Another Template',
    placeHolder: `System prompts of the domain ${domain}`,
    matchOnDetail: true,
  });
  if (!chosen) return undefined;
  let { file } = chosen;
  if (file === '') {
    const [picked] =
      (await vscode.window.showOpenDialog({ title: 'A system prompt', openLabel: 'Predict With It' })) ?? [];
    if (!picked) return undefined;
    file = picked.fsPath;
  }
  const shown = vscode.workspace.asRelativePath(file);
  return { title: `with ${shown}`, template: { name: shown, text: await readFile(file, 'utf8') } };
}

const byChance = 'random';
const oneByChance = '$(sync) One by Chance';
const ownWords = '$(edit) Your Own Words…';

async function chooseConditions({
  core,
  language,
  domain,
}: {
  core: LabCore;
  language: Language;
  domain: Domain;
}): Promise<StepWay | undefined> {
  const { conditions: usual, text } = language.imagining.read();
  const presets = core.conditionsFor([domain]);
  const items = [
    ...presets.map(({ id, title, text: words }) => ({
      ...{ label: title, detail: words, id, picked: usual.includes(id) },
    })),
    { label: oneByChance, detail: `One of the ${presets.length} of the domain ${domain}`, id: byChance, picked: false },
    { label: ownWords, detail: text, id: '', picked: text !== '' },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'Predict Again Under Other Conditions',
    placeHolder: 'What is wrong with the world; nothing: as it is',
    canPickMany: true,
  });
  if (!chosen) return undefined;
  let words = '';
  if (chosen.some(({ id }) => id === '')) {
    const typed = await vscode.window.showInputBox({
      ...{ title: 'What Is Different in This World', value: text, prompt: 'Whole sentences, for the model' },
    });
    if (typed === undefined) return undefined;
    words = typed;
  }
  const seed = Math.floor(Math.random() * 1e9);
  const drawn = chosen.some(({ id }) => id === byChance) ? core.drawConditions(presets, { seed }) : [];
  const ids = new Set([...chosen.map(({ id }) => id), ...drawn.map(({ id }) => id)]);
  const under = presets.filter(({ id }) => ids.has(id));
  const titles = [...under.map(({ title }) => title), ...(words === '' ? [] : [words])];
  return {
    title: titles.length === 0 ? 'under no special conditions' : `under ${titles.join(', ')}`,
    conditions: under.map(({ id }) => id),
    conditionText: words,
  };
}

/** How a template is named in a step. */
export function templateMark(name: string, text: string): { name: string; sha256: string } {
  return { name, sha256: createHash('sha256').update(text).digest('hex') };
}
