/** Hapi alone: sends fixed responses from memory. What it costs is the floor for a server built on it. */
import { readFileSync } from 'node:fs';
import { server as createHapi } from '@hapi/hapi';
import type { FixedResponse } from './throughput.ts';

const [, , file = '', port] = process.argv;
const responses: FixedResponse[] = JSON.parse(readFileSync(file, 'utf8'));
const server = createHapi({ host: '127.0.0.1', port: Number(port), debug: false });
for (const { method, path, status, type, location, body } of responses) {
  server.route({
    method,
    path,
    handler(_, h) {
      const response = h.response(body).code(status);
      if (type) response.type(type);
      if (location) response.location(location);
      return response;
    },
  });
}
await server.start();
