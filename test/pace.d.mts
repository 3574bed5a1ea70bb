export declare const usualS: Readonly<Record<string, number>>;
export declare const limitS: number;
export declare const hardLimitS: number;

export declare class Pace {
  constructor(rings: Iterable<string>, nowS?: () => number);
  ended(name: string, tookS: number): void;
  get times(): number;
  share(name: string): number;
  fewer(name: string, usual: number, least: number): number;
  rarer(name: string, usual: number, most: number): number;
}

export declare function drawn<T>(list: readonly T[], share: number, seed: number): T[];
