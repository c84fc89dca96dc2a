/** `npm run pact:provider`: serves the reference server with the state endpoint, for a Pact verifier in another process. */
import { startTestServer } from './test-server.ts';

const { url: site_url, statesUrl: state_url } = await startTestServer();
process.stdout.write(`${JSON.stringify({ site_url, state_url })}\n`);
