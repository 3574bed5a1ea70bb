import fs from 'node:fs';
import path from 'node:path';
import type { EditAction } from '../../src/core/action/action.ts';
import { agentOfTool } from '../../src/core/action/edit/editTools.ts';
import type { CallRow } from './callRow.ts';
import { claudeRows } from './claudeCalls.ts';
import type { EditCase } from './editCase.ts';
import { editorRows, patchRows } from './editorCalls.ts';
import { qwenRows, writeRows } from './geminiCalls.ts';
import { otherRows } from './otherCalls.ts';

/** Calls of agents' editing tools. */
export function callCases(): EditCase[] {
  return [...qwenRows, ...writeRows, ...claudeRows, ...editorRows, ...patchRows, ...otherRows].map(caseOf);
}

function caseOf(row: CallRow): EditCase {
  const placed = (text: string, folder: string) => text.replaceAll('@/', `${folder}/`);
  const { prepare, mayBeUnsure, isUnsure } = row;
  const said = row.says === undefined ? undefined : agentOfTool(row.tool);
  const agent =
    row.agent === undefined
      ? said
      : { agent: row.agent, ...(row.says === undefined ? {} : { agentVersion: 'recorded' }) };
  return {
    name: `${row.tool}: ${row.name}`,
    files: row.files,
    ...(prepare ? { prepare } : {}),
    ...(mayBeUnsure ? { mayBeUnsure } : {}),
    ...(isUnsure ? { isUnsure } : {}),
    edit: (folder): EditAction => {
      const hasPlaces = !/apply_patch|udiff|blocks/.test(row.tool);
      const args = Object.fromEntries(
        Object.entries(row.args).map(([key, value]) => [
          key,
          typeof value === 'string' && hasPlaces ? placed(value, folder) : value,
        ]),
      );
      const calls = [{ name: row.tool, arguments: args }];
      return { kind: 'edit', changes: [], cwd: folder, calls, ...agent };
    },
    async real(folder) {
      for (const [name, content] of Object.entries(row.writes ?? {})) {
        const file = path.join(folder, name);
        fs.mkdirSync(path.dirname(file), { recursive: true });
        if (content === null) fs.rmSync(file);
        else {
          // Some tools put a new file in the place of a read-only one.
          if (fs.lstatSync(file, { throwIfNoEntry: false })) fs.chmodSync(file, fs.statSync(file).mode | 0o200);
          fs.writeFileSync(file, content);
          const mode = row.modes?.[name];
          if (mode !== undefined) fs.chmodSync(file, mode);
        }
      }
      return {
        stdout: row.says === undefined ? '' : Buffer.from(`${placed(row.says, folder)}\n`).toString('latin1'),
        stderr: '',
        exitCode: row.exit ?? 0,
      };
    },
  };
}
