/** Hapi alone: sends fixed responses from memory. What it costs is the floor for a server built on it. */
import { readFileSync } from 'node:fs';
import { server as createHapi } from '@hapi/hapi';

/** A response that bare Hapi sends from memory. */
export interface FixedResponse {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

const [, , file = '', port] = process.argv;
const responses: FixedResponse[] = JSON.parse(readFileSync(file, 'utf8'));
const server = createHapi({ host: '127.0.0.1', port: Number(port), debug: false });
for (const { method, path, status, headers, body } of responses) {
  server.route({
    method,
    path,
    handler(_, h) {
      const response = h.response(body).code(status);
      for (const [name, value] of Object.entries(headers)) response.header(name, value);
      return response;
    },
  });
}
await server.start();
