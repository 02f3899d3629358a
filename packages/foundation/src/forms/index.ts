export {
  defaultsOf,
  describeForm,
  sampleOf,
  startOf,
  type FormOptions,
} from './describe/describe-form.ts'
export { edit, type Change } from './values/edit.ts'
export type {
  ArrayNode,
  BooleanNode,
  ChoiceNode,
  ChoicesNode,
  FormIssue,
  FormNode,
  JsonNode,
  JsonReason,
  NodeBase,
  NumberNode,
  ObjectNode,
  Option,
  TextNode,
  UnionNode,
  Variant,
} from './describe/form-node.ts'
export { issuesOf, type FormIssues } from './issues.ts'
export { issuesWithin } from './issues-within.ts'
export { isSame } from './json.ts'
export { parseJson } from './values/parse-json.ts'
export { fromPointer, toPointer, type Path } from './path.ts'
export { readForm } from './values/read-form.ts'
