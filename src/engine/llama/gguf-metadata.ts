/** A value of a header as far as it is looked at: of an array only its length. */
export type MetadataValue = number | string | { readonly length: number };

/** The smallest and the largest number that may stand there. */
interface Bounds {
  readonly least: number;
  readonly most: number;
}

const largestSigned = 2 ** 31 - 1;

/** The most blocks of a model; native code has room for fewer and says so. */
const mostBlocks = 4_096;

/** The most experts that native code has room for. */
const mostExperts = 512;

/**
 * Says which value of a header no model can have, with its key, or null. Native code stops the
 * process for some of them, and divides by others. A value that is missing or has the wrong type it
 * reports by itself.
 */
export function findMetadataProblem(
  metadata: ReadonlyMap<string, MetadataValue>,
  tensors: number,
): string | null {
  const architecture = metadata.get("general.architecture");
  if (typeof architecture !== "string") return null;
  const get = (name: string): MetadataValue | undefined => metadata.get(`${architecture}.${name}`);
  const check = (name: string, bounds: Bounds): string | null =>
    findWholeNumberProblem(`${architecture}.${name}`, get(name), bounds);
  // Models that keep a state in place of attention write 0 heads.
  const isRecurrent = ["ssm.conv_kernel", "ssm.state_size", "wkv.head_size"].some(
    (name) => get(name) !== undefined,
  );
  const experts = get("expert_count") ?? 0;
  const mostUsed = typeof experts === "number" ? experts : mostExperts;
  const leastHeads = isRecurrent ? 0 : 1;
  const leastForward = isRecurrent || experts !== 0 ? 0 : 1;
  const positive = { least: 1, most: largestSigned };
  return (
    check("block_count", { least: 1, most: Math.min(mostBlocks, tensors) }) ??
    check("embedding_length", positive) ??
    check("context_length", positive) ??
    check("feed_forward_length", { least: leastForward, most: largestSigned }) ??
    check("attention.head_count", { least: leastHeads, most: largestSigned }) ??
    check("attention.head_count_kv", { least: leastHeads, most: largestSigned }) ??
    check("attention.key_length", { least: leastHeads, most: largestSigned }) ??
    check("attention.value_length", { least: leastHeads, most: largestSigned }) ??
    check("expert_count", { least: 0, most: mostExperts }) ??
    check("expert_used_count", { least: 0, most: mostUsed }) ??
    findHeadProblem(architecture, get) ??
    findEpsilonProblem(architecture, get) ??
    findVocabularyProblem(metadata)
  );
}

function findWholeNumberProblem(
  key: string,
  value: MetadataValue | undefined,
  { least, most }: Bounds,
): string | null {
  if (typeof value !== "number") return null;
  if (Number.isInteger(value) && value >= least && value <= most) return null;
  return `its "${key}" is ${value}, and a whole number from ${least} to ${most} was expected`;
}

/** Heads share the embedding evenly, and heads of keys and values are shared evenly by heads. */
function findHeadProblem(
  architecture: string,
  get: (name: string) => MetadataValue | undefined,
): string | null {
  const heads = get("attention.head_count");
  if (typeof heads !== "number" || heads === 0) return null;
  const embedding = get("embedding_length");
  const hasOwnWidth = get("attention.key_length") !== undefined;
  if (typeof embedding === "number" && !hasOwnWidth && embedding % heads !== 0) {
    const key = `${architecture}.attention.head_count`;
    return `its "${key}" is ${heads}, and a divisor of the embedding length ${embedding} was expected`;
  }
  const shared = get("attention.head_count_kv");
  if (typeof shared === "number" && shared > 0 && heads % shared !== 0) {
    const key = `${architecture}.attention.head_count_kv`;
    return `its "${key}" is ${shared}, and a divisor of the head count ${heads} was expected`;
  }
  return null;
}

function findEpsilonProblem(
  architecture: string,
  get: (name: string) => MetadataValue | undefined,
): string | null {
  for (const name of ["attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon"]) {
    const value = get(name);
    if (typeof value !== "number" || (value >= 0 && value < 1)) continue;
    return `its "${architecture}.${name}" is ${value}, and a number from 0 to 1 was expected`;
  }
  return null;
}

/** Every token has its text; its score and its type, where there are such, are read by its number. */
function findVocabularyProblem(metadata: ReadonlyMap<string, MetadataValue>): string | null {
  const tokens = toLength(metadata.get("tokenizer.ggml.tokens"));
  if (tokens === null) return null;
  if (tokens === 0) return 'its "tokenizer.ggml.tokens" is empty, and a vocabulary was expected';
  for (const key of ["tokenizer.ggml.scores", "tokenizer.ggml.token_type"]) {
    const length = toLength(metadata.get(key));
    if (length === null || length === tokens) continue;
    return `its "${key}" has ${length} elements, and one for each of ${tokens} tokens was expected`;
  }
  return null;
}

function toLength(value: MetadataValue | undefined): number | null {
  return typeof value === "object" ? value.length : null;
}
