import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { DiagnosticChange } from '../../protocol/editProtocol.ts';
import { predictedAddress } from '../panel/predictedDocuments.ts';
import type { Run } from '../predict/run.ts';
import { diffDiagnostics, type FoundDiagnostic } from './diffDiagnostics.ts';
import { type JsonServer, startJsonServer } from './jsonServer.ts';
import { bytesOf } from './textOf.ts';

/** More files, or longer ones, are not asked about. */
const mostFiles = 60;
const longestBytes = 1024 ** 2;

/** What VS Code's JSON service says about the changed texts. */
export interface JsonDiagnostics {
  changes: DiagnosticChange[];
  /** Changed files that it has looked at, absolute. */
  covered: Set<string>;
  /** One sentence on how far it reaches. */
  covers: string[];
}

/**
 * Asks the JSON language server that comes with VS Code about each changed JSON text, as it is and as predicted: the same
 * program with the same settings and schemas that speaks when the file is really saved. Schemas of the network are taken
 * from what VS Code has stored of them; nothing is fetched.
 */
export async function jsonDiagnostics(
  run: Run,
  storageFolder: string,
  isShown: () => boolean,
): Promise<JsonDiagnostics> {
  const found: JsonDiagnostics = { changes: [], covered: new Set(), covers: [] };
  const extension = vscode.extensions.getExtension('vscode.json-language-features');
  const script = extension && path.join(extension.extensionPath, 'server/dist/node/jsonServerMain.js');
  const settings = vscode.workspace.getConfiguration('json');
  if (!script || !existsSync(script) || settings.get('validate.enable') === false) return found;
  const files = await jsonFiles(run);
  if (files.length === 0 || !isShown()) return found;
  const missing = new Set<string>();
  const server = await startJsonServer({
    script,
    associations: schemaAssociations(),
    schemas: schemasOfSettings(settings),
    schemaContent: (uri) => schemaContent(uri, storageFolder, missing),
  });
  if (!server) return found;
  try {
    for (const file of files) {
      if (!isShown()) break;
      const changes = await compare(server, file);
      if (!changes) continue;
      found.changes.push(...changes);
      found.covered.add(file.path);
    }
  } finally {
    server.close();
  }
  if (found.covered.size > 0) {
    const without =
      missing.size > 0 ? `, without ${[...missing].sort().join(', ')}, which would have to be fetched` : '';
    found.covers.push(`JSON: VS Code's own service${without}.`);
  }
  return found;
}

interface JsonFile {
  path: string;
  languageId: string;
  /** Absent: there was none. */
  before?: string;
  after: string;
}

async function jsonFiles(run: Run): Promise<JsonFile[]> {
  const changed = run.prediction.files.filter(
    (file) =>
      file.type === 'file' &&
      file.change !== 'deleted' &&
      file.change !== 'mode' &&
      file.sizeBytes <= longestBytes &&
      !file.path.includes('/.git/'),
  );
  const files: JsonFile[] = [];
  for (const file of changed) {
    if (files.length >= mostFiles) break;
    if (!/json|\.[\w-]+rc$|\.(?:code-workspace|webmanifest|map|har|jslintrc|ipynb)$/i.test(path.basename(file.path)))
      continue;
    // Bytes first: a document of a text that cannot be read now would stay empty.
    const [after, before] = [
      await bytesOf(run, file, 'after', longestBytes),
      await bytesOf(run, file, 'before', longestBytes),
    ];
    if (!after || (file.change !== 'created' && !before) || after.includes(0)) continue;
    const languageId = await languageOf(predictedAddress(run, file.path, 'after'));
    if (languageId !== 'json' && languageId !== 'jsonc') continue;
    const earlier = before ? { before: textOf(before) } : {};
    files.push({ path: file.path, languageId, ...earlier, after: textOf(after) });
  }
  return files;
}

async function languageOf(address: vscode.Uri): Promise<string | undefined> {
  try {
    return (await vscode.workspace.openTextDocument(address)).languageId;
  } catch {
    return undefined;
  }
}

/** As VS Code reads it: without the mark of its encoding. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

async function compare(server: JsonServer, file: JsonFile): Promise<DiagnosticChange[] | undefined> {
  const uri = vscode.Uri.file(file.path).toString();
  const ask = async (text: string): Promise<FoundDiagnostic[] | undefined> => {
    const said = await server.diagnose(uri, file.languageId, text);
    return said?.flatMap(({ severity = 1, range, message, source = 'json' }): FoundDiagnostic[] => {
      if (severity > 2) return [];
      const { line, character } = range.start;
      const place = { path: file.path, line: line + 1, column: character + 1 };
      return [{ ...place, severity: severity === 1 ? 'error' : 'warning', text: message, source }];
    });
  };
  const before = file.before === undefined ? [] : await ask(file.before);
  const after = await ask(file.after);
  return before && after && diffDiagnostics(before, after);
}

interface Validation {
  fileMatch?: unknown;
  url?: unknown;
}

/** Which schema belongs to which files, as extensions say it; worded as VS Code's JSON client words it for its server. */
function schemaAssociations(): { fileMatch: string[]; uri: string }[] {
  return vscode.extensions.all.flatMap((extension) => {
    const contributed: unknown = extension.packageJSON?.contributes?.jsonValidation;
    if (!Array.isArray(contributed)) return [];
    return (contributed as Validation[]).flatMap(({ fileMatch, url }) => {
      const patterns = typeof fileMatch === 'string' ? [fileMatch] : fileMatch;
      if (!Array.isArray(patterns) || typeof url !== 'string') return [];
      const uri = url.startsWith('./') ? vscode.Uri.joinPath(extension.extensionUri, url).toString() : url;
      return [{ fileMatch: patterns.filter((one) => typeof one === 'string').map(asPattern), uri }];
    });
  });
}

function asPattern(match: string): string {
  if (match.startsWith('%')) {
    return match
      .replace('%APP_SETTINGS_HOME%', '/User')
      .replace('%MACHINE_SETTINGS_HOME%', '/Machine')
      .replace('%APP_WORKSPACES_HOME%', '/Workspaces');
  }
  return /^(?:\w+:\/\/|\/|!)/.test(match) ? match : `/${match}`;
}

/** The setting `json.schemas`; addresses relative to the workspace are made whole. */
function schemasOfSettings(settings: vscode.WorkspaceConfiguration): object[] {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  const schemas = settings.get<{ url?: string; fileMatch?: string[]; schema?: object }[]>('schemas') ?? [];
  return schemas.map(({ url, fileMatch, schema }) => ({
    url: url !== undefined && /^\.?\//.test(url) && root ? vscode.Uri.joinPath(root, url).toString() : url,
    fileMatch,
    folderUri: root?.toString(),
    schema,
  }));
}

/** A schema of VS Code itself, or what it has stored of one of the network; else one that allows everything. */
async function schemaContent(uri: string, storageFolder: string, missing: Set<string>): Promise<string> {
  try {
    if (!/^https?:/.test(uri)) return (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))).getText();
    const name = `${createHash('sha256').update(uri).digest('hex')}.schema.json`;
    const stored = path.join(storageFolder, '../vscode.json-language-features/json-schema-cache', name);
    return await readFile(stored, 'utf8');
  } catch {
    missing.add(uri);
    return '{}';
  }
}
