/** The proxy that Node's `fetch` uses with `NODE_USE_ENV_PROXY=1`. Node 20 has no agent for it. */
import { request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { UsageError } from '../result.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy of an address.
 *
 * @returns `undefined` if it is requested directly
 * @throws UsageError if the proxy is not an address
 */
export function proxyFor(url: URL, environment: Environment = process.env): URL | undefined {
  if (environment.NODE_USE_ENV_PROXY !== '1') return undefined;
  const setting = (name: string): string => environment[name] || environment[name.toUpperCase()] || '';
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const text = setting(name);
  if (text === '' || isExcepted(url, setting('no_proxy'))) return undefined;
  const address = text.includes('://') ? text : `http://${text}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) throw new UsageError(`${name} is not an http address.`);
  return new URL(address);
}

/** @param list hosts, each with its subdomains, or with a port; `*` is all */
function isExcepted({ protocol, hostname, port }: URL, list: string): boolean {
  const host = plainHost(hostname);
  const own = port || (protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*' || plainHost(entry) === host) return true;
      const [, name, only = own] = /^\*?\.?([^:]+)(?::(\d+))?$/.exec(entry) ?? [];
      return name !== undefined && only === own && (host === name || host.endsWith(`.${name}`));
    });
}

/** Node takes an IPv6 address without its brackets. */
export const plainHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** What a request to the proxy itself needs. */
export function hopTo(proxy: URL) {
  const { protocol, hostname, port, username, password } = proxy;
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return {
    send: protocol === 'https:' ? sendHttps : sendHttp,
    target: { protocol, hostname: plainHost(hostname), port },
    login: username === '' ? {} : { 'proxy-authorization': `Basic ${login}` },
  };
}

type Done = (error: Error | null, socket: Duplex) => void;

/** Makes the connection of an `https:` request: the proxy passes the encrypted bytes on. */
export function tunnelThrough(proxy: URL, root: URL, signal: AbortSignal) {
  return (options: object, done: Done): undefined => {
    const fail = done as (error: Error) => void;
    const host = plainHost(root.hostname);
    const authority = `${root.hostname}:${root.port || 443}`;
    const { send, target, login } = hopTo(proxy);
    const headers = { host: authority, ...login };
    const asked = send({ ...target, method: 'CONNECT', path: authority, headers, agent: false, signal });
    asked.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) {
        done(null, connect({ ...options, socket, ...(isIP(host) === 0 && { servername: host }) }));
        return;
      }
      socket.destroy();
      fail(new Error(`it responded with ${statusCode} to CONNECT ${authority}`));
    });
    asked.once('error', fail);
    asked.end();
  };
}
