/** nginx, Caddy and HAProxy with the files of `deploy`, on ports of their own. */
import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

export const siteUrl = 'https://passport.example.com';
export const site = new URL(siteUrl).host;

/** Each server has a loopback address of its own, so that all have the same ports, as on machines of their own. */
export const hosts = ['127.0.0.1', '127.0.0.2'] as const;

/** The ports and the folder of a proxy, in place of those of its file. */
export interface Places {
  readonly folder: string;
  readonly http: number;
  readonly https: number;
  readonly server: number;
  readonly admin: number;
}

export interface ProxyProgram {
  /** Its program. */
  readonly name: string;
  /** The Debian package of the program. */
  readonly debian: string;
  readonly file: string;
  /** What the check changes in the file: each text must be there. */
  changes(places: Places): readonly (readonly [string, string])[];
  /** The words that start the program in the foreground with the changed file. */
  words(file: string, places: Places): readonly string[];
}

const isRoot = process.getuid?.() === 0;
export const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const alsoIpv6 = (line: string): string => (hasIpv6 ? line : '');

export const proxies: readonly ProxyProgram[] = [
  {
    name: 'nginx',
    debian: 'nginx-light',
    file: 'nginx.conf',
    changes: ({ folder, http, https, server }) => [
      ['listen 80;', `listen ${http};`],
      ['listen 443 ssl;', `listen ${https} ssl; ${alsoIpv6(`listen [::]:${https} ssl;`)}`],
      [
        'server 127.0.0.1:3000 fail_timeout=1s;',
        hosts.map((host) => `server ${host}:${server} fail_timeout=1s;`).join(' '),
      ],
      ['/etc/ssl/passport.example.com.pem', `${folder}/cert.pem`],
      ['/etc/ssl/private/passport.example.com.key', `${folder}/key.pem`],
      ['/var/log/nginx/', `${folder}/log/`],
    ],
    words(file, { folder }) {
      // As Debian's own nginx.conf, which includes conf.d and logs to these two files.
      const main = `pid ${folder}/pid; error_log ${folder}/log/error.log; events {}
        http { access_log ${folder}/log/access.log; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
        fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi; include ${file}; }`;
      writeFileSync(join(folder, 'main.conf'), main);
      return ['-p', folder, '-c', join(folder, 'main.conf'), '-g', 'daemon off;'];
    },
  },
  {
    name: 'caddy',
    debian: 'caddy',
    file: 'Caddyfile',
    changes: ({ folder, http, https, server, admin }) => [
      ['{\n\t# All logs', `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\t# All logs`],
      [`\n${site} {\n`, `\n${site} {\n\ttls ${folder}/cert.pem ${folder}/key.pem\n`],
      ['127.0.0.1:3000', hosts.map((host) => `${host}:${server}`).join(' ')],
      ['health_port 9090', `health_port ${admin}`],
    ],
    words: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  {
    name: 'haproxy',
    debian: 'haproxy',
    file: 'haproxy.cfg',
    changes: ({ folder, http, https, server, admin }) => [
      ['log /dev/log local0', 'log stdout format raw local0'],
      ['  user haproxy\n  group haproxy\n', isRoot ? '  user haproxy\n  group haproxy\n' : ''],
      ['bind :80\n', `bind :${http}\n`],
      [
        'bind :443 ssl crt /etc/haproxy/passport.example.com.pem alpn h2,http/1.1\n',
        ['', ...(hasIpv6 ? ['::'] : [])]
          .map((address) => `  bind ${address}:${https} ssl crt ${folder}/both.pem alpn h2,http/1.1\n`)
          .join('')
          .trimStart(),
      ],
      ['server first 127.0.0.1:3000', hosts.map((host, index) => `server s${index} ${host}:${server}`).join('\n  ')],
      ['check port 9090', `check port ${admin}`],
    ],
    words: (file) => ['-db', '-f', file],
  },
];
