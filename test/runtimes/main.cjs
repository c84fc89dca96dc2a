const sdk = require('@product-passport/sdk');
const publicSdk = require('@product-passport/sdk/public');

import('./suite.mjs').then(async ({ suite }) => {
  process.stdout.write(JSON.stringify(await suite(sdk, publicSdk, JSON.parse(process.argv[2]))));
});
