import * as sdk from '@product-passport/sdk';
import * as gs1 from '@product-passport/sdk/gs1';
import * as publicSdk from '@product-passport/sdk/public';
import * as testing from '@product-passport/sdk/testing';
import * as verify from '@product-passport/sdk/verify';
import { suite } from './suite.mjs';

globalThis.runSuite = (target) =>
  suite({ ...sdk, ...gs1, ...publicSdk, ...testing, ...verify }, { ...target, browser: true });
