import fs from 'node:fs';
import * as vscode from 'vscode';
import { inSentence } from '../../core/view/quantity.ts';
import type { Run } from '../predict/run.ts';

/**
 * *Allow Effects Like These…*: the user's own policy, with a rule that is made of what is shown. The rule counts once it is
 * saved, so that nobody allows what they have not seen.
 */
export async function allowEffects(run: Run | undefined): Promise<void> {
  if (!run?.prediction.ending) {
    void vscode.window.showInformationMessage('Nothing that has ended is shown. Predict a command first.');
    return;
  }
  // The reader of policies is loaded when a rule is made.
  const [{ policyEffects }, { policyRoot, userPolicyFile, keepFile }, { newPolicyText, ruleFor, withRule }, words] =
    await Promise.all([
      import('../../core/policy/policyEffects.ts'),
      import('../../core/policy/readPolicies.ts'),
      import('../../core/policy/writePolicy.ts'),
      import('../../core/words/policyText.ts'),
    ]);
  const { action } = run.prediction;
  const cwd = 'cwd' in action && action.cwd !== undefined ? action.cwd : '/';
  const { root } = policyRoot({ env: process.env, cwd });
  const effects = policyEffects(run.prediction, { root });
  const title = action.kind === 'command' ? action.script : 'the shown edit';
  const { rule, blocked } = ruleFor(effects, { name: `As ${inSentence(title, 120)}`, root });
  if (blocked.length > 0) {
    void vscode.window.showWarningMessage(
      `No rule can allow this: ${words.effectsText(blocked)}. Only what is wholly known can be allowed.`,
    );
    return;
  }
  const file = userPolicyFile(process.env);
  const problem = fs.existsSync(file) ? undefined : keepFile(file, newPolicyText());
  if (problem !== undefined) {
    void vscode.window.showErrorMessage(`Your policy cannot be written at ${inSentence(file)} (${problem}).`);
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const text = document.getText();
  const edit = new vscode.WorkspaceEdit();
  const whole = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
  edit.replace(document.uri, whole, withRule(text, rule));
  await vscode.workspace.applyEdit(edit);
  const editor = await vscode.window.showTextDocument(document);
  const at = document.positionAt(document.getText().lastIndexOf(JSON.stringify(rule.name)));
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
  void vscode.window.showInformationMessage(
    'Save the file, and the new rule counts for agents that ask foretell hook.',
  );
}
