import type * as vscode from 'vscode';
import { readBaseUrl } from '../../core/worlds/language/client/clientAddress.ts';

/** API keys, one for each base URL, in the editor's secret storage and nowhere else. */
export interface ApiKeys {
  /** `undefined`: there is none for this address, however it is written. */
  read(baseUrl: string): Promise<string | undefined>;
  store(baseUrl: string, key: string): Promise<void>;
  forget(baseUrl: string): Promise<void>;
  /** Addresses that a key is kept for. */
  places(): string[];
}

/** What is used of the extension's context. */
export interface KeyStorage {
  secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;
  globalState: Pick<vscode.Memento, 'get' | 'update'>;
}

/** Secret storage cannot list what it holds, so the addresses (never the keys) are kept beside it. */
const placesKey = 'foretell.apiKeyPlaces';

export function createApiKeys({ secrets, globalState }: KeyStorage): ApiKeys {
  const places = () => globalState.get<string[]>(placesKey, []);
  return {
    places,
    async read(baseUrl) {
      const place = placeOf(baseUrl);
      return place === undefined ? undefined : secrets.get(secretName(place));
    },
    async store(baseUrl, key) {
      const place = placeOf(baseUrl);
      if (place === undefined) return;
      await secrets.store(secretName(place), key);
      await globalState.update(placesKey, [...new Set([...places(), place])]);
    },
    async forget(baseUrl) {
      const place = placeOf(baseUrl);
      if (place === undefined) return;
      await secrets.delete(secretName(place));
      await globalState.update(
        placesKey,
        places().filter((other) => other !== place),
      );
    },
  };
}

/** A key goes to the address that it was given for: another path or port of the same host is another place. */
function placeOf(baseUrl: string): string | undefined {
  const read = readBaseUrl(baseUrl);
  return read.ok ? read.address.baseUrl : undefined;
}

const secretName = (place: string) => `foretell.apiKey ${place}`;
