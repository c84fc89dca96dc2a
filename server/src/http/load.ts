import type { RequestListener, ServerResponse } from 'node:http';
import type { Plugin } from '@hapi/hapi';
import type { Log } from '../log/log.ts';
import type { Shed } from './shedding.ts';

export interface LoadLimits {
  /** Most requests in flight. One is in flight until the client has its whole response. 0 means no limit. */
  requests: number;
  /** Most bytes of bodies that the requests in flight hold. */
  bodyBytes: number;
  /** How long a client may take to read a response, in milliseconds. */
  responseTimeout: number;
}

/** How many times in the time of a response its reader is checked. */
const checks = 4;

/** Time between two lines of the log, in milliseconds. */
const logInterval = 10_000;

/**
 * Sheds load before memory grows: a request beyond the limit gets 503 at once. A client that reads its response too slowly
 * loses its connection.
 */
export const loadPlugin: Plugin<LoadLimits & { shed: Shed; log: Pick<Log, 'warn'> }> = {
  name: 'load',
  register(server, { requests, responseTimeout, shed, log }) {
    /** The responses in flight. The time is that of the first check after the whole response was written. */
    const inFlight = new Map<ServerResponse, number | undefined>();
    /** Refused requests do not count, or a burst would refuse all of its own requests. */
    let accepted = 0;
    let refused = 0;

    const logShed = (): void => {
      if (refused > 0)
        log.warn({ requests: refused, in_flight: accepted }, 'too many requests in flight: some got 503');
      refused = 0;
    };
    const cutSlowReaders = (): void => {
      const now = performance.now();
      for (const [response, since] of inFlight) {
        if (since === undefined && response.writableEnded) inFlight.set(response, now);
        else if (since !== undefined && now - since > responseTimeout) response.destroy();
      }
    };
    const timers = [
      setInterval(cutSlowReaders, responseTimeout / checks).unref(),
      setInterval(logShed, logInterval).unref(),
    ];
    server.events.on('stop', () => {
      for (const timer of timers) clearInterval(timer);
      logShed();
    });

    // Hapi's own listener comes last, and only for requests that are accepted.
    const { listener } = server;
    const [dispatch] = listener.listeners('request') as RequestListener[];
    if (!dispatch) throw new Error('Hapi does not listen for requests.');
    listener.removeListener('request', dispatch);
    const onRequest: RequestListener = (request, response) => {
      // A stop ends idle connections. A request that was on its way could be carried out, but not answered.
      if (request.socket.writableEnded) {
        request.socket.destroy();
        return;
      }
      inFlight.set(response, undefined);
      const isAccepted = requests === 0 || accepted < requests;
      response.once('close', () => {
        inFlight.delete(response);
        if (isAccepted) accepted -= 1;
      });
      if (isAccepted) {
        accepted += 1;
        dispatch(request, response);
      } else {
        refused += 1;
        shed(request, response);
      }
    };
    listener.on('request', onRequest);
  },
};
