import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** How a hub answers a request for a file. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole file; a range of it is sent when one is asked for. */
  readonly file?: Buffer;
  /** Whether ranges are given; they are unless this is false. */
  readonly ranges?: boolean;
  /** Whether the length is told; it is unless this is false. */
  readonly length?: boolean;
  /** Destroys the connection after so many bytes of the body. */
  readonly cutAfter?: number;
  /** Sends nothing more after so many bytes of the body. */
  readonly stallAfter?: number;
  /** Pause between pieces of 16 KiB, in milliseconds. */
  readonly pause?: number;
  /** Never answers at all. */
  readonly silent?: boolean;
}

/** What a hub was asked for. */
interface HubRequest {
  readonly path: string;
  readonly range: string | undefined;
  readonly authorization: string | undefined;
}

export interface Hub {
  readonly endpoint: string;
  readonly requests: HubRequest[];
  readonly close: () => Promise<void>;
}

/** A server on the loopback interface that answers as a model hub would; `answer` says how. */
export async function startHub(
  answer: (path: string, count: number) => Answer | Promise<Answer>,
): Promise<Hub> {
  const requests: HubRequest[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    const { range, authorization } = request.headers;
    requests.push({ path, range, authorization });
    const count = requests.filter((earlier) => earlier.path === path).length;
    response.on("error", () => undefined);
    // A connection kept open could reach the hub of another test on the same port.
    response.setHeader("connection", "close");
    Promise.resolve(answer(path, count))
      .then((given) => send(given, request, response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A port of the loopback interface on which nobody listens. */
export async function findClosedEndpoint(): Promise<string> {
  const hub = await startHub(() => ({ status: 404 }));
  await hub.close();
  return hub.endpoint;
}

async function send(
  answer: Answer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (answer.silent === true) return;
  const { file } = answer;
  if (file === undefined) {
    response.writeHead(answer.status ?? 404, answer.headers).end();
    return;
  }
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? "0");
  const isRange = answer.ranges !== false && request.headers.range !== undefined;
  if (isRange && from >= file.length) {
    response.writeHead(416, { "content-range": `bytes */${file.length}` }).end();
    return;
  }
  const body = isRange ? file.subarray(from) : file;
  response.writeHead(isRange ? 206 : 200, {
    ...answer.headers,
    ...(answer.length === false ? {} : { "content-length": String(body.length) }),
    ...(isRange
      ? { "content-range": `bytes ${from}-${file.length - 1}/${file.length}` }
      : { "accept-ranges": "bytes" }),
  });
  response.flushHeaders();
  const end = Math.min(answer.cutAfter ?? body.length, answer.stallAfter ?? body.length);
  const piece = answer.pause === undefined ? 1 << 18 : 1 << 14;
  for (let at = 0; at < end; at += piece) {
    const chunk = body.subarray(at, Math.min(at + piece, end));
    await new Promise<void>((resolve) => response.write(chunk, () => resolve()));
    if (response.destroyed) return;
    if (answer.pause !== undefined) await delay(answer.pause);
  }
  if (answer.stallAfter !== undefined) return;
  if (answer.cutAfter !== undefined) {
    await delay(30);
    response.destroy();
    return;
  }
  response.end();
}
