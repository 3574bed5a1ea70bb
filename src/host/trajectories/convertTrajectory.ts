import path from 'node:path';
import * as vscode from 'vscode';
import type { ImportedText } from '../../core/trajectory/convertText.ts';
import type { ImportFailure } from '../../core/trajectory/importTrajectory.ts';
import type { TrajectoryFormat } from '../../core/trajectory/trajectoryFormats.ts';
import { countOf } from '../../core/view/quantity.ts';
import { convertInThread } from './convertInThread.ts';
import type { ConvertAnswer, ConvertTask } from './convertWorker.ts';

/** What a caller may say instead of being asked; paths are absolute. */
export interface ConvertRequest {
  from?: string;
  to?: string;
  format?: string;
}

/** What is known of the formats; loaded when somebody converts. */
const loadFormats = () => import('../../core/trajectory/trajectoryFormats.ts');

/** "Import Trajectory": a log or recording becomes a trajectory file, which is opened. */
export async function importCommand(extensionFolder: string, given: unknown): Promise<void> {
  const { from, to, format } = requestOf(given);
  const source =
    from === undefined
      ? ((await openLog(extensionFolder)) ?? (await chooseFile('Import Trajectory', 'Import')))
      : vscode.Uri.file(from);
  const text = source && (await readText(source));
  if (!source || text === undefined) return;
  const options = { fileName: source.fsPath };
  const { formatNames, formatOf } = await loadFormats();
  const known = formatNames.find((name) => name === format);
  let read = await importInThread(extensionFolder, text, known ? { ...options, format: known } : options);
  if (read && 'failure' in read) {
    const chosen = await chooseFormat(formatNames, 'What is it? The format was not recognised.');
    if (!chosen) return;
    read = await importInThread(extensionFolder, text, { ...options, format: chosen });
  }
  if (!read) return;
  if ('failure' in read) return complain(read.failure.message);
  const { steps, problems, redacted } = read;
  if (steps === 0) return complain(problems[0]?.message ?? 'There is no step in the file.');
  const target = await targetFor(to, source, 'trajectory.jsonl', 'Save Trajectory');
  if (!target || !(await save(target, read.text))) return;
  await vscode.commands.executeCommand('vscode.open', target);
  const secrets = redacted.reduce((sum, { count }) => sum + count, 0);
  const parts = [
    countOf(steps, 'step'),
    ...(secrets > 0 ? [`${countOf(secrets, 'secret')} taken out`] : []),
    ...(problems.length > 0 ? [`${countOf(problems.length, 'part')} skipped`] : []),
  ];
  const lines = problems.map(({ line, message }) => (line === 0 ? message : `Line ${line}: ${message}`));
  tell(`Imported ${parts.join(', ')} (${formatOf(read.format).title}).`, lines);
}

/** "Export Trajectory": a trajectory file in another format, which is opened. */
export async function exportCommand(extensionFolder: string, given: unknown): Promise<void> {
  const { from, to, format } = requestOf(given);
  const open = activeTrajectory();
  const source =
    from === undefined ? (open ?? (await chooseFile('Export Trajectory', 'Export'))) : vscode.Uri.file(from);
  const text = source && (await readText(source));
  if (!source || text === undefined) return;
  const { formatNames } = await loadFormats();
  const others = formatNames.filter((name) => name !== 'foretell');
  const chosen = others.find((name) => name === format) ?? (await chooseFormat(others, 'Export as'));
  if (chosen) await exportText(extensionFolder, { text, source, to, format: chosen });
}

/**
 * Saves a trajectory that stands in no file yet, as it is or in another format, and opens it. `name`: of the file, as far as it
 * is proposed.
 */
export async function saveTrajectory(
  extensionFolder: string,
  text: string,
  name: string,
  given: unknown,
): Promise<void> {
  const { to, format } = requestOf(given);
  const { formatNames, formatOf } = await loadFormats();
  const named = formatNames.find((one) => one === format);
  const chosen = named ?? (await chooseFormat(formatNames, 'Export as'));
  if (!chosen) return;
  const source = vscode.Uri.file(`/${name}.trajectory.jsonl`);
  if (chosen !== 'foretell') return exportText(extensionFolder, { text, source, to, format: chosen });
  const target = await targetFor(to, source, formatOf(chosen).ending, 'Save Trajectory');
  if (target && (await save(target, text))) await vscode.commands.executeCommand('vscode.open', target);
}

interface Exported {
  /** Of a trajectory file. */
  text: string;
  source: vscode.Uri;
  to: string | undefined;
  format: TrajectoryFormat;
}

async function exportText(extensionFolder: string, { text, source, to, format }: Exported): Promise<void> {
  const { formatOf } = await loadFormats();
  const templates = format === 'agentworld' ? await shippedTemplates(extensionFolder) : {};
  const answer = await inThread(extensionFolder, { word: 'export', text, format, options: { templates } });
  if (!answer || !('exported' in answer)) return;
  const { text: written, count, problems, steps, badLines } = answer.exported;
  if (steps === 0) return complain('There is no step in the file. Import a log or recording first.');
  if (count === 0) return complain(problems[0] ?? `Nothing can be written as ${formatOf(format).title}.`);
  const target = await targetFor(to, source, formatOf(format).ending, 'Save Export');
  if (!target || !(await save(target, written))) return;
  await vscode.commands.executeCommand('vscode.open', target);
  const skipped = [...problems, ...(badLines > 0 ? [`${countOf(badLines, 'line')} of the file: no step.`] : [])];
  const some = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  tell(`Exported ${countOf(count, 'record')} (${formatOf(format).title})${some}.`, skipped);
}

/** The answer of the thread; where it failed, the user is told and there is none. */
async function inThread(extensionFolder: string, task: ConvertTask): Promise<ConvertAnswer | undefined> {
  const answer = await convertInThread(path.join(extensionFolder, 'dist'), task).catch((error: unknown) => ({
    error: error instanceof Error ? error.message : String(error),
  }));
  if (!('error' in answer)) return answer;
  complain(`It could not be converted (${answer.error}). Try again.`);
  return undefined;
}

async function importInThread(
  extensionFolder: string,
  text: string,
  options: { fileName: string; format?: TrajectoryFormat },
): Promise<ImportedText | ImportFailure | undefined> {
  const answer = await inThread(extensionFolder, { word: 'import', text, options });
  return answer && 'imported' in answer ? answer.imported : undefined;
}

function complain(sentence: string): void {
  void vscode.window.showErrorMessage(sentence);
}

function requestOf(given: unknown): ConvertRequest {
  // From a menu of the explorer comes the file.
  if (given instanceof vscode.Uri) return { from: given.fsPath };
  const record = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
  const text = (name: string) => (typeof record[name] === 'string' ? { [name]: record[name] } : {});
  return { ...text('from'), ...text('to'), ...text('format') };
}

/** The file of the active tab, whatever its editor. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
}

function activeTrajectory(): vscode.Uri | undefined {
  const uri = activeFile();
  return uri?.path.endsWith('.trajectory.jsonl') ? uri : undefined;
}

/** The file that is open, where it is a log of a format that is known and no trajectory of ours already. */
async function openLog(extensionFolder: string): Promise<vscode.Uri | undefined> {
  const uri = activeFile();
  if (uri?.scheme !== 'file' || activeTrajectory()) return undefined;
  const text = await readText(uri);
  const read = text === undefined ? undefined : await importInThread(extensionFolder, text, { fileName: uri.fsPath });
  return read && 'steps' in read && read.steps > 0 ? uri : undefined;
}

async function chooseFile(title: string, openLabel: string): Promise<vscode.Uri | undefined> {
  return (await vscode.window.showOpenDialog({ title, openLabel, canSelectMany: false }))?.[0];
}

async function chooseFormat(
  formats: readonly TrajectoryFormat[],
  placeHolder: string,
): Promise<TrajectoryFormat | undefined> {
  const { formatOf } = await loadFormats();
  const items = formats.map((format) => ({ label: formatOf(format).title, description: format, format }));
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.format;
}

async function targetFor(
  to: string | undefined,
  source: vscode.Uri,
  extension: string,
  title: string,
): Promise<vscode.Uri | undefined> {
  if (to !== undefined) return vscode.Uri.file(to);
  const base = path.basename(source.fsPath).replace(/(?:\.trajectory)?\.[a-z0-9]+$/i, '');
  const separator = extension.startsWith('_') ? '' : '.';
  const name = `${base}${separator}${extension}`;
  const around = vscode.workspace.getWorkspaceFolder(source) ?? vscode.workspace.workspaceFolders?.[0];
  const folder = around?.uri.fsPath ?? path.dirname(source.fsPath);
  return vscode.window.showSaveDialog({ title, defaultUri: vscode.Uri.file(path.join(folder, name)) });
}

/** Text that is not UTF-8 would come back as something else. */
async function readText(file: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === file.toString());
  if (open) return open.getText();
  try {
    const bytes = await vscode.workspace.fs.readFile(file);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    const why =
      error instanceof TypeError ? 'it is not text in UTF-8' : error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`${path.basename(file.fsPath)} cannot be read (${why}).`);
    return undefined;
  }
}

async function save(file: vscode.Uri, text: string): Promise<boolean> {
  try {
    await vscode.workspace.fs.writeFile(file, Buffer.from(text));
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(
      `${path.basename(file.fsPath)} cannot be written (${why}). Choose another place.`,
    );
    return false;
  }
}

async function shippedTemplates(extensionFolder: string) {
  const [{ loadTemplate }, { domains }] = await Promise.all([
    import('../../core/worlds/language/template/templates.ts'),
    import('../../core/worlds/language/prompt/turns/turn.ts'),
  ]);
  const folders = [{ source: 'shipped' as const, path: path.join(extensionFolder, 'prompts') }];
  const loaded = await Promise.all(
    domains.map(async (domain) => [domain, await loadTemplate(domain, 'system', folders)] as const),
  );
  return Object.fromEntries(loaded.flatMap(([domain, template]) => (template.ok ? [[domain, template.text]] : [])));
}

/** What was skipped is one click away. Not awaited: whoever does not answer must not hold up anything. */
function tell(sentence: string, skipped: readonly string[]): void {
  const show = 'Show Skipped';
  const choices = skipped.length > 0 ? [show] : [];
  void vscode.window.showInformationMessage(sentence, ...choices).then(async (answer) => {
    if (answer !== show) return;
    const document = await vscode.workspace.openTextDocument({ content: skipped.join('\n') });
    await vscode.window.showTextDocument(document, { preview: true });
  });
}
