export {
  type ParsedTemplate,
  type ParseTemplateOptions,
  parseTemplate,
  tryParseTemplate,
} from "./parse-template.ts";
export { renderTemplate, type TemplateValues } from "./render-template.ts";
export type { Template, TemplateNode } from "./template.ts";
