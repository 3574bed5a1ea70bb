import type { LabHostMessage } from '../../protocol/labProtocol.ts';
import type { DocumentReading } from './documentReading.ts';

/** What is searched for in a trajectory. */
export interface LabSearch {
  /** In the place of what was searched for before. */
  find(query: string): Promise<void>;
  /** The lines are others now. */
  again(): void;
}

export function createLabSearch(reading: DocumentReading, post: (message: LabHostMessage) => void): LabSearch {
  let query = '';
  async function search(): Promise<void> {
    const mine = query;
    const isWanted = () => mine === query;
    await reading.search(mine, isWanted, (lines, isComplete) => {
      if (isWanted()) post({ type: 'found', query: mine, lines, isComplete });
    });
  }
  return {
    async find(next) {
      query = next;
      await reading.whenRead();
      await search();
    },
    again() {
      if (query !== '' && reading.lines().length === reading.total()) void search();
    },
  };
}
