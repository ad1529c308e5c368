// A plugin of buf: writes one file of calls for each file of messages, e.g. contracts/v1/purchase_calls.ts. The service's own
// descriptor names every message of its package, so a page that imports it carries all of them. These files carry only what the page calls.
import { createEcmaScriptPlugin, runNodeJs } from "@bufbuild/protoplugin";

const plugin = createEcmaScriptPlugin({
  name: "protoc-gen-calls",
  version: "v1",
  generateTs(schema) {
    const files = new Map();
    for (const file of schema.files) {
      for (const service of file.services) {
        for (const method of service.methods) {
          if (method.methodKind !== "unary") continue;
          const name = method.input.file.name;
          if (!files.has(name)) files.set(name, schema.generateFile(`${name}_calls.ts`));
          const f = files.get(name);
          const rpc = f.import("rpc", "../rpc.ts");
          const reads = method.idempotency === 1;
          f.print(
            "export const ",
            method.localName,
            " = /*@__PURE__*/ ",
            rpc,
            `("${service.typeName}", "${method.name}", `,
            f.importSchema(method.input),
            ", ",
            f.importSchema(method.output),
            `, ${reads});`,
          );
        }
      }
    }
  },
});
runNodeJs(plugin);
