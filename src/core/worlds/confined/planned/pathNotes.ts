interface Note<T> {
  value?: T;
  below: Map<string, Note<T>>;
}

/** Notes on absolute paths, kept as a tree of names: what is asked of one path costs as much as the path is long. */
export class PathNotes<T> {
  private readonly root: Note<T> = { below: new Map() };

  /** The note on the path itself or on the nearest folder above it, with the path that it is on. */
  nearest(path: string): [string, T] | undefined {
    let at = this.root;
    let found: [string, T] | undefined = at.value === undefined ? undefined : ['/', at.value];
    for (let start = 1; start < path.length; ) {
      const end = endOfName(path, start);
      const next = at.below.get(path.slice(start, end));
      if (!next) break;
      if (next.value !== undefined) found = [path.slice(0, end), next.value];
      at = next;
      start = end + 1;
    }
    return found;
  }

  set(path: string, value: T): void {
    this.make(path).value = value;
  }

  /** Names in that folder that are noted, or that something is noted below of. */
  namesIn(path: string): string[] {
    return [...(this.find(path)?.below.keys() ?? [])];
  }

  forgetBelow(path: string): void {
    this.find(path)?.below.clear();
  }

  /** What is noted below `from` is noted below `to` as well, and nothing else is. */
  copyBelow(from: string, to: string): void {
    const copied = copyOf(this.find(from)?.below ?? new Map<string, Note<T>>());
    this.make(to).below = copied;
  }

  private find(path: string): Note<T> | undefined {
    let at: Note<T> | undefined = this.root;
    for (let start = 1; at && start < path.length; ) {
      const end = endOfName(path, start);
      at = at.below.get(path.slice(start, end));
      start = end + 1;
    }
    return at;
  }

  private make(path: string): Note<T> {
    let at = this.root;
    for (let start = 1; start < path.length; ) {
      const end = endOfName(path, start);
      const name = path.slice(start, end);
      const next = at.below.get(name) ?? { below: new Map() };
      at.below.set(name, next);
      at = next;
      start = end + 1;
    }
    return at;
  }
}

function endOfName(path: string, start: number): number {
  const slash = path.indexOf('/', start);
  return slash < 0 ? path.length : slash;
}

function copyOf<T>(below: Map<string, Note<T>>): Map<string, Note<T>> {
  return new Map([...below].map(([name, note]) => [name, { ...note, below: copyOf(note.below) }]));
}
