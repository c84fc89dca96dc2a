import type { Log } from '../log/log.ts';
import type { FinishedRequest } from './finished.ts';

interface RequestLogOptions {
  log: Log;
  /** The share of successful requests without a key that are logged, from 0 to 1. */
  publicSample: number;
}

/** One of this many requests that were refused because of the load is logged. */
const shedSample = 100;

/** Logs one line for each request: errors, requests with a key, and samples of the others and of the refused ones. */
export function requestLog({ log, publicSample }: RequestLogOptions): (request: FinishedRequest) => void {
  let shed = 0;
  return ({ requestId, operation, method, status, code, tenant, isPublic, isShed, duration }) => {
    if (isShed && shed++ % shedSample !== 0) return;
    if (isPublic && status < 400 && publicSample < 1 && Math.random() >= publicSample) return;
    log.info(
      {
        request_id: requestId,
        operation,
        method,
        status,
        code,
        tenant,
        // Tenths: many requests take less than a millisecond.
        duration_ms: Math.round(duration * 10) / 10,
      },
      'request',
    );
  };
}
