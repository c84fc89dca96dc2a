/** Reads the contract and every file of the package. Prints what it read as JSON. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { readContract } from '@product-passport/openapi';
import openapi from '@product-passport/openapi/openapi.json' with { type: 'json' };
import manifest from '@product-passport/openapi/package.json' with { type: 'json' };
import pact from '@product-passport/openapi/pact.json' with { type: 'json' };
import schema from '@product-passport/openapi/schemas/passport-document.schema.json' with { type: 'json' };

const yaml = readFileSync(fileURLToPath(import.meta.resolve('@product-passport/openapi/openapi.yaml')), 'utf8');
const closed = await import('@product-passport/openapi/esm/src/node.js').catch((error) => error.code);
const { operations } = readContract();
process.stdout.write(
  JSON.stringify({
    operations: operations.map(({ operationId }) => operationId),
    first: operations[0],
    files: {
      'openapi.yaml': yaml.split('\n')[0],
      'openapi.json': openapi.openapi,
      'pact.json': pact.consumer.name,
      'schemas/passport-document.schema.json': schema.$schema,
      'package.json': manifest.name,
    },
    closed,
    required: typeof createRequire(import.meta.url)('@product-passport/openapi').readContract,
  }),
);
