import type { IncomingMessage, ServerResponse } from 'node:http';
import { ContractError } from '@product-passport/openapi';

/** Maximum size of a body, in bytes (1 MiB). */
const maxBodyBytes = 1024 * 1024;

/** How long the server discards the rest of a body before it sends the response, in milliseconds. */
const discardTimeout = 1000;

export interface BodyLimits {
  /** How long a body may take to arrive, in milliseconds. */
  bodyTimeout: number;
  /** Takes room for bytes. @throws if there is no room */
  takeRoom?: (bytes: number) => void;
}

/**
 * Reads the body of a request. Sends `100 Continue` first if the client waits for it.
 *
 * @throws ContractError `payload_too_large` as soon as the limit is passed; `request_timeout`; `invalid_request` if the
 *   connection closes before the end of the body; `service_unavailable` if the bodies of other requests leave no room
 */
export async function readBytes(
  { req: request, res: response }: { req: IncomingMessage; res: ServerResponse },
  { bodyTimeout, takeRoom }: BodyLimits,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw new ContractError('payload_too_large');
  if (asksBeforeBody(request)) response.writeContinue();
  return new Promise((resolve, reject) => {
    // Not a list of chunks: one of a byte each would take a hundred times the memory.
    let bytes = Buffer.alloc(0);
    let size = 0;
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      request.pause().removeListener('data', take).removeListener('end', settle).removeListener('close', cut);
      if (error) reject(error);
      else resolve(bytes.subarray(0, size));
    };
    const take = (chunk: Buffer): void => {
      try {
        if (size + chunk.length > maxBodyBytes) throw new ContractError('payload_too_large');
        takeRoom?.(chunk.length);
      } catch (error) {
        settle(error as Error);
        return;
      }
      if (size + chunk.length > bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(size + chunk.length, 2 * bytes.length));
        bytes.copy(larger);
        bytes = larger;
      }
      size += chunk.copy(bytes, size);
    };
    // The bytes that arrived may be valid JSON, but they are not the whole body.
    const cut = (): void => settle(new ContractError('invalid_request', 'The body ended too early.'));
    const timer = setTimeout(() => settle(new ContractError('request_timeout')), bodyTimeout);
    request.on('data', take).once('end', settle).once('close', cut);
  });
}

/**
 * Reads and discards the rest of a request's body for a short time. A client that is still sending when the connection
 * closes may never see the response.
 */
export function discardBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  // No `100 Continue` was sent, so the client does not send the body.
  const isHeldBack = asksBeforeBody(request) && request.readableFlowing === null && request.readableLength === 0;
  if (isHeldBack) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(settle, discardTimeout);
    request.once('end', settle).once('close', settle).resume();
  });
}

/** Whether the client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1). */
function asksBeforeBody({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && /^100-continue$/i.test(headers.expect ?? '');
}
