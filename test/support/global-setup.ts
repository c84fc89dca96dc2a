import { offerShared, recordStatements } from './run-server.ts';

export default async function begin(): Promise<void> {
  await recordStatements();
  await offerShared();
}
