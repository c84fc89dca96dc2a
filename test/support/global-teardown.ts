export { endDatabases as default } from './run-postgres.ts';
