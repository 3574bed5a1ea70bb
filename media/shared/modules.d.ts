/** Made by src/tools/buildMedia.mjs from the SVG files of @vscode/codicons. */
declare module 'codicon:*' {
  export const drawing: {
    /** Side of the square the path is drawn in. */
    side: number;
    /** All paths of the icon, joined. */
    path: string;
    /** How they are filled. */
    rule: 'evenodd' | 'nonzero';
  };
}

/** Style sheets are bundled beside the script. */
declare module '*.css';
