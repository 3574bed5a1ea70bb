import fs from 'node:fs';
import path from 'node:path';
import type { EditAction } from '../../src/core/action/action.ts';
import type { CallRow } from './callRow.ts';
import { claudeRows } from './claudeCalls.ts';
import type { EditCase } from './editCase.ts';
import { editorRows, patchRows } from './editorCalls.ts';
import { qwenRows, writeRows } from './geminiCalls.ts';

/** Calls of agents' editing tools. */
export function callCases(): EditCase[] {
  return [...qwenRows, ...writeRows, ...claudeRows, ...editorRows, ...patchRows].map(caseOf);
}

function caseOf(row: CallRow): EditCase {
  const placed = (text: string, folder: string) => text.replaceAll('@/', `${folder}/`);
  const { prepare, mayBeUnsure } = row;
  return {
    name: `${row.tool}: ${row.name}`,
    files: row.files,
    ...(prepare ? { prepare } : {}),
    ...(mayBeUnsure ? { mayBeUnsure } : {}),
    edit: (folder): EditAction => {
      const isPatch = row.tool === 'apply_patch';
      const args = Object.fromEntries(
        Object.entries(row.args).map(([key, value]) => [
          key,
          typeof value === 'string' && !isPatch ? placed(value, folder) : value,
        ]),
      );
      return { kind: 'edit', changes: [], cwd: folder, calls: [{ name: row.tool, arguments: args }] };
    },
    async real(folder) {
      for (const [name, content] of Object.entries(row.writes ?? {})) {
        const file = path.join(folder, name);
        fs.mkdirSync(path.dirname(file), { recursive: true });
        if (content === null) fs.rmSync(file);
        else fs.writeFileSync(file, content);
      }
      return {
        stdout: Buffer.from(`${placed(row.says, folder)}\n`).toString('latin1'),
        stderr: '',
        exitCode: row.exit ?? 0,
      };
    },
  };
}
