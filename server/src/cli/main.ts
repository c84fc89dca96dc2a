#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// From the second start on this saves a third of the start time. It covers only modules that are imported after it.
enableCompileCache();
const { run } = await import('./run.ts');
await run();
