export { parseJson } from '../rpc/parse-json.ts'
