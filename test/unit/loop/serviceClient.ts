import http from 'node:http';
import type { Service } from '../../../src/core/loop/service.ts';

/** What the service answered. */
export interface Told {
  status: number;
  headers: http.IncomingHttpHeaders;
  json: Record<string, unknown> & { error?: { code: string; message: string } };
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });

/** Asks the service as a harness does, over connections that stay open. */
export function ask(
  service: Service,
  route: string,
  body: unknown,
  { method = 'POST', headers = {}, raw }: { method?: string; headers?: Record<string, string>; raw?: string } = {},
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${service.url}${route}`, {
      method,
      agent,
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json', ...headers },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          json: JSON.parse(Buffer.concat(pieces).toString()) as Told['json'],
        }),
      );
    });
    request.end(method === 'GET' ? undefined : (raw ?? JSON.stringify(body)));
  });
}
