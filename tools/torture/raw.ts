/** Bytes over a connection of their own, and the responses as they came. */
import { connect } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** How long the server may keep a connection that the client has half-closed, in milliseconds. */
const longestWait = 20_000;

/** Sends bytes, half-closes the connection, and reads until the server closes it. */
export function exchangeBytes(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(bytes));
    socket.setTimeout(longestWait, () => socket.destroy(new Error(`no end of the connection after ${longestWait} ms`)));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that refuses the bytes may reset what it has not read.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('end', () => socket.destroy());
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** The first response in these bytes, and what follows; `undefined` if it is not complete. */
export function firstResponse(bytes: Buffer): { response: RawResponse; rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]),
  );
  const length = Number(headers['content-length'] ?? 0);
  const start = end + 4;
  if (bytes.length < start + length) return undefined;
  const text = bytes.toString('utf8', start, start + length);
  return { response: { status: Number(line.split(' ')[1]), headers, text }, rest: bytes.subarray(start + length) };
}
