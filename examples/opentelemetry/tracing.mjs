// Options of `createClient` that make an OpenTelemetry span of each attempt, and pass the trace on to the service.
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('product-passport');

/** @type {Pick<import('@product-passport/sdk').ClientOptions, 'onAttemptStart' | 'fetch'>} */
export const tracing = {
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
