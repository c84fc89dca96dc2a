import { isBoom } from '@hapi/boom';
import type { Plugin, Request } from '@hapi/hapi';
import type { Log } from '../log/log.ts';

/** Logs one line for each request at the level `debug`. Of what the client sent it holds only a valid request id. */
export const requestLogPlugin: Plugin<{ log: Log }> = {
  name: 'request-log',
  register(server, { log }) {
    server.events.on('response', (request) => {
      const { app, method, route, info } = request;
      log.debug(
        {
          request_id: app.requestId,
          operation: route.settings.app?.operation,
          method,
          route: route.path,
          status: statusOf(request),
          duration_ms: info.completed - info.received,
        },
        'request',
      );
    });
  },
};

/** Hapi gives 499 to a request whose client closed the connection before the response. */
export function statusOf({ response }: Request): number {
  return isBoom(response) ? response.output.statusCode : response.statusCode;
}
