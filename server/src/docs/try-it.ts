/** The page from which the reader sends requests: Swagger UI, served from this origin. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Server } from '@hapi/hapi';
import { addOtherMethods } from '../http/fallbacks.ts';
import { StaticContent } from '../http/static.ts';
import { type Asset, assetOf, serveAsset } from '../site/rendering.ts';

export const tryItPath = '/docs/try';

/** The version that the server is tested with, as in its package.json. */
const version = '5.35.0';

/** Swagger UI is not installed. The message says what to do. */
export class MissingSwaggerUi extends Error {
  override readonly name = 'MissingSwaggerUi';
}

interface SwaggerUi {
  script: Asset;
  style: Asset;
}

/** @throws MissingSwaggerUi */
export function loadSwaggerUi(): SwaggerUi {
  const { resolve } = createRequire(import.meta.url);
  const read = (file: string): Asset => assetOf(file, readFileSync(resolve(`swagger-ui-dist/${file}`)));
  try {
    return { script: read('swagger-ui-bundle.js'), style: read('swagger-ui.css') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new MissingSwaggerUi(
      `the page ${tryItPath} needs Swagger UI, which is not installed. Install it: npm install swagger-ui-dist@${version}`,
    );
  }
}

const own = (name: string): Asset => assetOf(name, readFileSync(new URL(`./views/${name}`, import.meta.url)));

/** The script that starts Swagger UI. It sends requests only to this server, and asks no validator about the contract. */
const start = own('try-it.js');
const colours = own('try-it.css');

/** Scripts come from this origin alone, and reach no other host. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': contentSecurityPolicy,
  'content-language': 'en',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

export function addTryIt(server: Server, { script, style }: SwaggerUi): void {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try the API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style.path}">
<link rel="stylesheet" href="${colours.path}">
<script src="${script.path}" defer></script>
<script src="${start.path}" type="module"></script>
</head>
<body>
<header>
<h1>Try the API</h1>
<p>Requests from this page change the data of the key’s tenant. The key stays in the memory of the page.
<a href="/docs">The reference</a> explains each operation, and needs no script.</p>
<h2>Operations</h2>
</header>
<div id="try-it"></div>
</body>
</html>
`;
  const page = new StaticContent('text/html', html);
  for (const asset of [script, style, start, colours]) serveAsset(server, asset);
  server.route({
    method: 'GET',
    path: tryItPath,
    options: { app: { isPublic: true } },
    handler: (request, h) => page.respond(request, h, headers),
  });
  addOtherMethods(server, tryItPath, ['GET', 'HEAD', 'OPTIONS'], { isPublic: true });
}
