// A span for each request of the server, and on PostgreSQL one for each SQL statement. The server needs no change.
// In this repository: npm start -w examples/opentelemetry-server
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { ConsoleSpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

// In production use the exporter of your collector, in a BatchSpanProcessor.
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())] });
provider.register();

registerInstrumentations({
  instrumentations: [
    new HttpInstrumentation({
      disableOutgoingRequestInstrumentation: true,
      // A query may hold an access token or a search, the path of a link a serial number, and visitors stay anonymous.
      requestHook(span, { url = '' }) {
        const path = url.replace(/[?#].*$/s, '').replace(/^\/01\/.*/s, '/01/…');
        span.setAttributes({
          'url.path': path,
          'url.query': '',
          'client.address': '',
          'network.peer.address': '',
          'user_agent.original': '',
        });
      },
      // The log has a line with the same id, which names the operation, the error code and the tenant.
      applyCustomAttributesOnSpan(span, _, response) {
        span.setAttribute('product_passport.request_id', response.getHeader('x-request-id') ?? '');
      },
    }),
    // Statements outside of a request, such as those of the start, get no span.
    new PgInstrumentation({ requireParentSpan: true }),
  ],
});
