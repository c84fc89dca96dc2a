import { commands as audit } from './audit.ts';
import { commands as backup, restore } from './backup.ts';
import { commands as carrier } from './carrier.ts';
import { commands as checkHashes } from './check-hashes.ts';
import type { Entry } from './command.ts';
import { commands as demo } from './demo.ts';
import { commands as item } from './item.ts';
import { commands as migrate } from './migrate.ts';
import { commands as passport, versionCommands as version } from './passport.ts';
import { commands as product, registryCommands as registry } from './product.ts';
import { commands as scan } from './scan.ts';
import { commands as stats } from './stats.ts';
import { commands as template } from './template.ts';
import { keyCommands as key, commands as tenant } from './tenant.ts';
import { commands as token } from './token.ts';
import { exportCommand, importCommand } from './transfer.ts';

/** The commands that manage data, in the order of the help. */
export const commands: readonly Entry[] = [
  migrate,
  tenant,
  key,
  product,
  item,
  passport,
  registry,
  template,
  token,
  version,
  carrier,
  backup,
  restore,
  checkHashes,
  exportCommand,
  importCommand,
  stats,
  scan,
  audit,
  demo,
];
