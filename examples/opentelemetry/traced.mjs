// Creates two products if they do not exist, and prints a span for each attempt and one for the whole.
// In this repository: npm start -w examples/opentelemetry
import { trace } from '@opentelemetry/api';
import { ConsoleSpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { createClient } from '@product-passport/sdk';
import { logAttempts } from '@product-passport/sdk/telemetry';
import { tracing } from './tracing.mjs';

// In production use the exporter of your collector, in a BatchSpanProcessor.
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())] });
provider.register();

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
