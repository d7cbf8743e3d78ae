/** A small pack for tests, as a map of files; `changes` replaces, adds or (with null) removes. */
export function packFiles(changes: Record<string, string | null> = {}): Map<string, string> {
  const files = new Map<string, string>([
    ["incipit.yaml", 'name: small\nversion: "1.0"\ndescription: A pack for tests\n'],
    [
      "system/notes.yaml",
      [
        'version: "1.0"',
        "description: Notes",
        "composition: { module_order: [rules, words] }",
        "rules: { tier: protected, description: The rules, content: Answer with a word. }",
        "words:",
        "  tier: customizable",
        "  description: The user's words",
        "  when: terms",
        "  variables: [terms]",
        "  content: |-",
        "    Words:",
        "    ${terms}",
        "",
      ].join("\n"),
    ],
    [
      "templates/note.json",
      '{ "plain": { "version": "1.0", "variables": ["note"], "base_template": "${note}\\nName it now." } }',
    ],
    [
      "compositions/retry.json",
      '{ "shape": { "version": "1.1", "variables": ["findings"], "content": "Wrong:\\n${findings}\\nMend it." } }',
    ],
    [
      "languages/en.yaml",
      'version: "1.0"\nlanguage: en\nname: English\nfillers: [um, "you know"]\n',
    ],
    ["languages/de.yaml", 'version: "1.0"\nlanguage: de\nname: Deutsch\nfillers: [ähm, er]\n'],
    [
      "tasks/name.yaml",
      [
        'version: "2.0"',
        "description: Names a note",
        "system: system/notes.yaml",
        "user: templates/note.json#plain",
        "inputs:",
        "  note: { type: text, trust: untrusted, maxLength: 100 }",
        "  terms: { type: list, maxItems: 3, maxLength: 10, optional: true }",
        "whenEmpty: null",
        "output:",
        "  kind: json",
        "  schema: { type: object, properties: { name: { type: string, minLength: 1, maxLength: 20 } },",
        "    required: [name], additionalProperties: false }",
        "checks: [{ hasLetter: /name }]",
        "limits: { maxTokens: 30 }",
        "retry:",
        "  attempts: 3",
        "  temperatureStep: 0.5",
        '  reinforce: [{ on: contract, use: "compositions/retry.json#shape" }]',
        "",
      ].join("\n"),
    ],
  ]);
  for (const [path, text] of Object.entries(changes)) {
    if (text === null) files.delete(path);
    else files.set(path, text);
  }
  return files;
}

/** The text of one file of the small pack with one stretch replaced. */
export function changed(path: string, from: string, to: string): Record<string, string> {
  const text = packFiles().get(path) ?? "";
  if (!text.includes(from)) throw new Error(`"${from}" is not in ${path}`);
  return { [path]: text.replace(from, () => to) };
}
