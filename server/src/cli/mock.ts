import type { Server } from '@hapi/hapi';
import { localAddress } from '../app.ts';
import { hostAddress, siteUrl } from '../config/formats.ts';
import { createLog } from '../log/log.ts';
import { StandardError } from '../log/standard-error.ts';
import { createMock } from '../mock/mock.ts';
import { command, flag, type Given, option, parser, wholeNumber } from './command.ts';
import { ignoreSignals, listen, stopOptions, stopReason } from './listen.ts';
import { printed, version } from './output.ts';

/** Time for running requests to finish at a stop, in milliseconds. */
const stopTimeout = 100;

const mockOptions = {
  port: option('--port <number>', 'port to listen on; 0 picks a free port', wholeNumber(65_535), 4010),
  host: option(
    '--host <address>',
    'address to listen on; 0.0.0.0 listens on all addresses',
    parser(hostAddress),
    '127.0.0.1',
  ),
  siteUrl: option(
    '--site-url <url>',
    'root of the addresses that Digital Links lead to (default: the address of the mock)',
    parser(siteUrl),
  ),
  json: flag('--json', 'print one line of JSON instead of text once the mock listens'),
  logLevel: option(
    '--log-level <level>',
    'lowest level of the log on standard error; info has a line for each request',
    ['debug', 'info', 'warn', 'error', 'silent'],
    'info',
  ),
  ...stopOptions('mock'),
};

export const commands = command({
  name: 'mock',
  about: 'nothing',
  description: 'start a static mock: Prism with the examples of the contract, without a database',
  example: 'mock --port 4010',
  options: mockOptions,
  run: ({ options }) => mock(options),
});

async function mock(options: Given<typeof mockOptions>): Promise<void> {
  const output = new StandardError();
  const log = createLog(options.logLevel, output);
  ignoreSignals(log);
  const siteOf = (listening: Server): string => options.siteUrl ?? localAddress(listening);
  const app = await createMock({ ...options, siteUrl: siteOf, log });
  const stopped = stopReason(options);
  await listen(app, options);
  const site_url = siteOf(app);
  const base_url = `${site_url}/api/v1`;
  if (options.json) await printed(JSON.stringify({ base_url, site_url }));
  else {
    await printed(
      '',
      `Product Passport mock ${version}`,
      '',
      `  API  ${base_url}`,
      '',
      'Try it:',
      '',
      `  curl -H 'Authorization: Bearer any' ${base_url}/me`,
      `  curl -H 'Authorization: Bearer any' -H 'Prefer: code=404' ${base_url}/products/no-such-product`,
      '',
      'Press Ctrl+C to stop.',
      '',
    );
  }
  await stopped;
  await app.stop({ timeout: stopTimeout });
  // An open standard input would keep the process alive after a signal.
  if (options.stopWithStdin) process.stdin.destroy();
  output.finish();
}
