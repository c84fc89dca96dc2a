import * as sdk from '@product-passport/sdk';
import * as bulk from '@product-passport/sdk/bulk';
import * as gs1 from '@product-passport/sdk/gs1';
import * as publicSdk from '@product-passport/sdk/public';
import * as telemetry from '@product-passport/sdk/telemetry';
import * as templates from '@product-passport/sdk/templates';
import * as testing from '@product-passport/sdk/testing';
import * as verify from '@product-passport/sdk/verify';
import { suite } from './suite.mjs';

const all = { ...sdk, ...bulk, ...gs1, ...publicSdk, ...telemetry, ...templates, ...testing, ...verify };

process.stdout.write(JSON.stringify(await suite(all, JSON.parse(process.argv[2]))));
