/**
 * `node tools/robots.ts` writes the names of robots from the list crawler-user-agents, `--check` fails if the file is stale.
 * Raise the version for newer names.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { robotWords } from '../openapi/src/rules/view.ts';
import { installed } from '../test/support/packages.ts';
import { optionsOf } from './options.ts';

const library = 'crawler-user-agents@1.60.0';
const file = new URL('../openapi/src/generated/robots.ts', import.meta.url);

interface Robot {
  /** A regular expression. */
  pattern: string;
  tags?: readonly string[];
}

/** Their requests count: somebody's program that does not say that it is a robot. */
const notRobots = ['http-library', 'browser-automation'];

/** Of the list's names, some are also names of apps, of which these are the rest of a `User-Agent`. */
const apps = [
  'AppleWebKit/537.36 Version/4.0 Chrome/89.0 Mobile Safari/537.36 SogouSearch Android1.0 version3.0 AppVersion/7966',
  'AppleWebKit/534.30 Version/4.0 Mobile Safari/534.30 SogouMSE,SogouMobileBrowser/3.8.5',
  'AppleWebKit/537.36 Version/4.0 Chrome/95.0 Mobile Safari/537.36 Blackboard/unspecified',
  'AppleWebKit/537.36 Version/4.0 Chrome/142.0 Mobile Safari/537.36 MetaIAB Facebook',
  'AppleWebKit/537.36 Version/4.0 Chrome/66.0 Safari/537.36 Viber/11.9.5.8',
  'AppleWebKit/537.36 WhatsAppElectron/1.0.3 Chrome/108.0 Electron/22.3.27 Safari/537.36',
  'AppleWebKit/537.36 Slack/4.4.2 Chrome/78.0 Electron/7.2.1 Safari/537.36 Sonic Slack_SSB/4.4.2',
  'AppleWebKit/537.36 coccocbrowser/47.0 Chrome/41.0 Safari/537.36',
  'AppleWebKit/605.1.15 FxiOS/113.1 Mobile/15E148 Safari/605.1.15 Freespoke/2.0.0',
];

/** Robots that the list lacks. */
const others = ['Bluesky Cardyb', 'GoogleHC\\/'];

/** The names that no word of a robot is part of. That of an app is the name of a robot only at the start. */
function robotsModule(robots: readonly Robot[], licence: string): string {
  const names = robots
    .filter(({ pattern, tags = [] }) => !notRobots.some((tag) => tags.includes(tag)) && !robotWords.test(pattern))
    .map(({ pattern }) => (apps.some((app) => new RegExp(pattern).test(app)) ? `^${pattern}` : pattern));
  return `/*
Made by \`node tools/robots.ts\` from ${library}. Do not edit.

${licence.trim()}
*/
export const robotNames = ${JSON.stringify([...names, ...others], undefined, 2)};
`;
}

const { check } = optionsOf('node tools/robots.ts [--check]\n', {
  options: { check: { type: 'boolean', default: false } },
}).values;
const folder = await installed([library]);
const read = (name: string) => readFile(join(folder, 'node_modules/crawler-user-agents', name), 'utf8');
const text = robotsModule(JSON.parse(await read('crawler-user-agents.json')), await read('LICENSE'));
if (!check) await writeFile(file, text);
else if ((await readFile(file, 'utf8')) !== text) {
  process.stderr.write(`${fileURLToPath(file)} is stale: run \`node tools/robots.ts\` and commit the result.\n`);
  process.exitCode = 1;
}
