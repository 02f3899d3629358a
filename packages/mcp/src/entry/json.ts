export { parseJson } from '../rpc/json/json-limits.ts'
export { canonicalJson } from '../schema/canonical-json.ts'
export { compileLinearPattern } from '../schema/json-schema/patterns/linear-pattern.ts'
