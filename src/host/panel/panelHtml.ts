/** Addresses as the webview may load them. */
export interface PanelSources {
  script: string;
  style: string;
  /** What the webview calls its own origin in a content security policy. */
  origin: string;
  /** New for every load. */
  nonce: string;
}

/** The page of the panel: everything in it is made by the script. */
export function panelHtml({ script, style, origin, nonce }: PanelSources): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${origin}`,
    `img-src ${origin}`,
    `font-src ${origin}`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Foretell</title>
    <link rel="stylesheet" href="${style}">
  </head>
  <body>
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>`;
}
