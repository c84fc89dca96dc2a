/** Which requests of the passport page are views by people. Pure: the server and the SDK's fake service share it. */
import { robotNames } from '../generated/robots.ts';

/** Headers with which browsers mark a prefetch. */
const purposeHeaders = ['sec-purpose', 'purpose', 'x-moz'];

/** Words in the names of robots. CUBOT makes phones. */
export const robotWords =
  /(?<!cu)bots?(?![a-z])|crawl|spider|preview|monitor|health[- ]?check|probe|ping(?:er|dom)|synthetic|uptime/i;

/** A name begins with a word: `Sonic` is not in `ViewSonic`. */
const names = /* @__PURE__ */ new RegExp(`(?<![A-Za-z0-9])(?:${robotNames.join('|')})`);

/** What Android writes between its version and the end is the model of a phone, such as `M bot 54` or `Fever`. */
const model = /Android[^;)]*;(?: ?[a-z]{2}[-_][a-z]{2};)?[^;)]*/i;

/** Characters of a `User-Agent` that are read. Those of browsers in apps have up to 600. */
const maxAgentLength = 1000;

/**
 * Whether a request of the passport page with a 200 response is a view: not HEAD, a prefetch, a part of the page, or the
 * request of a robot that names itself.
 *
 * @param header the value of a header, or an empty text
 */
export function isView(method: string, header: (name: string) => string): boolean {
  return (
    method.toUpperCase() === 'GET' && header('range') === '' && !isPrefetch(header) && !isRobot(header('user-agent'))
  );
}

function isPrefetch(header: (name: string) => string): boolean {
  return purposeHeaders.some((name) =>
    header(name)
      .split(/[,;]/)
      .some((element) => element.trim().toLowerCase() === 'prefetch'),
  );
}

function isRobot(userAgent: string): boolean {
  const text = userAgent.slice(0, maxAgentLength).replace(model, '');
  return robotWords.test(text) || names.test(text);
}
