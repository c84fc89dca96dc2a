import { isBoom } from '@hapi/boom';
import type { Plugin } from '@hapi/hapi';
import { ContractError } from '../contract/errors.ts';
import { statusOf } from '../http/finished.ts';
import type { Log } from '../log/log.ts';

/**
 * Logs one line for each request, with what is wrong with it. Of the request it holds the method and the path, without
 * keys and access tokens. Register it before the plugin that sends the errors.
 */
export const mockLogPlugin: Plugin<{ log: Log }> = {
  name: 'mock-log',
  register(server, { log }) {
    server.ext('onPreResponse', ({ response, app }, h) => {
      // The message of an error never repeats the request.
      if (isBoom(response) && response instanceof ContractError) app.violations = [response.message];
      return h.continue;
    });
    server.events.on('response', (request) => {
      const { app, method, path, route, info } = request;
      const { requestId: request_id, violations = [], fault } = app;
      log.info(
        {
          request_id,
          operation: route.settings.app?.operation,
          method,
          path: withoutSecrets(path),
          status: statusOf(request),
          duration_ms: info.completed - info.received,
          fault,
          ...(violations.length > 0 && { violations }),
        },
        'request',
      );
    });
  },
};

/** A key or an access token in a path is a client's mistake, but the log is no place for it. */
function withoutSecrets(path: string): string {
  return path.replace(/ppk_[^/]*/g, 'ppk_…').replace(/eyJ[^/]*/g, 'eyJ…');
}
