/** A body as the bytes to send. It is encoded once and sent many times. */
export class Encoded<Body> {
  readonly bytes: Buffer;
  /** The type of the body. It has no value. */
  declare readonly body: Body;

  private constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** A text as it is, anything else as JSON. */
  static of<Body>(body: Body): Encoded<Body> {
    return new Encoded<Body>(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
  }

  /** The body of a JSON text. */
  parsed(): Body {
    return JSON.parse(this.bytes.toString());
  }

  static ofBytes(bytes: Buffer): Encoded<Buffer> {
    return new Encoded<Buffer>(bytes);
  }

  /** JSON text in parts. */
  static ofJson<Body extends object>(...parts: (string | Uint8Array)[]): Encoded<Body> {
    return new Encoded<Body>(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))));
  }
}
