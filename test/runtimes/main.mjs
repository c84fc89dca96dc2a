/** Runs the suite with the ES modules: as a program, as a worker, and as the function of a page. */
import * as main from '@product-passport/sdk';
import * as bulk from '@product-passport/sdk/bulk';
import * as gs1 from '@product-passport/sdk/gs1';
import * as site from '@product-passport/sdk/public';
import * as telemetry from '@product-passport/sdk/telemetry';
import * as templates from '@product-passport/sdk/templates';
import * as testing from '@product-passport/sdk/testing';
import * as verify from '@product-passport/sdk/verify';
import { suite } from './suite.mjs';

const sdk = { ...main, ...bulk, ...gs1, ...site, ...telemetry, ...templates, ...testing, ...verify };

const worker = { fetch: async (request) => Response.json(await suite(sdk, await request.json())) };
export default globalThis.Bun ? undefined : worker; // Bun would serve it

globalThis.runSuite = (target) => suite(sdk, { ...target, browser: true });

const [, , target] = globalThis.process?.argv ?? [];
if (target) process.stdout.write(JSON.stringify(await suite(sdk, JSON.parse(target))));
