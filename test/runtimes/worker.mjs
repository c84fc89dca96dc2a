import * as sdk from './all.mjs';
import { suite } from './suite.mjs';

export default {
  async fetch(request) {
    return Response.json(await suite(sdk, await request.json()));
  },
};
