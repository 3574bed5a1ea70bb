/** Tokens of a prompt; `exact` where the server itself counted them with the model's own template. */
export interface TokenCount {
  tokens: number;
  exact: boolean;
}
