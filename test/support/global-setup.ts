export { offerDatabases as default } from './run-postgres.ts';
