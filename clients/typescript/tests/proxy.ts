// A TCP proxy in front of a server, which loses answers and connections on demand.
import { createServer, connect as dial, type AddressInfo, type Server, type Socket } from "node:net";
import { once } from "node:events";

export class Proxy {
  /** How many of the next answers are lost, with their connections, after the server has done its work. */
  answersToLose = 0;
  private readonly sockets = new Set<Socket>();
  private server: Server;
  private port = 0;

  private constructor(private readonly target: URL) {
    this.server = this.listener();
  }

  static async before(url: string): Promise<Proxy> {
    const proxy = new Proxy(new URL(url));
    await proxy.up();
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Listens, on the same port as before. */
  async up(): Promise<void> {
    this.server = this.listener();
    this.server.listen(this.port, "127.0.0.1");
    await once(this.server, "listening");
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Refuses connections and cuts those that are open. */
  async down(): Promise<void> {
    const closed = once(this.server, "close");
    this.server.close();
    for (const socket of this.sockets) {
      socket.destroy();
    }
    await closed;
  }

  private listener(): Server {
    return createServer((client) => {
      const upstream = dial(Number(this.target.port), "127.0.0.1");
      const cut = () => {
        client.destroy();
        upstream.destroy();
      };
      for (const socket of [client, upstream]) {
        this.sockets.add(socket);
        // A cut connection is what these tests are about.
        socket.on("error", cut);
        socket.on("close", () => {
          this.sockets.delete(socket);
          cut();
        });
      }
      client.on("data", (data) => upstream.write(data));
      upstream.on("data", (data) => {
        if (this.answersToLose > 0) {
          this.answersToLose -= 1;
          cut();
        } else {
          client.write(data);
        }
      });
    });
  }
}
