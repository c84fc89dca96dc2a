// Creates two products if they do not exist, and prints a span for each attempt and one for the whole.
// In this repository: npm start -w examples/opentelemetry
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { ConsoleSpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { createClient } from '@product-passport/sdk';
import { logAttempts } from '@product-passport/sdk/telemetry';

// In production use the exporter of your collector, in a BatchSpanProcessor.
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())] });
provider.register();

const tracer = trace.getTracer('product-passport');

/**
 * Options of `createClient` that make a span of each attempt, and pass the trace on to the service.
 *
 * @type {Pick<import('@product-passport/sdk').ClientOptions, 'onAttemptStart' | 'fetch'>}
 */
const tracing = {
  // The span that is active in your program when it calls the SDK becomes the parent.
  onAttemptStart: ({ operation, method, host, path, attempts }) => {
    const { hostname } = new URL(`http://${host}`);
    const attributes = { 'http.request.method': method, 'server.address': hostname, 'url.path': path };
    const span = tracer.startSpan(operation, { kind: SpanKind.CLIENT, attributes });
    if (attempts > 1) span.setAttribute('http.request.resend_count', attempts - 1);

    return ({ outcome, status, requestId, pauseMs }) => {
      if (status !== undefined) span.setAttribute('http.response.status_code', status);
      if (requestId !== undefined) span.setAttribute('product_passport.request_id', requestId);
      if (pauseMs !== undefined) span.addEvent('retry', { pause_ms: Math.round(pauseMs) });
      if (outcome !== 'ok') {
        span.setAttribute('error.type', outcome);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    };
  },
  // The service receives the trace in the header `traceparent`.
  fetch: (url, init) => {
    const headers = { ...init.headers };
    propagation.inject(context.active(), headers);
    return fetch(url, { ...init, headers });
  },
};

const client = createClient({
  baseUrl: process.env.PRODUCT_PASSPORT_URL ?? '', // with /api/v1
  apiKey: process.env.PRODUCT_PASSPORT_KEY ?? '',
  onAttempt: logAttempts(), // prints a wait of more than two seconds
  ...tracing,
});

await trace.getTracer('inventory').startActiveSpan('sync', async (span) => {
  for (const colour of ['red', 'blue']) {
    await client.products.ensure({ slug: `wool-hat-${colour}`, name: `Wool Hat ${colour}` });
  }
  span.end();
});
await provider.shutdown();
