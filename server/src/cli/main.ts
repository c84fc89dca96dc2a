#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// From the second start on, a third of the time is saved. It holds for what is imported after it.
enableCompileCache();
const { run } = await import('./run.ts');
await run();
