import { writeFileSync } from 'node:fs';
import { makeInventory } from './inventory.ts';

writeFileSync(new URL('../inventory.csv', import.meta.url), makeInventory());
