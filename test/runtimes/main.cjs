const sdk = {
  ...require('@product-passport/sdk'),
  ...require('@product-passport/sdk/bulk'),
  ...require('@product-passport/sdk/templates'),
  ...require('@product-passport/sdk/gs1'),
  ...require('@product-passport/sdk/public'),
  ...require('@product-passport/sdk/telemetry'),
  ...require('@product-passport/sdk/testing'),
  ...require('@product-passport/sdk/verify'),
};

import('./suite.mjs').then(async ({ suite }) => {
  process.stdout.write(JSON.stringify(await suite(sdk, JSON.parse(process.argv[2]))));
});
