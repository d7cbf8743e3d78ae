/**
 * What the pure rooms may know of the platform: they name the type of a signal, in the interface
 * of an engine, and use nothing of it. Only tsconfig.pure.json includes this file.
 */
interface AbortSignal {
  readonly aborted: boolean;
}
