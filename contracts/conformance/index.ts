/** The suite for programs. The command line is in `cli`. */
export type { Claim, Need } from './claims.ts';
export type { Exchange } from './http/exchange.ts';
export type { Provider } from './provider.ts';
export type { Result, Run, Source, Status, Verdict } from './result.ts';
export { UsageError } from './result.ts';
export { defaultClaims, type VerifyOptions, verify } from './verify.ts';
