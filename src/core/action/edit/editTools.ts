import type { ToolCall } from '../action.ts';
import { applyPatch } from './applyPatchTool.ts';
import { claudeEdit, claudeMultiEdit, claudeWrite } from './claudeTools.ts';
import { geminiEdit, geminiWrite } from './geminiTools.ts';
import { strReplaceEditor } from './strReplaceEditor.ts';
import type { EditTool } from './toolOutcome.ts';

const tools: ReadonlyMap<string, EditTool> = new Map<string, EditTool>([
  ['edit', geminiEdit],
  ['replace', geminiEdit],
  ['write_file', geminiWrite],
  ['Edit', claudeEdit],
  ['MultiEdit', claudeMultiEdit],
  ['Write', claudeWrite],
  ['apply_patch', applyPatch],
  ['str_replace_editor', strReplaceEditor],
  ['str_replace_based_edit_tool', strReplaceEditor],
]);

/** Names of the editing tools that are known. */
export const editToolNames: readonly string[] = [...tools.keys()];

/** The tool that a call names; undefined where it is not known. */
export function editToolOf(call: ToolCall): EditTool | undefined {
  return tools.get(call.name);
}
