export { endShared as default } from './run-server.ts';
