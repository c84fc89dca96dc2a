import * as sdk from '@product-passport/sdk';
import * as publicSdk from '@product-passport/sdk/public';
import { suite } from './suite.mjs';

process.stdout.write(JSON.stringify(await suite(sdk, publicSdk, JSON.parse(process.argv[2]))));
