import { getLlama, LlamaLogLevel } from "node-llama-cpp";

/** Whether whole texts match a grammar, as the grammar code of llama.cpp sees it. */
export interface LlamaGrammarOracle {
  /** Throws when llama.cpp refuses the grammar. */
  open(grammar: string): Promise<(text: string) => boolean>;
}

/** Loads llama.cpp's own grammar code; no model is needed. */
export async function openLlamaOracle(): Promise<LlamaGrammarOracle> {
  const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.error });
  return {
    async open(grammar) {
      const compiled = await llama.createGrammar({ grammar });
      // Not public: runs the text code point by code point and says whether it is complete.
      const { _testText } = compiled as unknown as { _testText(text: string): boolean };
      return (text) => _testText.call(compiled, text);
    },
  };
}
