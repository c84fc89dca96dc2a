import * as sdk from '@product-passport/sdk';
import * as publicSdk from '@product-passport/sdk/public';
import { suite } from './suite.mjs';

globalThis.runSuite = (target) => suite(sdk, publicSdk, { ...target, browser: true });
