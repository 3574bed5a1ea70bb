/** Made by src/tools/buildMedia.mjs from the SVG files of @vscode/codicons. */
declare module 'codicon:*' {
  /** All paths of the icon, joined, in a square of 160 by 160, and how they are filled where that is not `nonzero`. */
  export const drawing: readonly [path: string, rule?: 'evenodd' | 'nonzero'];
}

/** Style sheets are bundled beside the script. */
declare module '*.css';
