/** What to do where the name of a rule was expected. */
export function toNameHint(found: string): string | undefined {
  if (found === "|") return "put the bar at the end of the line before, or use parentheses";
  if (found !== "" && "*+?{".includes(found)) return "put the quantifier on the line of its item";
  if (found === "\ufeff") return "save the file without a byte-order mark";
  if (found !== "" && '"[(.'.includes(found)) {
    return "a rule goes on in the next line only after ::= or a bar, or within parentheses";
  }
  return undefined;
}

/** What to do where `::=` was expected. */
export function toDefineHint(found: string): string | undefined {
  if (found === "=" || found === ":") return "write ::=";
  if (found === "_") return "a name has letters, digits and dashes; write - for _";
  if (found === "\n" || found === "\r") return "put ::= on the line of the name";
  return undefined;
}

/** What to do where a rule or a parenthesis was expected to end. */
export function toEndHint(found: string): string | undefined {
  if (found === "_") return "a name has letters, digits and dashes; write - for _";
  if (found === "'") return 'write literals in double quotes: "a"';
  if (found === ":") return "a bar or an empty body just before takes this name as a reference";
  if (found === ")") return "no parenthesis is open here";
  if (found === ";" || found === "\\") return "a rule ends with its line";
  if (found === "\u00a0") return "replace the no-break space by a space";
  return undefined;
}
