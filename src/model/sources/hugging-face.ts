import { join } from "node:path";
import { IncipitError } from "../../text/index.ts";
import type { SourceAddress } from "../catalogue.ts";
import { sourceFailure, throwIfAborted, toErrno } from "../failure.ts";
import type { Environment, FetchedFile, SourceJob } from "./job.ts";
import { type OpenedFile, type OpenFile, transferFile } from "./transfer.ts";

type HuggingFaceAddress = Extract<SourceAddress, { readonly kind: "hugging-face" }>;

const mostRedirects = 10;

/**
 * Fetches a file of a Hugging Face repository over HTTP. `HF_ENDPOINT` names another server that
 * speaks the same way; `HF_TOKEN` is sent to that server only. The digest that the server keeps of
 * a large file (`x-linked-etag`, its Git LFS object id) is the file's claimed digest.
 * https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables
 */
export async function fetchFromHuggingFace(
  address: HuggingFaceAddress,
  label: string,
  job: SourceJob,
): Promise<FetchedFile> {
  const path = toTransferPath(job.staging);
  const url = toHuggingFaceUrl(address, job.environment);
  const openFile: OpenFile = async (from) => {
    const opened = await openUrl(url, from, address, job);
    const { claimedDigest } = opened;
    if (job.digest !== null && claimedDigest !== null && claimedDigest !== job.digest) {
      opened.cancel();
      throw sourceFailure(
        "model_source_wrong_file",
        `it offers a file with another digest, ${claimedDigest}`,
      );
    }
    return opened;
  };
  return { path, ...(await transferFile(openFile, path, label, job)) };
}

/** Where the bytes of a transfer are kept until the file is whole. */
export function toTransferPath(staging: string): string {
  return join(staging, "hugging-face.part");
}

/** The web address of a file in a repository. Throws `model_bad_endpoint`. */
export function toHuggingFaceUrl(address: HuggingFaceAddress, environment: Environment): URL {
  const { repository, file, revision } = address;
  const endpoint = environment.HF_ENDPOINT?.trim() || "https://huggingface.co";
  const tail = [...repository.split("/"), "resolve", revision, ...file.split("/")]
    .map(encodeURIComponent)
    .join("/");
  const url = toUrl(`${endpoint.replace(/\/+$/, "")}/${tail}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new IncipitError(
      "model_bad_endpoint",
      `HF_ENDPOINT is "${endpoint}", which is not a web address.`,
      { hint: "set it to an address such as https://huggingface.co, or unset it" },
    );
  }
  return url;
}

/** Asks for the file, following redirects by hand: the token and the digest belong to one server. */
async function openUrl(
  first: URL,
  from: number,
  address: HuggingFaceAddress,
  job: SourceJob,
): Promise<OpenedFile> {
  let url = first;
  let claimed: string | null = null;
  let linkedBytes: number | null = null;
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    const isEndpoint = url.origin === first.origin;
    const { response, cancel } = await request(url, from, isEndpoint, job);
    if (isEndpoint) {
      claimed = toSha256(response.headers.get("x-linked-etag")) ?? claimed;
      linkedBytes = toNumber(response.headers.get("x-linked-size")) ?? linkedBytes;
    }
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      cancel();
      const next = toUrl(location, url);
      const isWeaker = url.protocol === "https:" && next?.protocol !== "https:";
      if (next === null || !/^https?:$/.test(next.protocol) || isWeaker) {
        const place = next?.origin ?? location;
        throw sourceFailure(
          "model_source_refused",
          `it redirects to "${place}", which is not followed`,
        );
      }
      url = next;
      continue;
    }
    const length = toBodyLength(response);
    if (response.status === 416 && from > 0) {
      const unknown = { totalBytes: null, identity: null, claimedDigest: claimed };
      return { start: null, ...unknown, body: emptyBody(), cancel };
    }
    if ((response.status !== 200 && response.status !== 206) || response.body === null) {
      cancel();
      throw toRefusal(response, address, job);
    }
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get("content-range") ?? "");
    const start = response.status === 206 ? toNumber(range?.[1] ?? null) : 0;
    const whole = response.status === 206 ? toNumber(range?.[2] ?? null) : length;
    if (isEndpoint) claimed ??= toSha256(response.headers.get("etag"));
    return {
      start,
      totalBytes: whole ?? linkedBytes,
      identity: claimed ?? response.headers.get("etag"),
      claimedDigest: claimed,
      body: response.body,
      cancel,
    };
  }
  throw sourceFailure("model_source_refused", `it redirects more than ${mostRedirects} times`);
}

async function request(
  url: URL,
  from: number,
  isEndpoint: boolean,
  job: SourceJob,
): Promise<{ readonly response: Response; readonly cancel: () => void }> {
  const token = job.environment.HF_TOKEN?.trim() ?? "";
  // Checked here because the error of a bad header would print it.
  if (/[^\x21-\x7e]/.test(token)) {
    throw sourceFailure("model_source_denied", "HF_TOKEN has characters that no token has", {
      hint: "set HF_TOKEN again, or unset it",
    });
  }
  const headers = new Headers({ "accept-encoding": "identity", "user-agent": "incipit" });
  if (from > 0) headers.set("range", `bytes=${from}-`);
  if (isEndpoint && token !== "") headers.set("authorization", `Bearer ${token}`);
  const connection = new AbortController();
  const cancel = (): void => connection.abort();
  const timer = setTimeout(cancel, job.times.connect);
  try {
    const signal = AbortSignal.any([job.signal, connection.signal]);
    const response = await fetch(url, { headers, redirect: "manual", signal });
    return { response, cancel };
  } catch (cause) {
    throwIfAborted(job.signal);
    const reason = connection.signal.aborted
      ? `no answer within ${(job.times.connect / 1000).toFixed(1)} s`
      : toReason(cause);
    throw sourceFailure(
      "model_source_unreachable",
      `${url.host} could not be reached (${reason})`,
      {
        hint: toProxyHint(job.environment),
        cause,
      },
    );
  } finally {
    clearTimeout(timer);
  }
}

function toRefusal(
  response: Response,
  { repository, file, revision }: HuggingFaceAddress,
  { environment }: SourceJob,
): IncipitError {
  const code = response.headers.get("x-error-code");
  if (response.status === 404) {
    const missing =
      code === "RepoNotFound"
        ? `the repository "${repository}"`
        : code === "RevisionNotFound"
          ? `the revision "${revision}"`
          : `the file "${file}" at "${revision}" in "${repository}"`;
    return sourceFailure("model_source_not_found", `it has no ${missing.slice(4)} (404)`);
  }
  if (response.status === 401 || response.status === 403) {
    const hasToken = (environment.HF_TOKEN?.trim() ?? "") !== "";
    return sourceFailure(
      "model_source_denied",
      `it does not give "${repository}" to this user, or has none of that name (${response.status})`,
      {
        hint: hasToken
          ? "the token in HF_TOKEN has no access: check the name and accept the model's terms"
          : "check the name; a private or gated model needs a token in HF_TOKEN",
      },
    );
  }
  return sourceFailure("model_source_refused", `it answered with status ${response.status}`);
}

/** The words of a failed fetch: its cause says more than "fetch failed". */
function toReason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const errno = toErrno(cause) ?? toErrno(error);
  if (errno === "ECONNREFUSED") return "the connection was refused";
  if (errno === "ENOTFOUND" || errno === "EAI_AGAIN") return "its name could not be looked up";
  if (errno === "ECONNRESET" || errno === "UND_ERR_SOCKET") return "the connection was closed";
  if (errno === "UND_ERR_CONNECT_TIMEOUT" || errno === "ETIMEDOUT") return "no answer";
  if (cause instanceof Error && cause.message !== "") return cause.message;
  return errno ?? (error instanceof Error ? error.message : String(error));
}

/** Node's own fetch of these versions looks at no proxy variable; pip does. */
function toProxyHint(environment: Environment): string | undefined {
  const proxy = environment.HTTPS_PROXY ?? environment.https_proxy ?? "";
  return proxy === "" ? undefined : "HTTPS_PROXY is set, but this download does not go through it";
}

function toUrl(text: string, base?: URL): URL | null {
  return URL.canParse(text, base?.href) ? new URL(text, base) : null;
}

/** Length of the body; null when it was encoded in spite of the request. */
function toBodyLength(response: Response): number | null {
  const encoding = response.headers.get("content-encoding") ?? "identity";
  return encoding === "identity" ? toNumber(response.headers.get("content-length")) : null;
}

function toNumber(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The digest in an ETag that is one; null for any other. */
function toSha256(etag: string | null): string | null {
  return /^(?:W\/)?"?([0-9a-f]{64})"?$/i.exec(etag ?? "")?.[1]?.toLowerCase() ?? null;
}

function emptyBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}
