/** What EN 18216 asks of the connection, as public sources describe it. */
import { connect } from 'node:tls';
import { check, NotTested } from '../conformance/case.ts';
import { NoResponse, sendTo } from '../conformance/http/connection.ts';
import { jsonIn } from '../conformance/http/exchange.ts';
import { passportIn } from './readings.ts';

/** How long a handshake may take, in milliseconds. */
const timeout = 10_000;

/** @throws CaseFailure for an old TLS, a host without HTTP/2, or a passport over plain HTTP */
export async function checkTransport(address: URL, warn: (text: string) => void): Promise<void> {
  if (address.protocol !== 'https:') throw new NotTested('https');
  // OpenSSL offers the old versions at this level only.
  const old = await handshake(address, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
  check(old === undefined, `TLS must be 1.2 or later, and ${old?.protocol} was accepted`);
  const offered = await handshake(address, { ALPNProtocols: ['h2', 'http/1.1'] });
  check(offered?.alpn === 'h2', `HTTP/2 must be offered, the host chose ${offered?.alpn || 'no protocol'}`);
  const plain = await handshake(address, { ALPNProtocols: ['http/1.1'] });
  if (plain?.alpn === 'http/1.1')
    warn('HTTP/1.1 is served, too. OwnYourData asks to refuse it; many clients speak nothing else.');
  const root = new URL(`http://${address.hostname}:${address.port || 80}`);
  const request = {
    method: 'GET',
    path: address.pathname,
    headers: { accept: 'application/json', host: address.host },
  };
  const reply = await sendTo(root, request, { timeout, agent: false }).catch((error: unknown) => {
    if (error instanceof NoResponse) return undefined;
    throw error;
  });
  const isShown = reply?.status === 200 && passportIn(jsonIn(reply.text)) !== undefined;
  check(!isShown, `plain HTTP must not give a passport, and ${root.href} does`);
}

/** The protocol that the host accepts, or `undefined` if it refuses. The certificate is judged by the other requests. */
function handshake({ hostname, port }: URL, options: object): Promise<{ protocol: string; alpn: string } | undefined> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({
      host,
      servername: /[a-z]$/i.test(host) ? host : '',
      port: Number(port || 443),
      rejectUnauthorized: false,
      timeout,
      ...options,
    });
    const end = (found?: { protocol: string; alpn: string }) => {
      socket.destroy();
      resolve(found);
    };
    socket.on('secureConnect', () => end({ protocol: socket.getProtocol() ?? '', alpn: socket.alpnProtocol || '' }));
    socket.on('error', () => end());
    socket.on('timeout', () => end());
  });
}
