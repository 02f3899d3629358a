import type { Gateway } from '@parley/gateway'

const revision = '2026-07-28'

/** What a raw request was answered with. */
export interface RawResponse {
  readonly status: number
  readonly text: string
  /** Of the answer, if it was one. */
  readonly result: { readonly [key: string]: unknown }
}

/** Sends a request of 2026-07-28 as bytes on the wire, since our client would not send them. */
export async function post(
  { url }: Pick<Gateway, 'url'>,
  method: string,
  params: { readonly [key: string]: unknown },
  headers: { readonly [name: string]: string } = {},
): Promise<RawResponse> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
  }
  const response = await fetch(String(url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof params['name'] === 'string' && { 'mcp-name': params['name'] }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  })
  const text = await response.text()
  const [json = '{}'] = /\{"jsonrpc".*"(?:result|error)".*\}/.exec(text) ?? []
  const { result = {} } = JSON.parse(json) as { readonly result?: RawResponse['result'] } // as a server answers
  return { status: response.status, text, result }
}
