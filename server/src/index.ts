export { type AppOptions, createApp } from './app.ts';
export { openDatabase } from './database/open.ts';
