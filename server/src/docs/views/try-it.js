/* global SwaggerUIBundle */
const response = await fetch('/openapi.json');
const spec = await response.json();
// The contract leaves the address open. This page sends requests to its own server.
spec.servers = [{ url: location.origin }];
SwaggerUIBundle({
  spec,
  dom_id: '#try-it',
  deepLinking: false,
  defaultModelsExpandDepth: -1,
  persistAuthorization: false,
  validatorUrl: null,
  tryItOutEnabled: true,
});
