/** A self-signed certificate, as a test server of a company often has. */
import { generateKeyPairSync, sign } from 'node:crypto';

interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** X.509, version 1, with a P-256 key. It is valid until 2049. */
export function selfSigned(host = '127.0.0.1'): Identity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(host)))));
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));
  const subjectKey = publicKey.export({ format: 'der', type: 'spki' });
  const content = sequence(der(0x02, Buffer.from([1])), algorithm, name, validity, name, subjectKey);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const certificate = sequence(content, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** 2.5.4.3 */
const commonName = Buffer.from('0603550403', 'hex');
/** ecdsa-with-SHA256 */
const algorithm = Buffer.from('300a06082a8648ce3d040302', 'hex');

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

/** One element: its tag, its length, and its content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
