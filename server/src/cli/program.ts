import type { Command } from 'commander';
import { addAuditCommand } from './audit.ts';
import { addBackupCommand } from './backup.ts';
import { addCarrierCommands } from './carrier.ts';
import { addCheckHashesCommand } from './check-hashes.ts';
import { addConfigCommand } from './config.ts';
import { addDemoCommands } from './demo.ts';
import { addExamples } from './examples.ts';
import { addExportCommand } from './export.ts';
import { addImportCommand } from './import.ts';
import { addKeyCommands } from './key.ts';
import { addMigrateCommand } from './migrate.ts';
import { addMockCommand } from './mock.ts';
import { addProductCommands } from './product.ts';
import { addRegistryCommands } from './registry.ts';
import { addRestoreCommand } from './restore.ts';
import { programWithServe } from './serve-program.ts';
import { addStatsCommand } from './stats.ts';
import { addTemplateCommands } from './template.ts';
import { addTenantCommands } from './tenant.ts';
import { addTokenCommands } from './token.ts';
import { addVersionCommands } from './withhold.ts';

/** The command line `product-passport`. */
export function createProgram(): Command {
  const program = programWithServe();
  addConfigCommand(program);
  addMockCommand(program);
  addMigrateCommand(program);
  addTenantCommands(program);
  addKeyCommands(program);
  addProductCommands(program);
  addRegistryCommands(program);
  addTemplateCommands(program);
  addTokenCommands(program);
  addVersionCommands(program);
  addCarrierCommands(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addCheckHashesCommand(program);
  addExportCommand(program);
  addImportCommand(program);
  addStatsCommand(program);
  addAuditCommand(program);
  addDemoCommands(program);
  addExamples(program);
  return program;
}
