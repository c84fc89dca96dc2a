export { openDatabase } from './database/open.ts';
export { type AppOptions, createApp } from './http/app.ts';
