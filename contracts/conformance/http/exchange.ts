/** One request as it is sent, and its response. */
export interface WireRequest {
  readonly method: string;
  /** With its query, as in the contract: `/api/v1/products?limit=1`. It is sent unchanged. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** True if a recording lacks the body, or a part of it. */
  readonly isBodyOmitted?: boolean;
}

export interface WireResponse {
  readonly status: number;
  /** Names in lower case. Several values of one name are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded body. Empty if it is `unreadable`. */
  readonly text: string;
  /** False if the bytes of the body are not UTF-8. The text then has U+FFFD in their place. */
  readonly isUtf8?: boolean;
  /** True if a recording lacks the body, or a part of it. */
  readonly isBodyOmitted?: boolean;
  /** Why the body is not judged, as the end of a sentence about it: `has more than 100 levels`. */
  readonly unreadable?: string;
}

/**
 * Why the suite sends a request. The suite's own requests are judged too: a `valid` request that breaks the contract is
 * a mistake of the suite.
 */
export type Purpose = 'valid' | 'faulty';

export interface Exchange {
  readonly caseId: string;
  readonly purpose: Purpose;
  /** Where the request went, if not to the provider's own addresses. */
  readonly origin?: string;
  readonly request: WireRequest;
  /** Absent if the provider did not respond. */
  readonly response?: WireResponse;
  /** Why the provider did not respond. */
  readonly failure?: string;
  /** RFC 3339. */
  readonly sentAt: string;
  readonly milliseconds: number;
}

interface Body {
  readonly text: string;
  readonly isUtf8: boolean;
  /** `undefined` if the text is not JSON. It then counts as missing, which gets the same error code. */
  readonly json: unknown;
}

export function bodyOf({ body = new Uint8Array() }: Pick<WireRequest, 'body'>): Body {
  const bytes = Buffer.from(body);
  const text = bytes.toString('utf8');
  return { text, isUtf8: Buffer.from(text).equals(bytes), json: jsonIn(text) };
}

/** The parsed text, or `undefined` if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
