import * as sdk from './all.mjs';
import { suite } from './suite.mjs';

globalThis.runSuite = (target) => suite(sdk, { ...target, browser: true });
