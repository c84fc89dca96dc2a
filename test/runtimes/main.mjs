import * as sdk from './all.mjs';
import { suite } from './suite.mjs';

process.stdout.write(JSON.stringify(await suite(sdk, JSON.parse(process.argv[2]))));
