import * as sdk from '@product-passport/sdk';
import * as publicSdk from '@product-passport/sdk/public';
import { suite } from './suite.mjs';

export default {
  async fetch(request) {
    return Response.json(await suite(sdk, publicSdk, await request.json()));
  },
};
