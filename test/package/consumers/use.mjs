import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ApiError, createClient, isApiError, isPassportError } from '@product-passport/sdk';
import { createPublicClient } from '@product-passport/sdk/public';
import { apiError, createFakeClient } from '@product-passport/sdk/testing';

const require = createRequire(import.meta.url);
const copy = require('@product-passport/sdk');
const contract = '@product-passport/sdk/openapi.yaml';
const failed = await createFakeClient({ getMe: apiError('invalid_api_key') })
  .me.get()
  .catch((error) => error);
const strange = await require('@product-passport/sdk/testing')
  .createFakeClient({ getMe: apiError('invalid_api_key') })
  .me.get()
  .catch((error) => error);

process.stdout.write(
  JSON.stringify({
    functions: [createClient, createPublicClient].map((value) => typeof value),
    own: failed instanceof ApiError && isApiError(failed) && failed.code === 'invalid_api_key',
    // The CommonJS copy has its own classes, but its guards accept this error.
    twoCopies: copy.ApiError !== ApiError && !(failed instanceof copy.ApiError),
    known: copy.isApiError(failed) && copy.isPassportError(failed),
    knownBack: isPassportError(strange) && !(strange instanceof ApiError),
    contracts: [fileURLToPath(import.meta.resolve(contract)), require.resolve(contract)].map(
      (file) => readFileSync(file, 'utf8').split('\n')[0],
    ),
    closed: await import('@product-passport/sdk/esm/errors.js').catch(({ code }) => code),
  }),
);
