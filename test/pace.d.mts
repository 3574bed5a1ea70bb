export declare const usualS: Readonly<Record<string, number>>;

export declare class Pace {
  ended(name: string, tookS: number): void;
  get times(): number;
  fewer(usual: number, least: number): number;
  rarer(usual: number, most: number): number;
}
