import type { Request, ResponseObject } from '@hapi/hapi';

/** Closes the connection with a TCP reset. */
export function resetConnection({ raw }: Request): void {
  raw.req.socket.resetAndDestroy();
}

/** Sends the head of the response and half of its body, then closes the connection. */
export function truncateResponse({ raw, method }: Request, response: ResponseObject): void {
  const { source, headers, statusCode } = response;
  const text = typeof source === 'string' ? source : JSON.stringify(source ?? '');
  const payload = Buffer.isBuffer(source) ? source : Buffer.from(text);
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.res.setHeader(name, value);
  if (!raw.res.hasHeader('content-type')) raw.res.setHeader('content-type', 'application/json; charset=utf-8');
  raw.res.writeHead(statusCode, { 'content-length': payload.length });
  const half = payload.subarray(0, method === 'head' ? 0 : Math.floor(payload.length / 2));
  raw.res.write(half, () => raw.req.socket.destroy());
}
