import type { Lifecycle, Plugin, RouteOptionsApp, Server } from '@hapi/hapi';
import { ContractError, closest } from '@product-passport/openapi';
import type { Contract, Operation } from '../contract/document.ts';
import { pathOptions, unreadBody } from './routes.ts';

/** Makes the routes of the methods and paths that the contract does not have. */
export const fallbacksPlugin: Plugin<{ contract: Contract }> = {
  name: 'fallbacks',
  register(server, { contract }) {
    const paths = Map.groupBy(contract.operations, ({ path }) => path);
    for (const [path, operations] of paths) {
      const [first] = operations;
      if (first) addOtherMethods(server, path, methodsOf(operations, first.secured), pathOptions(first));
    }
    addUnknownPaths(server, [...paths.keys()]);
  },
};

function methodsOf(operations: Operation[], secured: boolean): string[] {
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return secured ? methods : [...methods, 'OPTIONS'];
}

/** Other methods of a known path give 405 with `Allow`. On the public side OPTIONS succeeds, because browsers send it. */
function addOtherMethods(server: Server, path: string, methods: string[], app: RouteOptionsApp): void {
  const allow = methods.join(', ');
  server.route({
    method: '*',
    path,
    options: { auth: app.isPublic ? false : 'apiKey', app, payload: unreadBody },
    handler(request, h) {
      if (request.method !== 'options' || !app.isPublic)
        throw new ContractError('method_not_allowed', undefined, { allow });
      return h.response().code(204).header('allow', allow).header('access-control-allow-methods', allow);
    },
  });
}

/** A path outside of the contract that everybody may read. */
export function servePublic(
  server: Server,
  path: string,
  handler: Lifecycle.Method,
  { offersHtmlErrors = true }: Pick<RouteOptionsApp, 'offersHtmlErrors'> = {},
): void {
  const app = { isPublic: true, offersHtmlErrors };
  server.route({ method: 'GET', path, options: { auth: false, app }, handler });
  addOtherMethods(server, path, ['GET', 'HEAD', 'OPTIONS'], app);
}

/** Under `/api/v1` an unknown path needs a key before it gives 404. */
function addUnknownPaths(server: Server, paths: readonly string[]): void {
  const route = (
    path: string,
    auth: 'apiKey' | false,
    isPublic: boolean,
    error: (path: string) => ContractError,
  ): void =>
    server.route({
      method: '*',
      path,
      options: { auth, app: { isPublic, offersHtmlErrors: auth === false }, payload: unreadBody },
      handler(request) {
        throw error(request.path);
      },
    });
  const unknown = (path: string) => new ContractError('not_found', unknownPath(path, paths, server));
  const noLink =
    'This is not a GS1 Digital Link path. It begins with /01/ and a GTIN, as in /01/09520001200045. ' +
    'Then /22/, /10/ and /21/ may follow in this order, or /235/ alone.';
  route('/api/v1/{rest*}', 'apiKey', false, unknown);
  route('/01/{rest*}', false, true, () => new ContractError('invalid_request', noLink));
  route('/{rest*}', false, false, unknown);
}

/** The message for a path that nothing has: the closest path of the contract, and never the path itself. */
function unknownPath(path: string, known: readonly string[], server: Server): string {
  const given = path.split('/');
  // A parameter fits anything, so it takes the text of the request.
  const filled = new Map(
    known
      .map((each) => [each, each.split('/')] as const)
      .filter(([, parts]) => parts.length === given.length && parts[1] === given[1])
      .map(([each, parts]) => [parts.map((part, at) => (part.startsWith('{') ? given[at] : part)).join('/'), each]),
  );
  const meant = filled.get(closest(path, [...filled.keys()]) ?? '');
  // The mock has no pages.
  const hasPages = server.match('get', '/docs')?.path === '/docs';
  const hints = [
    ...(meant ? [`Did you mean ${meant}?`] : []),
    ...(hasPages ? ['/docs lists the paths of the API.'] : []),
  ];
  return ['This path does not exist.', ...hints].join(' ');
}
