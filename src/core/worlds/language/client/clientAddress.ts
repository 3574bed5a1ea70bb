/** Where a server is. */
export interface ServerAddress {
  /** What the OpenAI paths are appended to, without a slash at its end: `http://127.0.0.1:8000/v1`. */
  baseUrl: string;
  /** The same without the version, where servers have their own paths: `http://127.0.0.1:8000`. */
  rootUrl: string;
  /** Host and port, for sentences: `127.0.0.1:8000`. */
  place: string;
  /** On this machine or in a private network. */
  isPrivate: boolean;
}

/** An address, or one sentence that says what is wrong with it. */
export type AddressReading =
  | { ok: true; address: ServerAddress }
  | { ok: false; code: 'no-url' | 'bad-url'; message: string };

const example = 'such as http://127.0.0.1:8000/v1';

/**
 * Reads the base URL of a server as a person writes it: with or without `/v1`, scheme, last slash, or one of the paths
 * below it. Plain http is taken only on this machine and in private networks, because prompts hold files of the workspace.
 */
export function readBaseUrl(written: string): AddressReading {
  const text = written.trim();
  if (text === '') return { ok: false, code: 'no-url', message: `Set the base URL of a model server, ${example}.` };
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${guessScheme(text)}://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (!url?.hostname) return bad(`The base URL of the model server cannot be read; write one ${example}.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return bad(`The base URL of the model server must begin with http:// or https://; write one ${example}.`);
  }
  if (url.username !== '' || url.password !== '') {
    return bad('The base URL of the model server must not hold a name or password; set the API key instead.');
  }
  if (url.search !== '' || url.hash !== '') {
    return bad(`The base URL of the model server must not have a part after ? or #; write one ${example}.`);
  }
  const isPrivate = isPrivateHost(url.hostname);
  if (url.protocol === 'http:' && !isPrivate) {
    return bad(`Prompts would go to ${url.host} without encryption; write the base URL with https://.`);
  }
  const segments = url.pathname
    .replace(/\/+$/, '')
    .replace(/\/(chat\/completions|completions|models|embeddings)$/i, '')
    .split('/')
    .filter((segment) => segment !== '');
  let version = segments.findLastIndex((segment) => /^v\d/i.test(segment));
  if (version < 0) {
    // Ollama's own interface is at /api; the one that we speak is beside it. Gateways have theirs at /api/v1.
    if (isPrivate && segments.at(-1) === 'api') segments.pop();
    segments.push('v1');
    version = segments.length - 1;
  }
  const join = (parts: string[]) => [url.origin, ...parts].join('/');
  const baseUrl = join(segments);
  const rootUrl = join(segments.slice(0, version));
  return { ok: true, address: { baseUrl, rootUrl, place: url.host, isPrivate } };
}

function bad(message: string): AddressReading {
  return { ok: false, code: 'bad-url', message };
}

function guessScheme(text: string): 'http' | 'https' {
  const bare = `http://${text}`;
  return URL.canParse(bare) && !isPrivateHost(new URL(bare).hostname) ? 'https' : 'http';
}

/** Loopback (RFC 1122), private (RFC 1918, RFC 4193), link-local, shared (RFC 6598), or a name without a public suffix. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  if (host.includes(':')) return host === '::1' || host === '::' || /^f[cd]|^fe[89ab]/.test(host);
  const octets = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(host);
  if (octets) {
    const [first, second] = [Number(octets[1]), Number(octets[2])];
    return (
      first === 127 ||
      first === 10 ||
      first === 0 ||
      (first === 172 && second >= 16 && second <= 31) ||
      (first === 192 && second === 168) ||
      (first === 169 && second === 254) ||
      (first === 100 && second >= 64 && second <= 127)
    );
  }
  return !host.includes('.') || /\.(localhost|local|internal|lan|home\.arpa|test)$/.test(host);
}
