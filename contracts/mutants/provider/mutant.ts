/** Providers with one mistake that real teams make, and unusual ones. They wrap the second implementation of the API. */
import type { Mode } from '../../../sdk/src/testing/service/behaviour.ts';
import type { FakeService } from '../../../sdk/src/testing/service/index.ts';
import type { Claim } from '../../conformance/claims.ts';

/** The provider without the mistake. */
export type Service = Pick<FakeService, 'fetch' | 'provider'>;

export type Handler = (request: Request) => Promise<Response>;

export interface Mutant {
  /** Lower case with hyphens. */
  readonly id: string;
  /** What the provider does wrong, in one sentence. */
  readonly mistake: string;
  /** What the suite is asked to check. Default: core, public and digital-link. */
  readonly claims?: readonly Claim[];
  /** The id of the case that must fail. Other cases may fail too. */
  readonly killedBy: string;
  /** Text in the reason of that failure, so that the case does not fail for another reason. */
  readonly because: string;
  /** Beginnings of case ids. Other cases do not run, because they would wait for a long time. */
  readonly only?: readonly string[];
  /** The provider to wrap. Default: the second implementation. `reference` needs `only`, because its suite takes longer. */
  readonly of?: 'reference';
  readonly wrap: (service: Service) => Handler;
}

/** A provider that keeps the description, and does what it leaves free in an unusual way. */
export interface Unusual {
  /** Lower case with hyphens. */
  readonly id: string;
  /** What the provider does, in one sentence. */
  readonly freedom: string;
  /** The choices of the provider that is wrapped. Default: those of the reference server. */
  readonly behaviour?: Mode;
  readonly wrap: (service: Service) => Handler;
}
