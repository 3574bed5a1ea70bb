/** What comes one after the other and can be taken many at once: of 50,000 events each waits for itself where it is taken alone. */
export interface InPieces<T> extends AsyncIterable<T> {
  /** Everything in its order, in pieces of what is there. For one reader, who takes nothing one by one beside it. */
  pieces(): AsyncIterable<readonly T[]>;
}

/** Larger pieces would be held as a whole for longer. */
export const mostInPiece = 1024;

/** An iterable in pieces; where it has none, each item is one. */
export function piecesOf<T>(items: AsyncIterable<T>): AsyncIterable<readonly T[]> {
  return 'pieces' in items ? (items as InPieces<T>).pieces() : oneByOne(items);
}

async function* oneByOne<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  for await (const item of items) yield [item];
}

/** Pieces that can be taken one by one as well. Whoever leaves early ends whoever makes them. */
export function inPieces<T>(pieces: AsyncGenerator<readonly T[]>): InPieces<T> {
  return {
    pieces: () => pieces,
    [Symbol.asyncIterator]: () => ({
      ...itemsOf(async () => {
        const { done, value } = await pieces.next();
        return done ? undefined : value;
      }),
      return: async () => {
        await pieces.return(undefined);
        return { done: true, value: undefined };
      },
    }),
  };
}

/** The items of pieces, of which the next one is asked for when it is needed; `undefined`: there is none. No generator, which would wait three times for each. */
export function itemsOf<T>(take: () => Promise<readonly T[] | undefined>): AsyncIterator<T, undefined> {
  let piece: readonly T[] = [];
  let at = 0;
  return {
    async next() {
      while (at >= piece.length) {
        const given = await take();
        if (!given) return { done: true, value: undefined };
        piece = given;
        at = 0;
      }
      at += 1;
      return { done: false, value: piece[at - 1] as T };
    },
  };
}

/** Cuts many items into pieces, made as they are taken. */
export function* cutInPieces<T>(items: Iterable<T>): Generator<T[]> {
  let piece: T[] = [];
  for (const item of items) {
    piece.push(item);
    if (piece.length < mostInPiece) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}
