/** nginx with `deploy/nginx.conf` in front of a server, on a port of its own and without TLS. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort, root } from '../../test/support/program.ts';

export const hasNginx = spawnSync('nginx', ['-v']).error === undefined;

/** @param folder for its files */
export async function startNginx(folder: string, server: number): Promise<{ port: number; stop(): Promise<void> }> {
  const [port, unused] = [await freePort(), await freePort()];
  let file = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8').replaceAll(/^ *ssl_certificate.*$/gm, '');
  for (const [from, to] of [
    ['127.0.0.1:3000', `127.0.0.1:${server}`],
    ['listen 80;', `listen 127.0.0.1:${unused};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${port} backlog=4096;`],
    ['/var/log/nginx/', `${folder}/`],
  ] as const) {
    assert.ok(file.includes(from), `deploy/nginx.conf has no ${from}`);
    file = file.replaceAll(from, to);
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, name), { recursive: true });
    return `${name}_temp_path ${join(folder, name)};`;
  });
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const main = `daemon off; worker_processes auto; pid ${folder}/pid; error_log ${folder}/error.log; ${user}
    events { worker_connections 8192; } http { ${temporary.join(' ')} ${file} }`;
  writeFileSync(join(folder, 'main.conf'), main);
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'main.conf')], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  const isOpen = async (): Promise<boolean> => {
    const socket = connect(port, '127.0.0.1');
    return once(socket, 'connect').then(
      () => Boolean(socket.destroy()),
      () => false,
    );
  };
  while (!(await isOpen())) {
    assert.equal(child.exitCode, null, 'nginx ended');
    await setTimeout(50);
  }
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
