import type { RequestId } from '../message.ts'

/** The response to a request whose result is JSON text already. */
export function resultText(id: RequestId, json: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`
}
