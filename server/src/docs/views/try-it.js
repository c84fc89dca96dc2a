/* global SwaggerUIBundle */
// Swagger UI has dark colours, and leaves the choice to the page.
const dark = matchMedia('(prefers-color-scheme: dark)');
const choose = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
choose();
dark.addEventListener('change', choose);

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
  // Every theme has colours with too little contrast.
  syntaxHighlight: false,
});
