/** A body in the bytes in which it is sent, so that it is made once and sent often. */
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

  /** JSON that is made already. */
  static ofJson<Body extends object>(text: string): Encoded<Body> {
    return new Encoded<Body>(Buffer.from(text));
  }
}
