export { offerShared as default } from './run-server.ts';
