import { endShared } from './global-setup.ts';
import { checkStatements } from './tenant-statements.ts';

export default async function end(): Promise<void> {
  try {
    await checkStatements(process.env.STATEMENTS ?? '');
  } finally {
    await endShared();
  }
}
