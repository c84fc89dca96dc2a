import { isBoom } from '@hapi/boom';
import type { Plugin, Request } from '@hapi/hapi';
import { type DestinationStream, type Logger, pino } from 'pino';
import { StandardError } from './standard-error.ts';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** Writes one JSON object a line, to standard error, so that standard output stays for answers of the command line. */
export function createLog(level = 'info', to: DestinationStream = new StandardError()): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorInLog } }, to);
}

/** What is logged of an error. Libraries hang more on theirs: what clients sent, options of the connection. */
function errorInLog(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name: type, message, stack, code } = error as NodeJS.ErrnoException;
  return { type, message, stack, code };
}

/** At the level `debug`, one line for each request. It has nothing of what the client sent but a valid request id. */
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

/** Hapi's own 499 is of a client that closed the connection before the response. */
function statusOf({ response }: Request): number {
  return isBoom(response) ? response.output.statusCode : response.statusCode;
}
