export { parseJson } from '../rpc/json/parse-json.ts'
