import type { PullListener } from "../event.ts";

/** What every source is told about the file it is to fetch. */
export interface SourceJob {
  /** A folder of this pull alone, on the disk of the cache; it exists. */
  readonly staging: string;
  /** Known size of the file; null when only the source knows. */
  readonly bytes: number | null;
  /** Known SHA-256 of the file; null when only the source may know. */
  readonly digest: string | null;
  readonly environment: Environment;
  readonly times: TransferTimes;
  readonly signal: AbortSignal;
  readonly onEvent: PullListener | undefined;
}

/** Environment variables, as `process.env` has them. */
export type Environment = { readonly [name: string]: string | undefined };

/** How long a source is waited for, in milliseconds. */
export interface TransferTimes {
  /** Until it answers. */
  readonly connect: number;
  /** Until the next byte. */
  readonly stall: number;
  /** Until the next sign of life of pip, which may have to wait for a mirror. */
  readonly pipStall: number;
}

/** A file that a source brought; not verified yet. */
export interface FetchedFile {
  readonly path: string;
  /** SHA-256 that the source claims for it. */
  readonly claimedDigest: string | null;
  /** Whether some of it was here before; then a wrong digest may be the fault of those bytes. */
  readonly resumed: boolean;
}
