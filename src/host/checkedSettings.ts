import * as vscode from 'vscode';
import { rightValue, type SettingSchema } from './rightValue.ts';

/** Settings of which none is what its schema does not allow. */
export interface CheckedSettings {
  get<T>(name: string, otherwise: T): T;
}

interface Manifest {
  contributes: { configuration: readonly { properties: Readonly<Record<string, SettingSchema>> }[] };
}

/** The settings of a section as they are now. */
export function checkedSettings(section: string): CheckedSettings {
  const settings = vscode.workspace.getConfiguration(section);
  const known = schemasOf(vscode.extensions.getExtension<unknown>('foretell.foretell')?.packageJSON);
  return {
    get: (name, otherwise) => rightValue(known.get(`${section}.${name}`), settings.get(name, otherwise), otherwise),
  };
}

function schemasOf(manifest: Manifest | undefined): ReadonlyMap<string, SettingSchema> {
  const groups = manifest?.contributes.configuration ?? [];
  return new Map(groups.flatMap(({ properties }) => Object.entries(properties)));
}
