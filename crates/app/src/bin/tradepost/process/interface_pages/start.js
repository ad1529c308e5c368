"use strict";

SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#viewer",
  deepLinking: true,
  docExpansion: "none",
  // All the schemas at once take seconds to draw; each operation shows its own.
  defaultModelsExpandDepth: -1,
  filter: true,
  // The badge of an online validator would send the address of the description to another host.
  validatorUrl: null,
});
