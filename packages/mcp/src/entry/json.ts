export { parseJson } from '../rpc/json/parse-json.ts'
export { canonicalJson } from '../schema/json/canonical-json.ts'
export { compileLinearPattern } from '../schema/json-schema/patterns/linear-pattern.ts'
