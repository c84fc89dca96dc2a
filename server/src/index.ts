export { openDatabase } from './database/connection.ts';
export { type AppOptions, createApp } from './http/app.ts';
