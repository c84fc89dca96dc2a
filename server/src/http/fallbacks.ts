import type { Plugin, RouteOptionsApp, Server } from '@hapi/hapi';
import { ContractError } from '@product-passport/openapi';
import type { Contract, Operation } from '../contract/document.ts';
import { pathOptions, unreadBody } from './route-options.ts';

/** Makes the routes of the methods and paths that the contract does not have. */
export const fallbacksPlugin: Plugin<{ contract: Contract }> = {
  name: 'fallbacks',
  dependencies: ['authentication'],
  register(server, { contract }) {
    const paths = Map.groupBy(contract.operations, ({ path }) => path);
    for (const [path, operations] of paths) {
      const [first] = operations;
      if (first) addOtherMethods(server, path, methodsOf(operations, first.secured), pathOptions(first));
    }
    addUnknownPaths(server);
  },
};

function methodsOf(operations: Operation[], secured: boolean): string[] {
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return secured ? methods : [...methods, 'OPTIONS'];
}

/** Other methods of a known path give 405 with `Allow`. On the public side OPTIONS succeeds, because browsers send it. */
export function addOtherMethods(server: Server, path: string, methods: string[], app: RouteOptionsApp): void {
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

/** Under `/api/v1` an unknown path needs a key before it gives 404. */
function addUnknownPaths(server: Server): void {
  const route = (path: string, auth: 'apiKey' | false, isPublic: boolean, error: () => ContractError): void =>
    server.route({
      method: '*',
      path,
      options: { auth, app: { isPublic, offersHtmlErrors: auth === false }, payload: unreadBody },
      handler() {
        throw error();
      },
    });
  route('/api/v1/{rest*}', 'apiKey', false, () => new ContractError('not_found'));
  route('/01/{rest*}', false, true, () => new ContractError('invalid_request', 'This is not a GS1 Digital Link path.'));
  route('/{rest*}', false, false, () => new ContractError('not_found'));
}
