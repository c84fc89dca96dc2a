import type { Command } from 'commander';
import { bareProgram } from './bare-program.ts';
import { addExamples } from './examples.ts';
import { addServeCommand } from './serve.ts';
import { version } from './version.ts';

/** The command line with the command `serve` alone, without the modules of the others: it takes a sixth less processor time to start. */
export function createProgram(): Command {
  const program = bareProgram();
  addServeCommand(program, version);
  addExamples(program);
  return program;
}
